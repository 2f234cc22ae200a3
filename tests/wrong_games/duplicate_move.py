"""Taking the last one is offered twice."""

from tests.take_away import Right

RULE = "duplicate-move"


class DuplicateMove(Right):
    def moves(self, state):
        if state.left > 0:
            yield 1
            yield min(2, state.left)
