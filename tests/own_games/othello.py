"""Othello: enclose the other's discs to turn them; a player who cannot move passes; the game ends when neither can."""

from functools import cached_property
from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Discs(NamedTuple):
    cells: tuple  # 0 empty, 1 Max's (black), 2 Min's (white)
    turn: int


class Othello(pw.View, pw.Game):
    """Othello on a small board. A player with no move is skipped, so the other moves twice."""

    pieces = (pw.Piece("●", "black", "black disc"), pw.Piece("○", "white", "white disc"))
    width: int = 4
    height: int = 4

    @cached_property
    def start(self):
        cells = [0] * (self.width * self.height)
        middle = (self.height // 2 - 1) * self.width + self.width // 2 - 1
        cells[middle], cells[middle + 1] = 2, 1
        cells[middle + self.width], cells[middle + self.width + 1] = 1, 2
        return tuple(cells)

    def initial(self):
        return Discs(self.start, pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for cell in range(self.width * self.height):
            if self.turns_any(state.cells, cell, state.turn):
                yield cell

    def play(self, state, move):
        mine = state.turn + 1
        cells = with_item(state.cells, move, mine)
        for down, right in DIRECTIONS:
            for step in range(1, self.enclosed(state.cells, move, state.turn, down, right) + 1):
                cells = with_item(cells, move + step * (down * self.width + right), mine)
        if self.can_move(cells, 1 - state.turn):
            return Discs(cells, 1 - state.turn)
        return Discs(cells, state.turn)

    def is_terminal(self, state):
        return not self.can_move(state.cells, state.turn) and not self.can_move(state.cells, 1 - state.turn)

    def score(self, state):
        return self.discs(state.cells, pw.MAX) - self.discs(state.cells, pw.MIN)

    def evaluate(self, state):
        return self.discs(state.cells, pw.MAX) - self.discs(state.cells, pw.MIN)

    def discs(self, cells, player):
        count = 0
        for cell in cells:
            if cell == player + 1:
                count += 1
        return count

    def can_move(self, cells, player):
        for cell in range(self.width * self.height):
            if self.turns_any(cells, cell, player):
                return True
        return False

    def turns_any(self, cells, cell, player):
        if cells[cell] != 0:
            return False
        for down, right in DIRECTIONS:
            if self.enclosed(cells, cell, player, down, right) > 0:
                return True
        return False

    def enclosed(self, cells, cell, player, down, right):
        """How many discs of the other's stand between this cell and the next one of the player's own."""
        row = cell // self.width + down
        column = cell % self.width + right
        count = 0
        while 0 <= row < self.height and 0 <= column < self.width:
            disc = cells[row * self.width + column]
            if disc == 0:
                return 0
            if disc == player + 1:
                return count
            count += 1
            row += down
            column += right
        return 0

    def format_move(self, state, move):
        return chr(ord("a") + move % self.width) + str(move // self.width + 1)

    @cached_property
    def layout(self):
        return pw.Grid(self.width, self.height, left="12345678"[: self.height], bottom="abcdefgh"[: self.width])

    def piece_at(self, state, place):
        return state.cells[place]

    def places(self, state, move):
        return -1, move

    def score_text(self, score):
        return "equal" if score == 0 else f"{self.player_name(0 if score > 0 else 1)} by {abs(score)} discs"

    def ending(self, state):
        return f"{abs(self.score(state))} discs" if self.score(state) else ""

    def player_name(self, player):
        return "Black" if player == pw.MAX else "White"
