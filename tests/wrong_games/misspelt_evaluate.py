"""An optional method with a typo in its name, so that nothing calls it."""

from typing import NamedTuple

import plywise as pw

RULE = "misspelt"


class Pile(NamedTuple):
    left: int
    turn: int


class MisspeltEvaluate(pw.Game):
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
        return self.scored(state)

    def scored(self, state):  # close to a name that plywise knows, but used
        return 1 if state.turn == pw.MIN else -1

    def evalute(self, state):
        return 0
