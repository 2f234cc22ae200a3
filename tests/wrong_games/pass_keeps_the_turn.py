"""A pass after which the same player moves."""

import plywise as pw
from tests.take_away import Right

RULE = "pass-move"


class PassKeepsTheTurn(pw.Tactics, Right):
    def pass_move(self, state):
        return state._replace(left=state.left - 1)
