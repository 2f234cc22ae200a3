"""pass_move returns nothing."""

import plywise as pw
from tests.take_away import Right

RULE = "state-type"


class NoPass(pw.Tactics, Right):
    def pass_move(self, state):
        return None
