"""Half a point is banked, which is not a whole number."""

import plywise as pw
from tests.take_away import Right

RULE = "banked"


class HalfAPointBanked(pw.Banked, Right):
    def banked(self, state):
        return 0.5
