"""A key that says who wins is enough for the value, but not for the moves."""

from tests.take_away import Right

RULE = "key-moves"


class UnequalMoves(Right):
    def key(self, state):
        return (state.left % 4, state.turn)
