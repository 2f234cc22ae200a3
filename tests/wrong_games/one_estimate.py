"""An estimate for one player only."""

import plywise as pw
from tests.take_away import Right

RULE = "estimates"


class OneEstimate(pw.ManyPlayers, Right):
    def scores(self, state):
        return (1, -1) if state.turn == pw.MIN else (-1, 1)

    def estimates(self, state):
        return (0,)
