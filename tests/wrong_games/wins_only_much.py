"""A move that wins much but not less."""

import plywise as pw
from tests.take_away import Right

RULE = "wins-at-least"


class WinsOnlyMuch(pw.Tactics, Right):
    def wins_at_least(self, state, move, amount):
        return amount > 0
