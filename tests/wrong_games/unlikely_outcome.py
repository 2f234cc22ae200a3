"""An outcome that cannot happen."""

from tests.die import RightDie

RULE = "probability"


class UnlikelyOutcome(RightDie):
    def probability(self, state, move):
        return (0.5, 0.5, 0)[move - 1]
