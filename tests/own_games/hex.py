"""Hex: Max joins the top to the bottom, Min the left to the right. One of them always does."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item

EMPTY = 0
RED = 1  # Max
BLUE = 2  # Min


class Board(NamedTuple):
    cells: tuple
    turn: int


class Hex(pw.Symmetry, pw.Game):
    """Hex on a small rhombus: a cell touches those beside it, above it and below it, and two on the diagonal."""

    size: int = 3

    @cached_property
    def empty(self):
        return (EMPTY,) * (self.size * self.size)

    def initial(self):
        return Board(self.empty, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if not self.is_terminal(state):
            for cell in range(self.size * self.size):
                if state.cells[cell] == EMPTY:
                    yield cell

    def play(self, state, move):
        return Board(with_item(state.cells, move, state.turn + 1), 1 - state.turn)

    def is_terminal(self, state):
        return joined(state.cells, self.size, 1 - state.turn)

    def score(self, state):
        return 1 if state.turn == pw.MIN else -1

    def bounds(self, state):
        return -1, 1

    def image(self, state):
        """A board turned upside down is worth the same."""
        return Board(state.cells[::-1], state.turn) if self.is_turned(state) else state

    def move_in_image(self, state, move):
        return self.size * self.size - 1 - move if self.is_turned(state) else move

    def move_from_image(self, state, move):
        return self.move_in_image(state, move)

    def is_turned(self, state):
        return state.cells[::-1] < state.cells

    def key(self, state):
        """One number instead of a position."""
        number = state.turn
        for cell in self.image(state).cells:
            number = 3 * number + cell
        return number

    def format_move(self, state, move):
        return "abcdefghij"[move % self.size] + str(move // self.size + 1)

    def board(self, state):
        lines = []
        for row in range(self.size):
            cells = state.cells[row * self.size : (row + 1) * self.size]
            lines.append(" " * row + " ".join(".XO"[cell] for cell in cells))
        return "\n".join(lines)

    def player_name(self, player):
        return ("Red", "Blue")[player]


def joined(cells, size, player):
    """Whether a player's two sides are joined: mark what the first side reaches until nothing is added."""
    reached = 0
    for place in range(size):
        start = place if player == pw.MAX else place * size
        if cells[start] == player + 1:
            reached |= 1 << start
    before = 0
    while reached != before:
        before = reached
        for cell in range(size * size):
            if cells[cell] == player + 1 and reached & around(cell, size):
                reached |= 1 << cell
    for place in range(size):
        end = (size - 1) * size + place if player == pw.MAX else place * size + size - 1
        if reached >> end & 1:
            return True
    return False


def around(cell, size):
    """The cells that touch this one, as bits."""
    row, column = cell // size, cell % size
    found = 0
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
        if 0 <= row + down < size and 0 <= column + right < size:
            found |= 1 << ((row + down) * size + column + right)
    return found
