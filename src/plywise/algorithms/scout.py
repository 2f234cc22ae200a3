"""Scout (Pearl 1980): before a move is evaluated, a cheap test asks whether it can be better than the best so far.

The test is a boolean search, which prunes more than any window; only a move that passes is searched in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.boolean import boolean
from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def scout(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the minimax value."""
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    maximising = game.to_move(state) == MAX
    best = -infinity(game) if maximising else infinity(game)
    first = True
    for move in game.moves(state):
        child = game.play(state, move)
        if not first:
            watch.null_window(state, depth, move, best, best)
            if boolean(game, child, depth - 1, best, maximising, watch) != maximising:
                continue  # not above the best (for MAX), not below it (for MIN)
            watch.research(state, depth, move, -infinity(game), infinity(game))
        first = False
        best = scout(game, child, depth - 1, watch)
        watch.update(state, depth, move, best, -infinity(game), infinity(game))
    watch.leave(state, depth, best)
    return best
