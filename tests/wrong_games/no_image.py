"""image returns nothing."""

import plywise as pw
from tests.take_away import Right

RULE = "state-type"


class NoImage(pw.Symmetry, Right):
    def image(self, state):
        return None

    def key(self, state):
        return state
