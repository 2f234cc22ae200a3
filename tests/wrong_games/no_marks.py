"""marked returns nothing."""

import plywise as pw
from tests.take_away import Right

RULE = "view-raises"


class NoMarks(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def marked(self, state):
        return None
