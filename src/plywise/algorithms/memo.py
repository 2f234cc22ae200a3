"""Alpha-beta with a memo: a position that is reached again by another order of moves is not searched again.

A search finds the exact value or, after a cutoff, only a bound; the memo stores which (``memo_table``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.algorithms.memo_table import Memo, bound_within, settles
from plywise.game import Game, Number, State, sign

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def memo(game: Game, state: State, depth: int, alpha: Number, beta: Number, table: Memo, watch: Watcher) -> Number:
    """Return a fail-soft alpha-beta value for the player to move (see ``alphabeta``)."""
    watch.enter(state, depth, alpha, beta)
    player = game.to_move(state)
    if depth == 0 or game.is_terminal(state):
        return sign(player) * leaf(game, state, depth, watch)
    place = table.find(game, state, depth)
    if place >= 0:
        known = table.value(game, place)
        if settles(table.bound(place), known, alpha, beta):
            watch.recall(state, depth, known, table.has_move(game, state, place), table.move(game, state, place))
            return known
    best, best_move, lowest = -infinity(game), 0, alpha
    for move in game.moves(state):
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -memo(game, child, depth - 1, -beta, -alpha, table, watch)
        else:
            value = memo(game, child, depth - 1, alpha, beta, table, watch)
        if value > best:
            best, best_move = value, move
        if value > alpha:
            alpha = value
            watch.update(state, depth, move, value, alpha, beta)
            if alpha >= beta:
                watch.cut(state, depth, move, alpha, beta)
                break
    table.store(game, state, depth, best, bound_within(best, lowest, beta), best_move)
    watch.leave(state, depth, best)
    return best
