"""A position outgrows 64 bits."""

from typing import NamedTuple

import plywise as pw
from tests.take_away import Right

RULE = "overflow"


class Pile(NamedTuple):
    left: int
    turn: int
    history: int


class TooLarge(Right):
    def initial(self):
        return Pile(self.size, pw.MAX, 1)

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn, state.history << 20)
