"""Three players take turns, but score is for two."""

from tests.take_away import Pile, Right

RULE = "to-move"


class ThirdPlayer(Right):
    def play(self, state, move):
        return Pile(state.left - move, (state.turn + 1) % 3)
