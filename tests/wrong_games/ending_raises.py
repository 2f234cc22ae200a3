"""The ending raises an exception for one of the winners."""

import plywise as pw
from tests.take_away import Right

RULE = "view-raises"


class EndingRaises(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def piece_at(self, state, place):
        return 1 if place < state.left else 0

    def ending(self, state):
        return ("skill",)[state.turn]
