"""A player scores less than sum_bounds allows."""

import plywise as pw
from tests.take_away import Right

RULE = "sum-bounds"


class BrokenSumBounds(pw.ManyPlayers, Right):
    sum_bounds = (0, 1)

    def scores(self, state):
        return (1, -1) if state.turn == pw.MIN else (-1, 1)
