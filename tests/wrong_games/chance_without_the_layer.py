"""Chance moves in a game that does not inherit the layer."""

import plywise as pw
from tests.take_away import Right

RULE = "to-move"


class ChanceWithoutTheLayer(Right):
    def to_move(self, state):
        return pw.CHANCE if state.left == 3 else state.turn
