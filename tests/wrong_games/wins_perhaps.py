"""wins_at_least returns nothing instead of False."""

import plywise as pw
from tests.take_away import Right

RULE = "wins-at-least"


class WinsPerhaps(pw.Tactics, Right):
    def wins_at_least(self, state, move, amount):
        return True if amount <= 0 else None
