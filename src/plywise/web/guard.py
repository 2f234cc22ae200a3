"""Middleware that checks the host, origin and size of each request, and adds security headers to each response.

The server is for the user of this machine.  A page of another site cannot read from it (no CORS), cannot post to it
(a foreign ``Origin`` is refused) and cannot pose as it by DNS rebinding (the ``Host`` must be a loopback name).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plywise.io.numbers import whole_number

LARGEST_BODY = 1 << 20
"""The most bytes in a request body."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""The page loads nothing from elsewhere and allows no inline script or style: only our own files run."""


class Guard:
    """Middleware around the whole application.

    Args:
        app: the application to guard.
        host: the address that the server listens on; allowed as ``Host`` in addition to loopback names.
    """

    def __init__(self, app: ASGIApp, host: str = LOOPBACK[1]) -> None:
        self.app = app
        self.everywhere = _is_unspecified(host)
        self.hosts: Collection[str] = {*LOOPBACK, host.lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        await self.app(scope, limited(receive), send_guarded)

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        """Return the error response for a request that is refused, or None."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return refuse(403, f"This server does not serve the host {host[:100]!r}.")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return refuse(403, "This request comes from another site.")
        length = whole_number(headers.get("content-length", "0"))
        if length is None or length > LARGEST_BODY:
            return refuse(413, f"A request may have at most {LARGEST_BODY:,} bytes.")
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        return name in self.hosts or (self.everywhere and _is_address(name))


def limited(receive: Receive) -> Receive:
    """Return a ``receive`` that disconnects when the body gets too large, whatever its header says."""
    got = 0

    async def receive_limited() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        return {"type": "http.disconnect"} if got > LARGEST_BODY else message

    return receive_limited


def refuse(status: int, sentence: str, **more: Any) -> JSONResponse:
    """Return an error response with a sentence that says why."""
    return JSONResponse({"detail": sentence}, status, **more)


def _is_unspecified(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


def _is_address(host: str) -> bool:
    """Return whether a host is an IP address, which DNS rebinding cannot fake."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
