"""Odds instead of a probability."""

import math

from tests.die import RightDie

RULE = "probability"


class InfiniteProbability(RightDie):
    def probability(self, state, move):
        return math.inf if move == 3 else 0.5
