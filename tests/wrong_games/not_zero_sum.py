"""score says that one player's gain is the other's loss; scores says something else."""

import plywise as pw
from tests.take_away import Right

RULE = "zero-sum"


class NotZeroSum(pw.ManyPlayers, Right):
    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def scores(self, state):
        return (1, 0) if state.turn == pw.MIN else (-1, 1)
