"""Alpha-beta in negamax form, fail-soft and fail-hard: one branch for both players.

Window and value are for the player to move, and are negated when the turn passes to the other player.  The promises are
alpha-beta's (see ``alphabeta``), for the player to move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import CutRule, infinity, leaf
from plywise.game import Game, Number, State, sign

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher

# Fail-soft and fail-hard are written out, as in ``alphabeta``: a reader lays each beside its pseudo-code.


def negamax_alphabeta(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, rule: CutRule, watch: Watcher
) -> Number:
    """Return the best value found, even outside the window (fail-soft)."""
    watch.enter(state, depth, alpha, beta)
    player = game.to_move(state)
    if depth == 0 or game.is_terminal(state):
        return sign(player) * leaf(game, state, depth, watch)
    best = -infinity(game)
    for move in game.moves(state):
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -negamax_alphabeta(game, child, depth - 1, -beta, -alpha, rule, watch)
        else:
            value = negamax_alphabeta(game, child, depth - 1, alpha, beta, rule, watch)
        best = max(best, value)
        if value > alpha:
            alpha = value
            watch.update(state, depth, move, value, alpha, beta)
            if rule.cuts(alpha, beta):
                watch.cut(state, depth, move, alpha, beta)
                break
    watch.leave(state, depth, best)
    return best


def negamax_alphabeta_hard(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, rule: CutRule, watch: Watcher
) -> Number:
    """Return the value, clipped to the window (fail-hard)."""
    watch.enter(state, depth, alpha, beta)
    player = game.to_move(state)
    if depth == 0 or game.is_terminal(state):
        return min(max(alpha, sign(player) * leaf(game, state, depth, watch)), beta)
    for move in game.moves(state):
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -negamax_alphabeta_hard(game, child, depth - 1, -beta, -alpha, rule, watch)
        else:
            value = negamax_alphabeta_hard(game, child, depth - 1, alpha, beta, rule, watch)
        if value > alpha:
            alpha = value
            watch.update(state, depth, move, value, alpha, beta)
            if rule.cuts(alpha, beta):
                watch.cut(state, depth, move, alpha, beta)
                break
    watch.leave(state, depth, alpha)
    return alpha
