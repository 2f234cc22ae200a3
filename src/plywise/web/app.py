"""The web application: the static files of the page and the API of its rooms.

Routers share state in ``request.app.state``: ``games``, the games on offer; ``workers``, the processes that search;
``reviews``, the places for reviews, so that they leave a worker for moves; ``preparations``, which compiles games in
processes of its own; and ``sheets``, which reads games in progress.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from plywise import __version__
from plywise.errors import PlywiseError
from plywise.games.tree_places import TreeTextError
from plywise.web import explain_room, games_in, games_out, play_room, quiz_room
from plywise.web.assets import asset_router
from plywise.web.guard import LOOPBACK, Guard, refuse
from plywise.web.offered_games import Games
from plywise.web.preparing import Preparations
from plywise.web.score_sheet import ScoreSheets
from plywise.web.waiting import Busy, Queue
from plywise.web.workers import COMPILE_NICE, WORKER_MB, WorkerCrashed, Workers


def create_app(
    own_games: Iterable[str] = (), *, host: str = LOOPBACK[1], workers: int | None = None, worker_mb: int = WORKER_MB
) -> FastAPI:
    """Return the application.

    Args:
        own_games: games in addition to the catalogue, named as on the command line: ``mygame.py:Class``.
        host: the address that the server will listen on.
        workers: the number of worker processes; default: one per processor, but at least two.
        worker_mb: the memory limit of each worker, in megabytes.

    Raises:
        GameError: one of the games cannot be loaded.
    """
    app = FastAPI(
        title="plywise", version=__version__, lifespan=_lifespan,
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.state.games = Games(own_games)
    app.state.sheets = ScoreSheets()
    app.state.workers = Workers(app.state.games.own, workers, worker_mb)
    app.state.reviews = Queue(max(1, app.state.workers.count - 1))
    app.state.compilers = Workers(app.state.games.own, Preparations.processes(), worker_mb, COMPILE_NICE)
    app.state.preparations = Preparations(app.state.compilers)
    app.add_middleware(Guard, host=host)
    app.add_exception_handler(PlywiseError, _say_what_is_wrong)
    app.add_exception_handler(RequestValidationError, _say_what_is_invalid)
    app.add_exception_handler(WorkerCrashed, _say_what_failed)
    app.add_exception_handler(ClientDisconnect, _say_nothing)
    for room in (play_room, games_in, games_out, explain_room, quiz_room):
        app.include_router(room.router)

    app.include_router(asset_router())
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.workers.close()
    app.state.compilers.close()


def _say_what_is_wrong(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, TreeTextError) and error.place is not None:
        return JSONResponse({"detail": str(error), "place": error.place._asdict()}, 422)
    return refuse(429 if isinstance(error, Busy) else 422, str(error))


def _say_what_failed(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, WorkerCrashed)
    print(error, file=sys.stderr)
    return refuse(500, error.sentence)


def _say_nothing(_: Request, __: Exception) -> Response:
    """Send an empty response: the client has disconnected."""
    return Response(status_code=499)


def _say_what_is_invalid(_: Request, error: Exception) -> JSONResponse:
    """Respond with one sentence about the first error, not with FastAPI's list of errors."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return refuse(422, f"{place}: {first['msg']}." if place else f"{first['msg']}.")
