"""A move is a text instead of an integer."""

from typing import NamedTuple

import plywise as pw

RULE = "move-type"


class Pile(NamedTuple):
    left: int
    turn: int


class MovesAreTexts(pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return [str(count) for count in range(1, min(3, state.left) + 1)]

    def play(self, state, move):
        return Pile(state.left - int(move), 1 - state.turn)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1
