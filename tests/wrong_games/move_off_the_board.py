"""A move leads to a place off the board."""

import plywise as pw
from tests.take_away import Right

RULE = "places"


class MoveOffTheBoard(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def piece_at(self, state, place):
        return 1 if place < state.left else 0

    def places(self, state, move):
        return state.left, state.left - move
