"""A position can be compared but not hashed."""

import plywise as pw
from tests.take_away import Right

RULE = "state-hash"


class Pile:
    def __init__(self, left, turn):
        self.left, self.turn = left, turn

    def __eq__(self, other):
        return (self.left, self.turn) == (other.left, other.turn)


class UnhashableState(Right):
    def initial(self):
        return Pile(self.size, pw.MAX)

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)
