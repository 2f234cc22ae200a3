"""Chance belongs to the layer ``Chance``: rules that draw random numbers themselves are refused.

Rules that draw random numbers give different answers to the same question.  So the moves of a root are listed twice and
each is played at least twice; of very many moves only the first, unless the rules mention random numbers.  The methods
are called as plain Python even if the search is compiled: the same lines draw random numbers either way.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from plywise.compiling.fingerprint import class_fingerprint, functions_reached, names_in
from plywise.errors import GameError, SearchError, shortened
from plywise.game import Game, Move, State
from plywise.inputs.limits import MOST_MOVES
from plywise.layers import Chance, FastestWin

PLAYS = 100
"""The least number of moves played.  If there are few moves, each is played often: a die may show one number twice."""

WHAT_TO_WRITE = "a game with chance inherits pw.Chance, and lists what may happen as the moves of pw.CHANCE"


def check_certain(game: Game, name: str) -> None:
    """Check that nothing in a game is left to chance, as the search called ``name`` requires.

    Raises:
        SearchError: it has the layer ``Chance``; the message says what to use instead.
    """
    if isinstance(game, Chance):
        instead = "star2, star1 or expectiminimax" if game.is_zero_sum() else "expectimaxn"
        raise SearchError(f"{name} is for games without chance; for {game!r}, use {instead}")


def check_no_distances(game: Game) -> None:
    """Check that a game in which chance moves does not count the plies to a win: an average of distances is none.

    Raises:
        SearchError: it does both.
    """
    if isinstance(game, Chance) and isinstance(game, FastestWin):
        raise SearchError(f"{game!r} has chance, so its wins have no certain distance: leave out pw.FastestWin")


def refuse_chance(game: Game, state: State) -> None:
    """Check that the rules give the same answers when called again, as far as the moves in ``state`` can tell.

    Raises:
        GameError: they do not; the message says where.
    """
    most = MOST_MOVES if may_draw(game) else PLAYS // 2
    moves = list(islice(game.moves(state), most))
    again = list(islice(game.moves(state), most))
    if not _same(moves, again):
        raise _refusal(game, state, f"moves() lists {_short(moves)} and, called again, {_short(again)}")
    first = [_outcome(game, state, move) for move in moves]
    for _ in range(max(1, PLAYS // max(1, len(moves)) - 1)):
        game.to_move(state)  # makes an adapted board go back, so that it plays the move again
        for move, before in zip(moves, first, strict=True):
            now = _outcome(game, state, move)
            if not _same(before, now):
                raise _refusal(game, state, f"after move {_short(move)}, {_difference(before, now)}")


def refuse_chance_at_times(game: Game, states: Iterable[State]) -> None:
    """Check some of the roots as ``refuse_chance`` does: all if the rules mention random numbers, else the first; of
    all calls for the same rules, the first, second, fourth and so on, so that the average cost falls.
    """
    if may_draw(game):
        for state in states:
            refuse_chance(game, state)
        return
    for state in islice(states, 1):
        rules = class_fingerprint(type(game), type(game).ENTRY_POINTS)
        _roots[rules] += 1
        if _roots[rules].bit_count() == 1:
            refuse_chance(game, state)


_roots: Counter[str] = Counter()  # by the fingerprints of rules

SOURCES = ("random", "secrets", "time", "uuid", "os", "numpy.random")
"""Modules from which rules may draw random numbers."""


def may_draw(game: Game) -> bool:
    """Return whether code that the rules can reach mentions a source of random numbers, or cannot be inspected."""
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
    """Return whether a module, a function or an object is one of the sources or comes from one."""
    names = (getattr(value, "__name__", ""), getattr(value, "__module__", ""), type(value).__module__)
    return any(str(name or "").startswith(SOURCES) for name in names)


def _outcome(game: Game, state: State, move: Move) -> dict[str, Any]:
    """Return the position after a move, and what the rules say about it."""
    child = game.play(state, move)
    if game.is_terminal(child):
        return {"the position": child, "is_terminal()": True, "score()": game.scores(child)}
    outcome = {"the position": child, "is_terminal()": False, "to_move()": game.to_move(child)}
    if getattr(type(game), "INTERPRETED_ONLY", False):  # the position may hide the rest of an adapted board
        outcome["moves()"] = list(islice(game.moves(child), MOST_MOVES))
    return outcome


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Return in words how two outcomes differ."""
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
    return GameError(f"the rules of {type(game).__name__} vary: in position {_short(state)}, {what}; {WHAT_TO_WRITE}")


def _short(thing: Any) -> str:
    return shortened(repr(thing), 40)


def _same(one: Any, other: Any) -> bool:
    """Return whether two answers are the same: also NaN and NaN, and objects of one class without ``__eq__``."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.shape(one) == np.shape(other) and _same(np.ravel(one).tolist(), np.ravel(other).tolist())
    with contextlib.suppress(ValueError):  # raised by an array within a tuple
        if one == other:
            return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    if type(one) is type(other) and type(one).__eq__ is object.__eq__:  # type: ignore[comparison-overlap]
        return True
    return bool(one != one and other != other)
