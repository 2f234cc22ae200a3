"""A win is worth more than any number."""

import math

import plywise as pw
from tests.take_away import Right

RULE = "score"


class InfiniteScore(Right):
    def score(self, state):
        return math.inf if state.turn == pw.MIN else -math.inf
