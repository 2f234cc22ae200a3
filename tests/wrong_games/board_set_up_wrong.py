"""set_up forgets the pieces."""

import plywise as pw
from tests.take_away import Right

RULE = "set-up"


class BoardSetUpWrong(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def piece_at(self, state, place):
        return 1 if place < state.left else 0

    def set_up(self, cells, player):
        return self.initial()._replace(left=0, turn=player)
