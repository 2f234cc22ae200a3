"""Principal variation search, also known as NegaScout (Marsland and Campbell 1982, Reinefeld 1983).

The first move is expected to be the best.  Every other move is first searched with a null window, which only shows
whether it is better; a better move is searched again with the real window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import above, infinity, leaf
from plywise.game import Game, Number, State, sign

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def pvs(game: Game, state: State, depth: int, alpha: Number, beta: Number, watch: Watcher) -> Number:
    """Return a fail-soft alpha-beta value for the player to move (see ``alphabeta``)."""
    watch.enter(state, depth, alpha, beta)
    player = game.to_move(state)
    if depth == 0 or game.is_terminal(state):
        return sign(player) * leaf(game, state, depth, watch)
    best = -infinity(game)
    first = True
    for move in game.moves(state):
        child = game.play(state, move)
        turn = 1 if game.to_move(child) == player else -1
        if first or above(game, alpha) >= beta:
            low, high = turned(turn, alpha, beta)
            value = turn * pvs(game, child, depth - 1, low, high, watch)
        else:
            watch.null_window(state, depth, move, alpha, above(game, alpha))
            low, high = turned(turn, alpha, above(game, alpha))
            value = turn * pvs(game, child, depth - 1, low, high, watch)
            if alpha < value < beta:
                watch.research(state, depth, move, alpha, beta)
                low, high = turned(turn, alpha, beta)
                value = turn * pvs(game, child, depth - 1, low, high, watch)
        first = False
        best = max(best, value)
        if value > alpha:
            alpha = value
            watch.update(state, depth, move, value, alpha, beta)
            if alpha >= beta:
                watch.cut(state, depth, move, alpha, beta)
                break
    watch.leave(state, depth, best)
    return best


def turned(turn: int, alpha: Number, beta: Number) -> tuple[Number, Number]:
    """Return the window for the player to move in the child: negated if that is the other player."""
    return (alpha, beta) if turn > 0 else (-beta, -alpha)
