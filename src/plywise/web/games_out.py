"""The API of the Play room for games that are saved: with variations, comments, and what is known about them.

A request has the form of the answer when such a file is read, so what is read can be saved again.
"""

from __future__ import annotations

import datetime
import json
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, StringConstraints

from plywise.errors import PositionError
from plywise.games.records import RESULTS, Record
from plywise.web import play_room
from plywise.web.annotated import AnnotatedMove, Checked, Remark, annotated_moves
from plywise.web.offered_games import Games
from plywise.web.play_room import GameSoFar, GameStart
from plywise.web.score_sheet import MOST_PLIES, ScoreSheet

router = APIRouter(prefix="/api/play", tags=["play"])

UNKNOWN = ("", "*", "?")
"""How files write that a result is not known."""


class Recorded(GameStart):
    """A game to save."""

    moves: list[AnnotatedMove] = Field(default_factory=list, max_length=MOST_PLIES)
    """The main line, as ``read`` gives it; a move without remarks may be only its text."""
    comment: Remark = ""
    """The comment before the first move."""
    names: list[Annotated[str, StringConstraints(max_length=60)]] = Field(default_factory=list, max_length=10)
    """The players' names; not used if there are ``tags``."""
    tags: dict[Remark, Remark] = Field(default_factory=dict)
    """What the file that the game is from tells about it, such as ``White`` and ``Date``."""
    result: Remark = ""
    """The result in that file."""


class GameFile(BaseModel):
    """A file to download."""

    name: str
    type: str
    text: str


@router.post("/record")
def record(request: Request, recorded: Recorded) -> GameFile:
    """Return a game as a file: in the game's usual format (PGN for chess), or else as JSON."""
    start = play_room.sheet_of(request, GameSoFar(**recorded.model_dump(include=set(GameStart.model_fields))))
    games: Games = request.app.state.games
    with games.blamed(recorded.game):
        checked = Checked(start, recorded.moves)
        if wrong := checked.problem or next(iter(checked.notes), ""):
            raise PositionError(wrong)
        result = recorded.result if recorded.result in RESULTS else "*"
        known = Record(start.states[0], checked.played, result, recorded.tags, recorded.comment)
        text = start.game.annotated_record(known, _about(checked.sheet, recorded))
        content = _content(known, checked.sheet, recorded) if text is None else {}
    name = f"plywise-{recorded.game}-{datetime.date.today():%Y-%m-%d}"
    if text is not None:
        return GameFile(name=f"{name}.{start.game.record_suffix}", type="text/plain", text=text)
    written = json.dumps(content, indent=2, ensure_ascii=False)
    return GameFile(name=f"{name}.json", type="application/json", text=written)


def _content(known: Record, sheet: ScoreSheet, recorded: Recorded) -> dict[str, Any]:
    """Return the content of a file in JSON, for a game without a format of its own."""
    game, players = sheet.game, sheet.players
    tags = {name: value for name, value in known.headers.items() if name not in players}
    line = annotated_moves(game, known.start, known.played) if known.annotated else []
    return {
        "game": repr(game),
        "start": game.format(known.start),
        "moves": list(sheet.names),
        "movers": sheet.movers,
        **({} if sheet.dice is None else {"seed": sheet.dice.seed}),
        "position": game.format(sheet.state),
        "players": _who(sheet, recorded),
        "result": sheet.over if recorded.result in UNKNOWN else recorded.result,
        "scores": sheet.score,
        **({"tags": tags} if tags else {}),
        **({"comment": known.comment} if known.comment else {}),
        **({"line": [move.model_dump(exclude_defaults=True) for move in line]} if line else {}),
    }


def _about(sheet: ScoreSheet, recorded: Recorded) -> dict[str, str]:
    """Return what ``View.record`` is told; if a file tells about the game, this is only the result."""
    score = sheet.score
    result = "*" if score is None else "1-0" if score[0] > 0 else "0-1" if score[0] < 0 else "1/2-1/2"
    if recorded.tags:
        return {"result": result}
    who = _who(sheet, recorded)
    today = datetime.date.today().isoformat()
    return {"event": "plywise", "date": today, "max": who[0], "min": who[-1], "result": result}


def _who(sheet: ScoreSheet, recorded: Recorded) -> list[str]:
    """Return the players' names; a tag for one has the name of the side, such as ``White``."""
    players = sheet.players
    if recorded.tags:
        return [recorded.tags.get(player, player) for player in players]
    return [*recorded.names, *players[len(recorded.names) :]]
