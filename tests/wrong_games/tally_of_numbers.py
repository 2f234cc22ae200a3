"""The tally is a number."""

import plywise as pw
from tests.take_away import Right

RULE = "view-text"


class TallyOfNumbers(pw.View, Right):
    def tally(self, state):
        return state.left
