"""The score divides by zero, in a game with images."""

import plywise as pw
from tests.take_away import Right

RULE = "exception"


class ImageOfARaisingScore(pw.Symmetry, Right):
    def score(self, state):
        return 1 // state.left

    def image(self, state):
        return state
