"""A pile that only grows."""

from tests.take_away import Pile, Right

RULE = "endless"


class Endless(Right):
    def moves(self, state):
        yield 0

    def play(self, state, move):
        return Pile(state.left + 1, 1 - state.turn)
