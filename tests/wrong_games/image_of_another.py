"""A mirror image with another value."""

import plywise as pw
from tests.take_away import Pile, Right

RULE = "image"


class ImageOfAnother(pw.Symmetry, Right):
    def image(self, state):
        return Pile(state.left // 2 * 2, state.turn)

    def key(self, state):
        return state
