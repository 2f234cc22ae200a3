"""Taking two and taking three have the same text."""

from tests.take_away import Right

RULE = "move-text"


class MovesWithOneText(Right):
    def format_move(self, state, move):
        return "one" if move == 1 else "many"
