"""Early stop 1: a node stops as soon as a move earns the best possible score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def early_stop(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the minimax value.  Skips the other moves where ``game.bounds`` says that none can be better."""
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    worst_possible, best_possible = game.bounds(state)
    maximising = game.to_move(state) == MAX
    best = -infinity(game) if maximising else infinity(game)
    for move in game.moves(state):
        value = early_stop(game, game.play(state, move), depth - 1, watch)
        if (value > best) if maximising else (value < best):
            best = value
            watch.update(state, depth, move, best, -infinity(game), infinity(game))
            if (best >= best_possible) if maximising else (best <= worst_possible):
                watch.cut(state, depth, move, best, best)
                break
    watch.leave(state, depth, best)
    return best
