"""Minimax in one function: whose turn it is decides which of two values is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def minimax_single(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the value of ``state`` for MAX with best play by both sides, searching ``depth`` plies."""
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    maximising = game.to_move(state) == MAX
    best = -infinity(game) if maximising else infinity(game)
    for move in game.moves(state):
        value = minimax_single(game, game.play(state, move), depth - 1, watch)
        if (value > best) if maximising else (value < best):
            best = value
            watch.update(state, depth, move, best, -infinity(game), infinity(game))
    watch.leave(state, depth, best)
    return best
