"""Chomp, a cousin of Nim: bite off a piece with all that is below and right of it; the corner is poison."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item


class Bar(NamedTuple):
    rows: tuple  # how much is left of each row; no row is longer than the one above
    turn: int


class Chomp(pw.Game):
    """Chomp. The player who has to eat the piece in the upper left corner loses."""

    height: int = 4
    width: int = 5

    @cached_property
    def whole(self):
        return (self.width,) * self.height

    def initial(self):
        return Bar(self.whole, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for row in range(self.height):
            for column in range(state.rows[row]):
                yield row * self.width + column

    def play(self, state, move):
        rows = state.rows
        for row in range(move // self.width, self.height):
            rows = with_item(rows, row, min(rows[row], move % self.width))
        return Bar(rows, 1 - state.turn)

    def is_terminal(self, state):
        return state.rows[0] == 0

    def score(self, state):
        """The player who took the last piece has lost, so the player to move has won."""
        return 1 if state.turn == pw.MAX else -1

    def bounds(self, state):
        return -1, 1

    def format_move(self, state, move):
        return f"{move // self.width + 1},{move % self.width + 1}"

    def board(self, state):
        return "\n".join("#" * length for length in state.rows)
