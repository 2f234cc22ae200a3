"""A die shows a seven."""

import plywise as pw
from tests.die import RightDie

RULE = "dice-shown"


class SevenOnADie(pw.View, RightDie):
    def dice_shown(self, state, move):
        return (7,)
