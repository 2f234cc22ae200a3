"""Refuse games with chance, which no search here understands, before one of them gets a false answer.

Rules that draw random numbers answer the same question in different ways.  So the moves of a root are listed twice and
each is played at least twice; of very many moves, only the first, unless the rules mention random numbers.  The methods
are called as plain Python, whether or not the search is compiled: both readings draw where the same line says so.
"""

from __future__ import annotations

import contextlib
from itertools import islice
from typing import Any

import numpy as np

from plywise.compiling.fingerprint import class_fingerprint, functions_reached, names_in
from plywise.errors import GameError, shortened
from plywise.game import Game, Move, State
from plywise.inputs.limits import MOST_MOVES

PLAYS = 100
"""How often moves are played at the least: where there are few, a die may well show the same number twice."""

NOT_SUPPORTED = "games with chance are not supported yet"


def refuse_chance(game: Game, state: State) -> None:
    """Check that the rules answer the same when asked again, as far as the moves in ``state`` tell.

    Raises:
        GameError: they do not; the message says where.
    """
    most = MOST_MOVES if may_draw(game) else PLAYS // 2
    moves = list(islice(game.moves(state), most))
    again = list(islice(game.moves(state), most))
    if not _same(moves, again):
        raise _refusal(game, state, f"moves() lists {_short(moves)} and, asked again, {_short(again)}")
    first = [_outcome(game, state, move) for move in moves]
    for _ in range(max(1, PLAYS // max(1, len(moves)) - 1)):
        game.to_move(state)  # an adapted board goes back to where it was, and makes its only move again
        for move, before in zip(moves, first, strict=True):
            now = _outcome(game, state, move)
            if not _same(before, now):
                raise _refusal(game, state, f"after move {_short(move)}, {_difference(before, now)}")


SOURCES = ("random", "secrets", "time", "uuid", "os", "numpy.random")
"""Modules from which rules may draw."""


def may_draw(game: Game) -> bool:
    """Return whether code that the rules can reach mentions a source of random numbers, or cannot be looked at."""
    if getattr(type(game), "INTERPRETED_ONLY", False):
        return True
    rules = class_fingerprint(type(game), type(game).ENTRY_POINTS)
    if rules not in _draws:
        _draws[rules] = any(
            _is_source(function.__globals__.get(name)) or name in ("random", "default_rng")
            for function in functions_reached(type(game), type(game).ENTRY_POINTS or ())
            for name in names_in(function.__code__)
        )
    return _draws[rules]


_draws: dict[str, bool] = {}  # by the fingerprints of rules


def _is_source(value: Any) -> bool:
    """Return whether a module, a function or an object is, or comes from, one of the sources."""
    names = (getattr(value, "__name__", ""), getattr(value, "__module__", ""), type(value).__module__)
    return any(str(name or "").startswith(SOURCES) for name in names)


def _outcome(game: Game, state: State, move: Move) -> dict[str, Any]:
    """Return what the rules say of a move: the next position, and what there is to know of it."""
    child = game.play(state, move)
    if game.is_terminal(child):
        return {"the position": child, "is_terminal()": True, "score()": game.scores(child)}
    outcome = {"the position": child, "is_terminal()": False, "to_move()": game.to_move(child)}
    if getattr(type(game), "INTERPRETED_ONLY", False):  # a position may be the way to a board that says more
        outcome["moves()"] = list(islice(game.moves(child), MOST_MOVES))
    return outcome


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Return in words what two outcomes differ in."""
    for what, before in one.items():
        after = other.get(what)
        if _same(before, after):
            continue
        for name in getattr(before, "_fields", ()):
            mine, others = getattr(before, name), getattr(after, name, None)
            if not _same(mine, others):
                return f"{name} is {_short(mine)} and, played again, {_short(others)}"
        return f"{what} is {_short(before)} and, played again, {_short(after)}"
    return "the answers differ"


def _refusal(game: Game, state: State, what: str) -> GameError:
    return GameError(f"the rules of {type(game).__name__} change: in position {_short(state)}, {what}; {NOT_SUPPORTED}")


def _short(thing: Any) -> str:
    return shortened(repr(thing), 40)


def _same(one: Any, other: Any) -> bool:
    """Return whether two answers are the same.  So are NaN and NaN, and two objects of a class without ``__eq__``."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.shape(one) == np.shape(other) and _same(np.ravel(one).tolist(), np.ravel(other).tolist())
    with contextlib.suppress(ValueError):  # by which an array within a tuple refuses
        if one == other:
            return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    if type(one) is type(other) and type(one).__eq__ is object.__eq__:  # type: ignore[comparison-overlap]
        return True
    return bool(one != one and other != other)
