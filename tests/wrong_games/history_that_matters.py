"""What is dropped as history decides which moves there are."""

import plywise as pw
from tests.take_away import Pile, Right

RULE = "without_history"


class HistoryThatMatters(pw.Recurrence, Right):
    def without_history(self, state):
        return Pile(min(state.left, 2), state.turn)
