"""The pile of the last move comes first in the image, but the key does not tell which it was."""

from typing import NamedTuple

import plywise as pw

RULE = "key-moves"


class Piles(NamedTuple):
    first: int
    second: int
    last: int
    turn: int


class KeyBeyondTheImage(pw.Symmetry, pw.Game):
    size: int = 3

    def initial(self):
        return Piles(self.size, self.size, 0, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if state.first > 0:
            yield 0
        if state.second > 0:
            yield 1

    def play(self, state, move):
        if move == 0:
            return Piles(state.first - 1, state.second, move, 1 - state.turn)
        return Piles(state.first, state.second - 1, move, 1 - state.turn)

    def is_terminal(self, state):
        return state.first + state.second == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def image(self, state):
        return Piles(state.second, state.first, 0, state.turn) if state.last == 1 else state

    def move_in_image(self, state, move):
        return 1 - move if state.last == 1 else move

    def move_from_image(self, state, move):
        return self.move_in_image(state, move)

    def key(self, state):
        return (min(state.first, state.second), max(state.first, state.second), state.turn)
