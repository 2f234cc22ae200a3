"""Minimax as two functions that call each other (von Neumann 1928; the form of most textbooks).

MAX is an OR node: one good move is enough.  MIN is an AND node: every reply counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def minimax(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the value of ``state`` for MAX with best play by both sides, searching ``depth`` plies."""
    if game.to_move(state) == MAX:
        return max_value(game, state, depth, watch)
    return min_value(game, state, depth, watch)


def max_value(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    best = -infinity(game)
    for move in game.moves(state):
        child = game.play(state, move)
        if game.to_move(child) == MAX:  # the turn need not pass
            value = max_value(game, child, depth - 1, watch)
        else:
            value = min_value(game, child, depth - 1, watch)
        if value > best:
            best = value
            watch.update(state, depth, move, best, best, infinity(game))
    watch.leave(state, depth, best)
    return best


def min_value(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    best = infinity(game)
    for move in game.moves(state):
        child = game.play(state, move)
        if game.to_move(child) == MAX:  # the turn need not pass
            value = max_value(game, child, depth - 1, watch)
        else:
            value = min_value(game, child, depth - 1, watch)
        if value < best:
            best = value
            watch.update(state, depth, move, best, -infinity(game), best)
    watch.leave(state, depth, best)
    return best
