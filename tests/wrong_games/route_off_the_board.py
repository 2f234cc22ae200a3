"""A move passes a place off the board."""

import plywise as pw
from tests.take_away import Right

RULE = "places"


class RouteOffTheBoard(pw.View, Right):
    pieces = (pw.Piece("x"),)
    layout = pw.Grid(5, 1)

    def routes(self, state, move):
        return [[0, 5]]
