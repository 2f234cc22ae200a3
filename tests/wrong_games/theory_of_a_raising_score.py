"""The score divides by zero, in a game with theory."""

from typing import NamedTuple

import plywise as pw

RULE = "exception"


class Pile(NamedTuple):
    left: int
    turn: int


class TheoryOfARaisingScore(pw.Theory, pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return range(1, min(3, state.left) + 1)

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 // state.left

    def candidates(self, state):
        yield from self.moves(state)
