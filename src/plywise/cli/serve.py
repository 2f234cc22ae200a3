"""``plywise serve``: start the server and open the page."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import socket
import sys
import threading
import webbrowser
from typing import Annotated
from urllib.parse import quote

import typer

from plywise.errors import SearchError
from plywise.inputs.limits import MOST_PORT

PORT = 8017


def serve(
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=MOST_PORT,
            help="The port; 0: a free one. Default: 8017, or a free one.",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="The address to listen on. The default allows only this machine."
        ),
    ] = "127.0.0.1",
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="Your own game, such as mygame.py:Class; repeatable."),
    ] = None,
    worker_mb: Annotated[
        int,
        typer.Option("--worker-mb", metavar="MB", min=512, help="Megabytes of memory that one search may use."),
    ] = 2048,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Open the page: play, watch a search step by step, take a quiz.

    It runs on this machine and loads nothing from elsewhere.  Ctrl-C stops it.

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
        raise SearchError(f"the page needs {error.name}: run pip install 'plywise[web]'") from None

    if not host.strip():
        raise SearchError(
            "--host is empty: give an address, such as 127.0.0.1, or 0.0.0.0 for all addresses of this machine"
        )
    app = create_app(game or (), host=host, worker_mb=worker_mb)
    listening = _listen(host, port)
    number = listening.getsockname()[1]
    address = f"http://{f'[{host}]' if ':' in host else host}:{number}/"
    print(f"plywise is at {address} (Ctrl-C stops it)", flush=True)
    if not no_browser and _has_display():
        first = app.state.games.first
        page = address if first is None else f"{address}#play?game={quote(first)}"
        threading.Timer(0.5, webbrowser.open, (page,)).start()
    app.state.workers.warm_up()
    app.state.compilers.warm_up()
    gc.collect()
    gc.freeze()  # what is loaded by now stays: looking through it would hold up all requests for 80 ms
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    with contextlib.suppress(KeyboardInterrupt):  # the usual way to stop it
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on ``port``; if that is None, on the default port or any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen()  # connections wait from here on until the server answers
        except (OSError, ValueError) as error:  # an invalid host name raises ValueError
            listening.close()
            reason = getattr(error, "strerror", None) or str(error)
            if getattr(error, "errno", None) == errno.EADDRINUSE:
                reason += "; choose another with --port, or --port 0 for any free one"
        else:
            return listening
    raise SearchError(f"cannot listen on {host}, port {PORT if port is None else port}: {reason}")


def _has_display() -> bool:
    """Return whether a browser window can be shown."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
