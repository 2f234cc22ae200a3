"""counted returns no game."""

import plywise as pw
from tests.take_away import Right

RULE = "counted"


class CountsNothing(pw.Counting, Right):
    def counted(self):
        return None
