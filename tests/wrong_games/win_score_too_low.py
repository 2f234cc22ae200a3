"""A win is worth 2000, but the estimate comes so close that a search takes it for a distant win."""

from typing import NamedTuple

import plywise as pw

RULE = "win-score"


class Pile(NamedTuple):
    left: int
    turn: int


class WinScoreTooLow(pw.FastestWin, pw.Game):
    size: int = 5
    win_score = 2000

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
        return 2000 if state.turn == pw.MIN else -2000

    def evaluate(self, state):
        return 250 * state.left
