"""Runs a function ``f(game, state, ...)`` compiled and interpreted, for tests of code below ``plywise.search``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

import plywise as pw
from plywise.compiling.bridge import entry
from plywise.compiling.diagnose import bare_state
from plywise.compiling.functions import dispatcher
from plywise.compiling.pipeline import EntryCompiler


def compiled(function: Any, game: pw.Game, *arguments: Any, state: Any = None) -> Any:
    """Return what ``function(game, state, *arguments)`` returns as machine code; default: the initial position."""
    start = game.initial() if state is None else state
    return entry(function)(game, bare_state(game, start), arguments)


def called_from_python(function: Any) -> Any:
    """Return a plain function of numbers as machine code."""
    inner = dispatcher(function)
    return numba.njit(lambda number: inner(number), pipeline_class=EntryCompiler)


def interpreted(function: Callable[..., Any], game: pw.Game, *arguments: Any, state: Any = None) -> Any:
    """Return what the same call returns as plain Python."""
    return function(game, game.initial() if state is None else state, *arguments)


def value(game, state, depth):
    """Minimax as a beginner writes it: a small function that calls everything that a game must have."""
    if depth == 0 or game.is_terminal(state):
        return game.score(state) if game.is_terminal(state) else game.evaluate(state)
    best = -(1 << 62) if game.to_move(state) == 0 else 1 << 62
    for move in game.moves(state):
        child = value(game, game.play(state, move), depth - 1)
        best = max(best, child) if game.to_move(state) == 0 else min(best, child)
    return best


def both(game: pw.Game, depth: int = 8, state: Any = None) -> Any:
    """Return the value of a position, which both readings must agree on."""
    answer = compiled(value, game, depth, state=state)
    assert answer == interpreted(value, game, depth, state=state)
    return answer
