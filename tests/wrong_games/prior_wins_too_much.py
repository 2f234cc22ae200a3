"""A prior wins more playouts than there are."""

import plywise as pw
from tests.take_away import Right

RULE = "prior"


class PriorWinsTooMuch(pw.Playouts, Right):
    def prior(self, state, move):
        return (3, 2)
