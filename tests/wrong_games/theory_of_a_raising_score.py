"""The score divides by zero, in a game with theory."""

import plywise as pw
from tests.take_away import Right

RULE = "exception"


class TheoryOfARaisingScore(pw.Theory, Right):
    def score(self, state):
        return 1 // state.left

    def candidates(self, state):
        yield from self.moves(state)
