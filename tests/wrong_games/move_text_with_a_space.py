"""The text of a move is two words."""

from tests.take_away import Right

RULE = "move-text"


class MoveTextWithASpace(Right):
    def format_move(self, state, move):
        return f"take {move}"
