"""Expecti-max^n: max^n with chance nodes, whose scores are the average of their outcomes' for every player."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from plywise.algorithms.maxn import shares
from plywise.game import Game, Scores, State
from plywise.layers import CHANCE

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def expectimaxn(game: Game, state: State, depth: int, watch: Watcher) -> np.ndarray:
    """Return the expected scores of all players when each maximises its own; among equal moves, the first is played."""
    watch.enter(state, depth, -math.inf, math.inf)
    if depth == 0 or game.is_terminal(state):
        watch.leaf(state, depth, shares(game, state), game.is_terminal(state))
        return real(shares(game, state))
    player = game.to_move(state)
    best, secured = np.zeros(0), -math.inf
    for move in game.moves(state):
        scores = expectimaxn(game, game.play(state, move), depth - 1, watch)
        if player == CHANCE:
            share = game.probability(state, move) * scores
            best = best + share if len(best) > 0 else share
            watch.weigh(state, depth, move, scores, -math.inf, math.inf)
        elif scores[player] > secured:
            best, secured = scores, scores[player]
            watch.update(state, depth, move, best, secured, math.inf)
    watch.leave(state, depth, best)
    return best


def real(scores: Scores) -> np.ndarray:
    """Return scores as an array of real numbers, as averages are."""
    return np.asarray(scores) * 1.0
