"""Moves are translated to the image, but not back."""

import plywise as pw
from tests.two_piles import Piles, TwoPiles

RULE = "image"


class NoWayBack(pw.Symmetry, TwoPiles):
    def image(self, state):
        return Piles(min(state.first, state.second), max(state.first, state.second), state.turn)

    def move_in_image(self, state, move):
        return 1 - move if state.first > state.second else move
