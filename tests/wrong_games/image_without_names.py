"""A mirror image whose moves are not translated."""

import plywise as pw
from tests.two_piles import Piles, TwoPiles

RULE = "image"


class ImageWithoutNames(pw.Symmetry, TwoPiles):
    def image(self, state):
        return Piles(min(state.first, state.second), max(state.first, state.second), state.turn)
