"""Paranoid search (Sturtevant and Korf 2000): alpha-beta for one player against a coalition of all the others.

If all others only want to harm the player to move, the game has two sides, and alpha-beta prunes as usual.  The player
is then sure of its score, whatever the others want; but it may miss moves that suit several players.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from plywise.algorithms.maxn import shares
from plywise.game import Game, Scores, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def paranoid(game: Game, state: State, depth: int, watch: Watcher) -> Scores:
    """Return the scores of all players if everyone plays against the player to move in ``state``.

    That player's score is the most that it can enforce.  The others' are those at the end of the same line.
    """
    return against_all(game, state, depth, game.to_move(state), -math.inf, math.inf, watch)


def against_all(game: Game, state: State, depth: int, player: int, alpha: float, beta: float, watch: Watcher) -> Scores:
    """Return the scores of a line; the share of ``player`` is a fail-soft alpha-beta value (see ``alphabeta``)."""
    watch.enter(state, depth, alpha, beta)
    if depth == 0 or game.is_terminal(state):
        scores = shares(game, state)
        watch.leaf(state, depth, scores, game.is_terminal(state))
        return scores
    mine = game.to_move(state) == player
    share = -math.inf if mine else math.inf
    for move in game.moves(state):
        scores = against_all(game, game.play(state, move), depth - 1, player, alpha, beta, watch)
        value = float(scores[player])
        if (value > share) if mine else (value < share):
            best, share = scores, value
            if (value > alpha) if mine else (value < beta):
                alpha, beta = (value, beta) if mine else (alpha, value)
                watch.update(state, depth, move, best, alpha, beta)
                if alpha >= beta:
                    watch.cut(state, depth, move, alpha, beta)
                    break
    watch.leave(state, depth, best)
    return best
