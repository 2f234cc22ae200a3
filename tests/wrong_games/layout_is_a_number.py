"""The layout is a number of columns instead of a Grid, Points or Pits."""

import plywise as pw
from tests.take_away import Right

RULE = "layout"


class LayoutIsANumber(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = 5

    def piece_at(self, state, place):
        return 1 if place < state.left else 0
