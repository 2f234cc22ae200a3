"""Max^n (Luckhardt and Irani 1986): several players, each maximising its own share of a tuple of scores.

Shallow pruning (Korf 1991) needs the lowest score of any player and the highest sum of all scores: what a player has
secured is not left for the player who moved before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from plywise.game import Game, Scores, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def maxn(game: Game, state: State, depth: int, watch: Watcher) -> Scores:
    """Return the scores of all players when each maximises its own; among equal moves, the first is played.

    The scores equal those of max^n without pruning.  Moves are pruned where ``game.sum_bounds`` allows it.
    """
    least, most = float(game.sum_bounds[0]), float(game.sum_bounds[1])
    return shallow(game, state, depth, math.inf, least, most, watch)


def shallow(game: Game, state: State, depth: int, enough: float, least: float, most: float, watch: Watcher) -> Scores:
    """Return the scores; stop if the player to move gets ``enough``: the player before will avoid this position."""
    watch.enter(state, depth, -math.inf, enough)
    if depth == 0 or game.is_terminal(state):
        scores = shares(game, state)
        watch.leaf(state, depth, scores, game.is_terminal(state))
        return scores
    player = game.to_move(state)
    secured, for_others = -math.inf, 0.0
    for move in game.moves(state):
        child = game.play(state, move)
        child_enough = most - for_others - secured if game.to_move(child) != player else math.inf
        scores = shallow(game, child, depth - 1, child_enough, least, most, watch)
        if len(scores) > 2:
            for_others = (len(scores) - 2) * least
        if scores[player] > secured:
            best, secured = scores, float(scores[player])
            watch.update(state, depth, move, best, secured, enough)
            if secured >= enough:
                watch.cut(state, depth, move, secured, enough)
                break
    watch.leave(state, depth, best)
    return best


def shares(game: Game, state: State) -> Scores:
    """Return the scores of a finished game, else the estimates."""
    if game.is_terminal(state):
        return game.scores(state)
    return game.estimates(state)
