"""Expectiminimax (Michie 1966): minimax with chance nodes, which are worth the average of their outcomes.

The average is weighted by the probabilities.  Nothing is pruned: every outcome counts, even the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State
from plywise.layers import CHANCE

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def expectiminimax(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the expected score of ``state`` for MAX with best play by both sides, searching ``depth`` plies.

    A move of chance is a ply like any other.
    """
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return float(leaf(game, state, depth, watch))
    player = game.to_move(state)
    if player == CHANCE:
        best = 0.0
        for move in game.moves(state):
            value = expectiminimax(game, game.play(state, move), depth - 1, watch)
            best += game.probability(state, move) * value
            watch.weigh(state, depth, move, value, -infinity(game), infinity(game))
    else:
        best = -infinity(game) if player == MAX else infinity(game)
        for move in game.moves(state):
            value = expectiminimax(game, game.play(state, move), depth - 1, watch)
            if (value > best) if player == MAX else (value < best):
                best = value
                watch.update(state, depth, move, best, -infinity(game), infinity(game))
    watch.leave(state, depth, best)
    return best
