"""A repetition that is worth no number."""

import plywise as pw
from tests.take_away import Right

RULE = "repetition"


class RepetitionWithoutWorth(pw.Recurrence, Right):
    def repetition(self, state):
        return float("nan")
