"""Early stop 2: a node stops as soon as it has a move that is good enough (Simon's satisficing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def satisficing(game: Game, state: State, depth: int, low: Number, high: Number, watch: Watcher) -> Number:
    """Return S' such that, if S is the minimax value:

    S <= low gives S' <= low;  low < S < high gives S' = S;  S >= high gives S' >= high.
    MAX is content with ``high`` and MIN with ``low``; unlike alpha-beta's, this window never moves.
    """
    watch.enter(state, depth, low, high)
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    maximising = game.to_move(state) == MAX
    best = -infinity(game) if maximising else infinity(game)
    for move in game.moves(state):
        value = satisficing(game, game.play(state, move), depth - 1, low, high, watch)
        if (value > best) if maximising else (value < best):
            best = value
            watch.update(state, depth, move, best, low, high)
            if (best >= high) if maximising else (best <= low):
                watch.cut(state, depth, move, low, high)
                break
    watch.leave(state, depth, best)
    return best
