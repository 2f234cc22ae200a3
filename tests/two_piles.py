"""Two piles of counters, for tests of symmetry: exchanging the piles changes nothing but the names of the moves."""

from __future__ import annotations

from typing import NamedTuple

import plywise as pw


class Piles(NamedTuple):
    first: int
    second: int
    turn: int


class TwoPiles(pw.Game):
    """Take one from either pile; the player who takes the last one wins."""

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
            return state._replace(first=state.first - 1, turn=1 - state.turn)
        return state._replace(second=state.second - 1, turn=1 - state.turn)

    def is_terminal(self, state):
        return state.first + state.second == 0

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1
