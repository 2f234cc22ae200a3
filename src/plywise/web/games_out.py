"""The API of the Play room for games that are saved: with variations, comments, and what is known about them.

A request has the form of the answer when such a file is read, so what is read can be saved again.
"""

from __future__ import annotations

import datetime
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, StringConstraints

from plywise.errors import PositionError
from plywise.games.records import RESULTS, Record
from plywise.web.annotated import AnnotatedMove, Checked, Remark, annotated_moves
from plywise.web.bodies import while_wanted
from plywise.web.offered_games import Games
from plywise.web.play_room import GameStart
from plywise.web.score_sheet import MOST_PLIES, ScoreSheet, checked_seed, first_sheet
from plywise.web.worker import Job
from plywise.web.workers import Workers, crashes_blamed

router = APIRouter(prefix="/api/play", tags=["play"])

SECONDS = 30.0
"""The time limit for writing a game: all its moves are checked."""

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
    tags: dict[Remark, Remark] | None = None
    """What the file that the game is from tells about it, such as ``White`` and ``Date``; None if it is from none."""
    result: Remark = ""
    """The result in that file.  It counts where the rules do not decide the game."""
    winner: Annotated[int, Field(ge=0, le=9)] | None = None
    """Who has won a game that the rules do not decide, for the ``reason``."""
    reason: Literal["", "resignation", "time"] = ""


class GameFile(BaseModel):
    """A file to download."""

    name: str
    type: str
    text: str


@router.post("/record")
async def record(request: Request, recorded: Recorded) -> GameFile:
    """Return a game as a file: in the game's usual format (PGN for chess), or else as JSON."""
    workers: Workers = request.app.state.workers
    games: Games = request.app.state.games
    with crashes_blamed(games, recorded.game):
        return GameFile(**await while_wanted(request, workers.last(written, recorded, seconds=SECONDS, kill=True)))


def written(job: Job, recorded: Recorded) -> dict[str, str]:
    """Return the file of a game: a job for a worker."""
    game = job.games.make(recorded.game, recorded.parameters)
    seed = checked_seed(game, recorded.seed)
    checked = Checked(first_sheet(game, recorded.start or None, seed), recorded.moves)
    if wrong := checked.problem or next(iter(checked.notes), ""):
        raise PositionError(wrong)
    sheet = checked.sheet
    if recorded.winner is not None and recorded.winner >= len(sheet.players):
        raise PositionError(f"player {recorded.winner} cannot have won: there are {len(sheet.players)}, from 0 on")
    told = recorded.result in RESULTS and sheet.over is None and recorded.winner is None
    known = Record(
        sheet.states[0], checked.played, recorded.result if told else "*", recorded.tags or {}, recorded.comment
    )
    text = game.annotated_record(known, _about(sheet, recorded))
    name = f"plywise-{recorded.game}-{datetime.date.today():%Y-%m-%d}"
    if text is not None:
        return {"name": f"{name}.{game.record_suffix}", "type": "text/plain", "text": text}
    content = json.dumps(_content(known, sheet, recorded), indent=2, ensure_ascii=False)
    return {"name": f"{name}.json", "type": "application/json", "text": content}


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
        "players": [name or player for name, player in zip(_names(sheet, recorded), players, strict=True)],
        "result": _result(sheet, recorded),
        "scores": sheet.score,
        **({"tags": tags} if tags else {}),
        **({"comment": known.comment} if known.comment else {}),
        **({"line": [move.model_dump(exclude_defaults=True) for move in line]} if line else {}),
    }


def _result(sheet: ScoreSheet, recorded: Recorded) -> str | None:
    """Return how a game ended: by its rules, or as it is told; None if it goes on."""
    if sheet.over or recorded.winner is None:
        return sheet.over or (None if recorded.result in UNKNOWN else recorded.result)
    by = f" by {recorded.reason}" if recorded.reason else ""
    return f"{sheet.players[recorded.winner]} wins{by}."


def _about(sheet: ScoreSheet, recorded: Recorded) -> dict[str, str]:
    """Return what ``View.record`` is told; a text is empty if it is not known."""
    score, reason = sheet.score, ""
    if score is None and recorded.winner is not None:
        score, reason = [1.0 if player == recorded.winner else -1.0 for player in range(2)], recorded.reason
    result = "*" if score is None else "1-0" if score[0] > 0 else "0-1" if score[0] < 0 else "1/2-1/2"
    names = _names(sheet, recorded)
    played_here = {"event": "plywise", "date": datetime.date.today().isoformat()} if recorded.tags is None else {}
    return {
        "event": "", "date": "", "round": "", "clock": "", "dice": "", **played_here, "max": names[0],
        "min": names[-1], "result": result, "reason": reason,
    }  # fmt: skip


def _names(sheet: ScoreSheet, recorded: Recorded) -> list[str]:
    """Return the players' names; in a file, a tag for one has the name of the side, such as ``White``."""
    players = sheet.players
    if recorded.tags is not None:
        return [recorded.tags.get(player, "") for player in players]
    return [*recorded.names, *players[len(recorded.names) :]][: len(players)]
