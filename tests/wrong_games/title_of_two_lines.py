"""A title has one line."""

import plywise as pw
from tests.take_away import Right

RULE = "view-text"


class TitleOfTwoLines(pw.View, Right):
    pieces = (pw.Piece("x"),)
    title = "Two\nlines"
    layout = pw.Grid(5, 1)

    def piece_at(self, state, place):
        return 1 if place < state.left else 0
