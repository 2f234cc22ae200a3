"""Every position is extended, so a search would never end."""

from typing import NamedTuple

import plywise as pw

RULE = "extension"


class Pile(NamedTuple):
    left: int
    turn: int


class ExtendsEverything(pw.Tactics, pw.Game):
    size: int = 60

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

    def extension(self, state):
        return 1

    def noisy_moves(self, state):
        for move in self.moves(state):
            yield move
