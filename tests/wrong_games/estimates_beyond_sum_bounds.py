"""The estimates add up to more than sum_bounds allows."""

import plywise as pw
from tests.take_away import Right

RULE = "sum-bounds"


class EstimatesBeyondSumBounds(pw.ManyPlayers, Right):
    sum_bounds = (-1, 0)

    def scores(self, state):
        return (1, -1) if state.turn == pw.MIN else (-1, 1)

    def estimates(self, state):
        return (1, 1)
