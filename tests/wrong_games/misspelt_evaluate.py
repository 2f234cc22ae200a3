"""An optional method with a typo in its name, so that nothing calls it."""

import plywise as pw
from tests.take_away import Right

RULE = "misspelt"


class MisspeltEvaluate(Right):
    def score(self, state):
        return self.scored(state)

    def scored(self, state):  # close to a name that plywise knows, but used
        return 1 if state.turn == pw.MIN else -1

    def evalute(self, state):
        return 0
