"""A position that recurs after two plies, although only one is reversible."""

from typing import NamedTuple

import plywise as pw

RULE = "reversible"


class Token(NamedTuple):
    place: int
    turn: int


class RecursTooSoon(pw.Recurrence, pw.Game):
    length: int = 5

    def initial(self):
        return Token(self.length // 2, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return range(0 if self.is_terminal(state) else 2)

    def play(self, state, move):
        return Token(state.place + 2 * move - 1, 1 - state.turn)

    def is_terminal(self, state):
        return state.place in (0, self.length - 1)

    def score(self, state):
        return 1 if state.place else -1

    def reversible(self, state):
        return 1
