"""Chance is to move when the game is over."""

import plywise as pw
from tests.die import RightDie

RULE = "chance-at-end"


class RollsAfterTheEnd(RightDie):
    def to_move(self, state):
        return pw.CHANCE if state.rolling >= 0 else state.turn
