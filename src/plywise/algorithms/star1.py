"""Star1 (Ballard 1983): alpha-beta with chance nodes, which are cut off by arithmetic.

If no score lies outside [L, U], the outcomes that are still to come cannot move an average far.  Once it cannot come
back into the window, they do not matter.  The same arithmetic gives the window of the next outcome: the values at which
it would decide that.  With infinite bounds the answer is right, and no chance node is cut.

Star1 promises what fail-soft alpha-beta promises (see ``alphabeta``), where S is the value of ``expectiminimax``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.averages import between, certainty, extremes, needed, part, slack
from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State
from plywise.layers import CHANCE

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def star1(game: Game, state: State, depth: int, alpha: Number, beta: Number, watch: Watcher) -> Number:
    """Return the expected score, or a bound of it outside the window (fail-soft)."""
    watch.enter(state, depth, alpha, beta)
    if depth == 0 or game.is_terminal(state):
        return float(leaf(game, state, depth, watch))
    player = game.to_move(state)
    if player == CHANCE:
        best = average(game, state, depth, alpha, beta, watch)
    elif player == MAX:
        best = -infinity(game)
        for move in game.moves(state):
            value = star1(game, game.play(state, move), depth - 1, alpha, beta, watch)
            best = max(best, value)
            if value > alpha:
                alpha = value
                watch.update(state, depth, move, value, alpha, beta)
                if alpha >= beta:
                    watch.cut(state, depth, move, alpha, beta)
                    break
    else:
        best = infinity(game)
        for move in game.moves(state):
            value = star1(game, game.play(state, move), depth - 1, alpha, beta, watch)
            best = min(best, value)
            if value < beta:
                beta = value
                watch.update(state, depth, move, value, alpha, beta)
                if alpha >= beta:
                    watch.cut(state, depth, move, alpha, beta)
                    break
    watch.leave(state, depth, best)
    return best


def average(game: Game, state: State, depth: int, alpha: Number, beta: Number, watch: Watcher) -> Number:
    """Return the value of a chance node."""
    low, high = extremes(game, state)
    margin = slack(low, high)
    total, unseen = 0.0, certainty(game, state)
    for move in game.moves(state):
        probability = game.probability(state, move)
        unseen -= probability
        child_alpha = between(low, needed(alpha, total, part(unseen, high), -2 * margin, probability), high)
        child_beta = between(low, needed(beta, total, part(unseen, low), 2 * margin, probability), high)
        value = star1(game, game.play(state, move), depth - 1, child_alpha, child_beta, watch)
        total += probability * value
        lowest, highest = total + part(unseen, low) - margin, total + part(unseen, high) + margin
        watch.weigh(state, depth, move, value, lowest, highest)
        if lowest >= beta or highest <= alpha:
            watch.cut(state, depth, move, alpha, beta)
            return lowest if lowest >= beta else highest
    return total
