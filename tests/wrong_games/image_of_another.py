"""A mirror image with another value."""

from typing import NamedTuple

import plywise as pw

RULE = "image"


class Pile(NamedTuple):
    left: int
    turn: int


class ImageOfAnother(pw.Symmetry, pw.Game):
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
        return 1 if state.turn == pw.MIN else -1

    def image(self, state):
        return Pile(state.left // 2 * 2, state.turn)

    def key(self, state):
        return state
