"""Best-reply search (Schadd and Winands 2011): of all opponents, only the one with the strongest reply makes it.

So the player to move looks ahead to its own next turns at the cost of one reply between them, however many opponents
there are.  In the original the other opponents pass, which most rules forbid.  Here they play their first move instead,
so that every position is legal (BRS+; Esser, Gras, Winands, Schadd and Lanctot 2013).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from plywise.algorithms.maxn import shares
from plywise.game import Game, Scores, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def best_reply(game: Game, state: State, depth: int, watch: Watcher) -> Scores:
    """Return the scores of all players at the end of the line, for the player to move in ``state``."""
    return against_one(game, state, depth, game.to_move(state), False, -math.inf, math.inf, watch)


def against_one(
    game: Game, state: State, depth: int, player: int, replied: bool, alpha: float, beta: float, watch: Watcher
) -> Scores:
    """Return the scores of a line; the share of ``player`` is a fail-soft alpha-beta value (see ``alphabeta``).

    ``replied`` says whether an opponent has chosen its reply since the last turn of ``player``.
    """
    watch.enter(state, depth, alpha, beta)
    if depth == 0 or game.is_terminal(state):
        scores = shares(game, state)
        watch.leaf(state, depth, scores, game.is_terminal(state))
        return scores
    mine = game.to_move(state) == player
    share = -math.inf if mine else math.inf
    first = True
    for move in game.moves(state):
        if replied and not mine and not first:
            break  # another opponent makes the reply
        now_replied = not mine and (replied or not first)
        scores = against_one(game, game.play(state, move), depth - 1, player, now_replied, alpha, beta, watch)
        first = False
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
