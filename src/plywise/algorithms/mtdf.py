"""MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): close in on the value with null windows alone.

Each pass asks whether the value is at least some number, and so moves one of two bounds; they meet at the value.
Passes repeat much of each other's work, so they share a memo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import above, infinity
from plywise.algorithms.memo import memo
from plywise.game import Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.memo_table import Memo
    from plywise.algorithms.watch import Watcher


def mtdf(game: Game, state: State, depth: int, guess: Number, table: Memo, watch: Watcher) -> Number:
    """Return the minimax value for the player to move.  A good first ``guess`` saves passes."""
    lower, upper = -infinity(game), infinity(game)
    value = guess
    move, known = 0, False
    while lower < upper:
        beta = max(value, above(game, lower))
        alpha = -above(game, -beta)
        watch.restart(state, depth, alpha, beta)
        value = memo(game, state, depth, alpha, beta, table, watch)
        if value > alpha:
            lower = value
            place = table.find(game, state, depth)
            move, known = table.move(game, state, place), table.has_move(game, state, place)
        if value < beta:
            upper = value
    watch.recall(state, depth, value, known, move)
    return value
