"""Gomoku: put a stone anywhere; the first player with enough in a row wins. A full board is a draw."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item


class Board(NamedTuple):
    cells: tuple  # 0 empty, 1 black, 2 white
    last: int  # where the last stone was put, or -1
    stones: int


class Gomoku(pw.View, pw.Game):
    """Gomoku for small boards: three in a row by default, five on a real board."""

    title = "Small Gomoku"
    pieces = (pw.Piece("x", "black", "black stone"), pw.Piece("o", "white", "white stone"))
    width: int = 3
    height: int = 4
    row: int = 3

    @cached_property
    def empty(self):
        return (0,) * (self.width * self.height)

    def initial(self):
        return Board(self.empty, -1, 0)

    def to_move(self, state):
        return state.stones % 2

    def moves(self, state):
        if not self.has_won(state):
            for cell in range(self.width * self.height):
                if state.cells[cell] == 0:
                    yield cell

    def play(self, state, move):
        return Board(with_item(state.cells, move, state.stones % 2 + 1), move, state.stones + 1)

    def is_terminal(self, state):
        return state.stones == self.width * self.height or self.has_won(state)

    def score(self, state):
        if not self.has_won(state):
            return 0
        return 1 if state.stones % 2 == 1 else -1

    def bounds(self, state):
        return -1, 1

    def has_won(self, state):
        """Whether the last stone made a row."""
        if state.last < 0:
            return False
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1 + self.reach(state, down, right) + self.reach(state, -down, -right)
            if length >= self.row:
                return True
        return False

    def reach(self, state, down, right):
        """How many stones of the same colour follow the last one in a direction."""
        colour = state.cells[state.last]
        row = state.last // self.width + down
        column = state.last % self.width + right
        length = 0
        while 0 <= row < self.height and 0 <= column < self.width and state.cells[row * self.width + column] == colour:
            length += 1
            row += down
            column += right
        return length

    def key(self, state):
        """Where the last stone was put matters only if it won, and the cells tell that."""
        return state.cells

    def order(self, state, move):
        """The middle first."""
        row = move // self.width
        column = move % self.width
        return -abs(2 * row - self.height + 1) - abs(2 * column - self.width + 1)

    def format_move(self, state, move):
        return f"{'abcdefghijklmnopqrs'[move % self.width]}{move // self.width + 1}"

    def player_name(self, player):
        return ("Black", "White")[player]

    @cached_property
    def layout(self):
        rows = [str(row + 1) for row in range(self.height)]
        return pw.Points(self.width, self.height, left=rows, bottom="abcdefghijklmnopqrs"[: self.width])

    def piece_at(self, state, place):
        return state.cells[place]

    def places(self, state, move):
        return -1, move

    def marked(self, state):
        return [state.last] if self.has_won(state) else []

    def ending(self, state):
        return f"{self.row} in a row" if self.has_won(state) else ""
