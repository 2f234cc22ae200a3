"""An estimate that is not finite."""

from typing import NamedTuple

import plywise as pw

RULE = "estimates"


class Pile(NamedTuple):
    left: int
    turn: int


class InfiniteEstimate(pw.ManyPlayers, pw.Game):
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

    def scores(self, state):
        return (1, -1) if state.turn == pw.MIN else (-1, 1)

    def estimates(self, state):
        return (0, float("inf"))
