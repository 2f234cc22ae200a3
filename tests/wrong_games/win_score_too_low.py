"""A win is worth 2000, but the estimate comes so close that a search takes it for a distant win."""

import plywise as pw
from tests.take_away import Right

RULE = "win-score"


class WinScoreTooLow(pw.FastestWin, Right):
    win_score = 2000

    def score(self, state):
        return 2000 if state.turn == pw.MIN else -2000

    def evaluate(self, state):
        return 250 * state.left
