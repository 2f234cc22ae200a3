"""The key merges mirror images, whose moves are not called the same."""

from typing import NamedTuple

import plywise as pw

RULE = "key-moves"


class Piles(NamedTuple):
    first: int
    second: int
    turn: int


class KeyWithoutNames(pw.Game):
    size: int = 2

    def initial(self):
        return Piles(self.size, self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if state.first > 0:
            yield 0
        if state.second > 0:
            yield 1

    def play(self, state, move):
        if move == 0:
            return Piles(state.first - 1, state.second, 1 - state.turn)
        return Piles(state.first, state.second - 1, 1 - state.turn)

    def is_terminal(self, state):
        return state.first + state.second == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def key(self, state):
        return (min(state.first, state.second), max(state.first, state.second), state.turn)
