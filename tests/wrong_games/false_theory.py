"""Proven bounds that are false."""

import plywise as pw
from tests.take_away import Right

RULE = "proven-bounds"


class FalseTheory(pw.Theory, Right):
    def proven_bounds(self, state):
        return (1, 1)
