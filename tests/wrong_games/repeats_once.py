"""The first occurrence of a position already counts as a repetition."""

import plywise as pw
from tests.take_away import Right

RULE = "repetitions"


class RepeatsOnce(pw.Recurrence, Right):
    repetitions = 1
