"""The estimate counts what is left, but no score exceeds one."""

from tests.take_away import Right

RULE = "evaluate"


class EvaluateOutOfBounds(Right):
    def evaluate(self, state):
        return state.left

    def bounds(self, state):
        return (-1, 1)
