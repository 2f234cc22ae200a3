"""A field is an integer at first and a float later."""

from typing import NamedTuple

import plywise as pw

RULE = "field-type"


class Pile(NamedTuple):
    left: int
    turn: int


class ChangingField(pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return range(1, min(3, int(state.left)) + 1)

    def play(self, state, move):
        return Pile((state.left - move) * 1.0, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def parse(self, text):
        try:
            left, turn = map(float, text.split())
        except ValueError:
            raise pw.PositionError(text) from None
        return Pile(left, int(turn))
