"""The key omits how many are left, which decides the value."""

from typing import NamedTuple

import plywise as pw

RULE = "key"


class Pile(NamedTuple):
    left: int
    turn: int


class CollidingKey(pw.Game):
    size: int = 5

    def initial(self):
        return Pile(self.size, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if state.left > 0:
            yield 1
            yield 2

    def play(self, state, move):
        return Pile(state.left - move, 1 - state.turn)

    def is_terminal(self, state):
        return state.left <= 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def key(self, state):
        return state.turn
