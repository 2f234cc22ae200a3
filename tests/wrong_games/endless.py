"""A pile that only grows."""

from typing import NamedTuple

import plywise as pw

RULE = "endless"


class Pile(NamedTuple):
    left: int
    turn: int


class Endless(pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        yield 0

    def play(self, state, move):
        return Pile(state.left + 1, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1
