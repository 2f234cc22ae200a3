"""With one left the game is not over, but nothing can be taken."""

from tests.take_away import Right

RULE = "no-moves"


class NoMoves(Right):
    def moves(self, state):
        return range(2, min(3, state.left) + 1)
