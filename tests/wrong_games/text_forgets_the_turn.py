"""The text of a position does not say whose turn it is."""

import plywise as pw
from tests.take_away import Pile, Right

RULE = "text"


class TextForgetsTheTurn(Right):
    def format(self, state):
        return str(state.left)

    def parse(self, text):
        if not text.isdecimal():
            raise pw.PositionError(f"{text!r} is not a number")
        return Pile(int(text), pw.MAX)
