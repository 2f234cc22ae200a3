"""Taking the last one is offered twice."""

from typing import NamedTuple

import plywise as pw

RULE = "duplicate-move"


class Pile(NamedTuple):
    left: int
    turn: int


class DuplicateMove(pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if state.left > 0:
            yield 1
            yield min(2, state.left)

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1
