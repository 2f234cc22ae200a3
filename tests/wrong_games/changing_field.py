"""A field is an integer at first and a float later."""

import plywise as pw
from tests.take_away import Pile, Right

RULE = "field-type"


class ChangingField(Right):
    def moves(self, state):
        return range(1, min(3, int(state.left)) + 1)

    def play(self, state, move):
        return Pile((state.left - move) * 1.0, 1 - state.turn)

    def parse(self, text):
        try:
            left, turn = map(float, text.split())
        except ValueError:
            raise pw.PositionError(text) from None
        return Pile(left, int(turn))
