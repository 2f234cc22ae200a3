"""The pile of the last move comes first in the image, but the key does not tell which it was."""

from typing import NamedTuple

import plywise as pw
from tests.two_piles import TwoPiles

RULE = "key-moves"


class PilesAndLast(NamedTuple):
    first: int
    second: int
    last: int
    turn: int


class KeyBeyondTheImage(pw.Symmetry, TwoPiles):
    size: int = 3

    def initial(self):
        return PilesAndLast(self.size, self.size, 0, pw.MAX)

    def play(self, state, move):
        if move == 0:
            return PilesAndLast(state.first - 1, state.second, move, 1 - state.turn)
        return PilesAndLast(state.first, state.second - 1, move, 1 - state.turn)

    def image(self, state):
        return PilesAndLast(state.second, state.first, 0, state.turn) if state.last == 1 else state

    def move_in_image(self, state, move):
        return 1 - move if state.last == 1 else move

    def move_from_image(self, state, move):
        return self.move_in_image(state, move)

    def key(self, state):
        return (min(state.first, state.second), max(state.first, state.second), state.turn)
