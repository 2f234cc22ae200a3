"""Invalid text for a position raises Python's error instead of a readable one."""

from tests.take_away import Pile, Right

RULE = "text-error"


class RawErrors(Right):
    def parse(self, text):
        left, turn = map(int, text.split())
        return Pile(left, turn)
