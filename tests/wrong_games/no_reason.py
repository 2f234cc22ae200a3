"""Why a piece may not move is told as nothing at all."""

import plywise as pw
from tests.take_away import Right

RULE = "view-text"


class NoReason(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def why_not(self, state, place):
        return None
