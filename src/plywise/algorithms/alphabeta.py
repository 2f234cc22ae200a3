"""Alpha-beta with MAX and MIN written out (analysed by Knuth and Moore 1975), fail-soft and fail-hard.

Alpha is what MAX, and beta what MIN, can already enforce on the path to this position.  A position outside this window
will not be reached, so its exact value does not matter.  Both functions return S' such that, if S is the minimax value,

    S <= alpha gives S' <= alpha;    alpha < S < beta gives S' = S;    S >= beta gives S' >= beta.

A fail-hard S' stays within [alpha, beta].  A fail-soft S' (Fishburn 1983) may lie outside, as a tighter bound:
S <= S' <= alpha, or S >= S' >= beta.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import CutRule, infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher

# Fail-soft and fail-hard, Max and Min are written out, as books do: a reader lays each beside its pseudo-code.


def alphabeta(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, rule: CutRule, watch: Watcher
) -> Number:
    """Return the best value found, even outside the window (fail-soft)."""
    watch.enter(state, depth, alpha, beta)
    if depth == 0 or game.is_terminal(state):
        return leaf(game, state, depth, watch)
    if game.to_move(state) == MAX:
        best = -infinity(game)
        for move in game.moves(state):
            value = alphabeta(game, game.play(state, move), depth - 1, alpha, beta, rule, watch)
            best = max(best, value)
            if value > alpha:
                alpha = value
                watch.update(state, depth, move, value, alpha, beta)
                if rule.cuts(alpha, beta):
                    watch.cut(state, depth, move, alpha, beta)
                    break
    else:
        best = infinity(game)
        for move in game.moves(state):
            value = alphabeta(game, game.play(state, move), depth - 1, alpha, beta, rule, watch)
            best = min(best, value)
            if value < beta:
                beta = value
                watch.update(state, depth, move, value, alpha, beta)
                if rule.cuts(alpha, beta):
                    watch.cut(state, depth, move, alpha, beta)
                    break
    watch.leave(state, depth, best)
    return best


def alphabeta_hard(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, rule: CutRule, watch: Watcher
) -> Number:
    """Return the value, clipped to the window (fail-hard)."""
    watch.enter(state, depth, alpha, beta)
    if depth == 0 or game.is_terminal(state):
        return min(max(alpha, leaf(game, state, depth, watch)), beta)
    if game.to_move(state) == MAX:
        for move in game.moves(state):
            value = alphabeta_hard(game, game.play(state, move), depth - 1, alpha, beta, rule, watch)
            if value > alpha:
                alpha = value
                watch.update(state, depth, move, value, alpha, beta)
                if rule.cuts(alpha, beta):
                    watch.cut(state, depth, move, alpha, beta)
                    break
        value = alpha
    else:
        for move in game.moves(state):
            value = alphabeta_hard(game, game.play(state, move), depth - 1, alpha, beta, rule, watch)
            if value < beta:
                beta = value
                watch.update(state, depth, move, value, alpha, beta)
                if rule.cuts(alpha, beta):
                    watch.cut(state, depth, move, alpha, beta)
                    break
        value = beta
    watch.leave(state, depth, value)
    return value
