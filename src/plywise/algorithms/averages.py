"""The arithmetic of chance nodes: what is known of an average while some of its terms are not.

An average is the sum of ``probability * value``.  With some outcomes still to come, it lies between the sum so far plus
the lowest, and plus the highest, that the rest can add.  Sums of floats are rounded, so both ends move outwards by a
little: a bound is then on the safe side of the sum that plain expectiminimax computes, and no cutoff depends on a
rounding error.
"""

from __future__ import annotations

import math

from plywise.algorithms.common import limits
from plywise.compiling.native import inlined
from plywise.game import Game, Number, State

ROUNDING = 1e-12
"""The largest error of an average relative to the largest score, generously: a sum of n terms errs by n * 1e-16."""


@inlined
def certainty(game: Game, state: State) -> float:
    """Return the sum of the probabilities of all outcomes: one, as near as floats come."""
    total = 0.0
    for move in game.moves(state):
        total += game.probability(state, move)
    return total


@inlined
def extremes(game: Game, state: State) -> tuple[Number, Number]:
    """Return the lowest and the highest value that a search can give a position.

    Zero is among them, whatever the scores: a game without ``evaluate`` has it as the estimate of every position.
    """
    low, high = limits(game, game.bounds(state))
    return min(low, 0), max(high, 0)


@inlined
def slack(low: Number, high: Number) -> float:
    """Return how much an average of values between ``low`` and ``high`` may err; infinite if one of them is."""
    return ROUNDING * max(abs(low), abs(high))


@inlined
def part(probability: float, value: Number) -> float:
    """Return what outcomes of this probability and this value add to an average: nothing, if they cannot happen."""
    return probability * value if probability > 0 else 0.0


@inlined
def needed(bound: Number, total: float, rest: float, margin: float, probability: float) -> float:
    """Return the value of an outcome that brings an average to ``bound`` plus a margin, if the others add this much."""
    return (bound - total - rest + margin) / probability


@inlined
def between(low: Number, value: Number, high: Number) -> float:
    """Return the number nearest to ``value`` from ``low`` to ``high``."""
    return float(min(max(low, value), high))


def is_bounded(margin: float) -> bool:
    """Return whether scores have known bounds, so that chance nodes can be cut off at all."""
    return margin < math.inf
