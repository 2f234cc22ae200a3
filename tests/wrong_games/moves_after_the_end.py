"""The game is over when one is left, but it could still be taken."""

from tests.take_away import Right

RULE = "moves-after-end"


class MovesAfterTheEnd(Right):
    def is_terminal(self, state):
        return state.left <= 1
