"""The key omits how many are left, which decides the value."""

from tests.take_away import Right

RULE = "key"


class CollidingKey(Right):
    def moves(self, state):
        if state.left > 0:
            yield 1
            yield 2

    def is_terminal(self, state):
        return state.left <= 0

    def key(self, state):
        return state.turn
