"""There is one piece, but piece_at names a second."""

import plywise as pw
from tests.take_away import Right

RULE = "piece-at"


class UnknownPiece(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def piece_at(self, state, place):
        return 2 if place == 0 else 0
