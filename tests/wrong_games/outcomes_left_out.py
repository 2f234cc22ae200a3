"""Three faces of a die with six."""

from tests.die import RightDie

RULE = "probability-sum"


class OutcomesLeftOut(RightDie):
    def probability(self, state, move):
        return 1 / 6
