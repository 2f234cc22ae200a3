"""The job of the Play room in a worker process that reviews a game: search every position, judge every move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import as_ready
from plywise.game import Game, State
from plywise.layers import CHANCE
from plywise.result import Result
from plywise.search import search
from plywise.study.review import Reviewed, Search, review, tallies
from plywise.web.thinking import SHOWN_PLIES, Message, Played, engine_for, sheet_of
from plywise.web.views import chart_value, places
from plywise.web.worker import Job


class ReviewOrder(NamedTuple):
    """Which game to review, and how."""

    played: Played
    seconds: float
    """The time for each position."""


def review_game(job: Job, order: ReviewOrder, ready: bool) -> Message:
    """Report every position, from the last to the first, and return how the players did.

    If the game is not ``ready``, another process compiles it: search interpreted, unless the code is there already.
    """
    return _reviewed(job, order) if ready else as_ready(partial(_reviewed, job, order))


def _reviewed(job: Job, order: ReviewOrder) -> Message:
    sheet = sheet_of(job, order.played)
    game, found = sheet.game, list[Reviewed]()
    look, network = _search(job, order, game)
    for each in review(game, sheet.states[0], sheet.moves, look, network):
        found.append(each)
        job.tell(("ply", seen(game, each)))
        if job.left:
            break
    return "done", {"players": [tally._asdict() for tally in tallies(game, found)]}


def _search(job: Job, order: ReviewOrder, game: Game) -> tuple[Search, Any]:
    """Return how to search a position, and the network that evaluates there."""
    if algorithms.plays_by_engine(game):
        engine = engine_for(job, order.played.session, game)
        job.kept.pop("answer", None)  # its tree will be overwritten

        def by_engine(ply: int, states: Sequence[State]) -> Result:
            return engine.search(states[-1], seconds=order.seconds, history=states[:-1], control=job.next_control())

        return by_engine, engine.network

    def by_others(ply: int, states: Sequence[State]) -> Result:
        past: dict[str, Any] = {"history": states[:-1]} if algorithms.plays_by_playouts(game) else {}
        return search(game, states[-1], seconds=order.seconds, **past, enough=lambda _: job.left)

    return by_others, None


def seen(game: Game, each: Reviewed) -> dict[str, Any]:
    """Return a position of a review in the form that the page expects."""
    state, result = each.state, each.result
    mover = None if result is None else game.to_move(state)
    best = None
    if result is not None and each.best is not None:
        best = {
            "text": game.format_move(state, each.best),
            "name": game.move_name(state, each.best),
            "line": result.line_names()[:SHOWN_PLIES],
            "places": places(game, state, each.best),
        }
    return {
        "ply": each.ply,
        "value": chart_value(game, each.value),
        "text": each.text,
        "proven": each.proven,
        "expected": each.expected,
        "mover": None if mover == CHANCE else mover,
        "best": best,
        "played": None if each.played is None else game.move_name(state, each.played),
        "verdict": each.verdict,
        "comment": each.comment,
    }
