"""``plywise serve``: the page."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import webbrowser
from typing import Annotated

import typer

from plywise.errors import SearchError

PORT = 8017


def serve(
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0: a free one. Default: 8017, if free."),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on. Default: this machine alone.")
    ] = "127.0.0.1",
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="A game of yours, as mygame.py:Class; may be repeated."),
    ] = None,
    worker_mb: Annotated[
        int,
        typer.Option(
            "--worker-mb", metavar="MB", min=512, help="Megabytes of memory that one search may use. Default: 2048."
        ),
    ] = 2048,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Open the page: play, see a search work, and be asked about it.

    It runs on this machine and asks nothing of any other.  Ctrl-C ends it.

    \b
    plywise serve
    plywise serve --game mygame.py:MyGame
    plywise serve --port 9000 --no-browser
    """
    try:
        import uvicorn

        from plywise.web.app import create_app
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("plywise"):
            raise
        raise SearchError(f"the page needs {error.name}: pip install 'plywise[web]'") from None

    if not host.strip():
        raise SearchError("--host is empty: give an address, such as 127.0.0.1, or 0.0.0.0 for all of this machine's")
    app = create_app(game or (), host=host, worker_mb=worker_mb)
    listening = _listen(host, port)
    number = listening.getsockname()[1]
    address = f"http://{f'[{host}]' if ':' in host else host}:{number}/"
    print(f"plywise is at {address} (Ctrl-C ends it)", flush=True)
    if not no_browser and _has_display():
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    app.state.workers.warm_up()
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket on the port that is wanted; where nobody wants one in particular, on a free one if need be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen()  # from here on nobody is turned away, though it takes a moment to answer
        except (OSError, ValueError) as error:  # a name that is none is a ValueError
            listening.close()
            reason = getattr(error, "strerror", None) or str(error)
        else:
            return listening
    raise SearchError(f"cannot listen on {host}, port {PORT if port is None else port}: {reason}")


def _has_display() -> bool:
    """Return whether a browser would be seen by anybody."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
