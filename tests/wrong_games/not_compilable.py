"""A number is parsed from a text, which Numba cannot compile."""

from tests.take_away import Right

RULE = "compile"


class NotCompilable(Right):
    def is_terminal(self, state):
        return int(str(state.left)) == 0
