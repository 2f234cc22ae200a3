"""A repetition is worth more than any score."""

import plywise as pw
from tests.take_away import Right

RULE = "repetition"


class RepetitionBeyondBounds(pw.Recurrence, Right):
    def bounds(self, state):
        return (-1, 1)

    def reversible(self, state):
        return 2

    def repetition(self, state):
        return 2
