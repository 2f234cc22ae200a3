"""The score divides by zero."""

from tests.take_away import Right

RULE = "exception"


class Raises(Right):
    def score(self, state):
        return 1 // state.left
