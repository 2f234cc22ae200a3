"""A position holds a list, which can change."""

from typing import NamedTuple

import plywise as pw
from tests.take_away import Right

RULE = "state-immutable"


class Pile(NamedTuple):
    left: int
    turn: int
    taken: list[int]


class MutableState(Right):
    def initial(self):
        return Pile(self.size, pw.MAX, [])

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn, [*state.taken, move])
