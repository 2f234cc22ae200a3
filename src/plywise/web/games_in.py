"""The API of the Play room for games that come from elsewhere: texts to read, and boards set up by hand."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from pydantic import Field, StringConstraints

from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.layers.layout import Layout
from plywise.layers.setting_up import MOST_PLACES, defines_set_up, set_up
from plywise.web import play_room
from plywise.web.bodies import while_wanted
from plywise.web.offered_games import Games
from plywise.web.play_room import GameChoice, GameSoFar, PositionView
from plywise.web.reading import LONGEST_TEXT, SECONDS, ReadGames, read
from plywise.web.workers import Workers, crashes_blamed

router = APIRouter(prefix="/api/play", tags=["play"])

SPARE_SECONDS = 20.0
"""Extra seconds before reading is stopped, for starting a process and for the game that is being read."""


class GivenText(GameChoice):
    """A text with games, and the game that it is probably of."""

    text: Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]


class GivenBoard(GameChoice):
    """A board set up by hand."""

    cells: Annotated[list[Annotated[int, Field(ge=0, le=1000)]], Field(max_length=MOST_PLACES)]
    """The number of the piece on each place, 0 for none, as in the ``cells`` of a board."""
    player: Annotated[int, Field(ge=0, le=9)]
    """The player to move."""


@router.post("/read", response_model=ReadGames)
async def read_text(request: Request, given: GivenText) -> Response:
    """Read the games in a text: PGN, SGF or PDN, a list of moves, positions, or a file that ``record`` made."""
    games: Games = request.app.state.games
    games.make(given.game, given.parameters)
    workers: Workers = request.app.state.workers
    reading = workers.last(
        read, given.game, given.parameters, given.text, seconds=SECONDS + SPARE_SECONDS, kill=True
    )  # fmt: skip
    with crashes_blamed(games, given.game):
        return Response(await while_wanted(request, reading), media_type="application/json")


@router.post("/set-up")
async def set_up_board(request: Request, given: GivenBoard) -> PositionView:
    """Return the position with these pieces on the board and this player to move; 422 says why there is none."""
    games: Games = request.app.state.games
    with games.blamed(given.game):
        game = games.make(given.game, given.parameters)
        if not isinstance(game.layout, Layout):
            raise PlywiseError(f"positions of {games.title(given.game)} cannot be set up on the board")
        if defines_set_up(game):
            text = await run_in_threadpool(placed, game, given)
        else:  # found by experiment, which takes a while
            workers: Workers = request.app.state.workers
            with crashes_blamed(games, given.game):
                text = await while_wanted(request, workers.run(placed, game, given, seconds=SECONDS))
    meant = GameSoFar(game=given.game, parameters=given.parameters, start=text)
    return await run_in_threadpool(play_room.position, request, meant)


def placed(game: Game, given: GivenBoard) -> str:
    """Return the text of a position that was set up."""
    return game.format(set_up(game, given.cells, given.player))
