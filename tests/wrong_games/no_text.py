"""A position that is a bare number needs its own text forms."""

import plywise as pw

RULE = "no-text"


class NoText(pw.Game):
    size: int = 5

    def initial(self):
        return 2 * self.size

    def to_move(self, state):
        return state % 2

    def moves(self, state):
        return range(1, min(3, state // 2) + 1)

    def play(self, state, move):
        return state - 2 * move + 1 - 2 * (state % 2)

    def is_terminal(self, state):
        return state < 2

    def score(self, state):
        return 1 if state % 2 == pw.MIN else -1
