"""play returns a plain tuple."""

from tests.take_away import Right

RULE = "state-type"


class ChangingType(Right):
    def play(self, state, move):
        return (state.left - move, 1 - state.turn)
