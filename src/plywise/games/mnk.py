"""The m,n,k-games: k in a row on a board of m columns and n rows.  Tic-tac-toe is the 3,3,3-game.

A board is an integer with one bit per cell, row by row from the top left.  On the 3 by 3 board the bits are

    0 1 2
    3 4 5
    6 7 8
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from plywise.bits import lowest
from plywise.errors import GameError, PositionError
from plywise.game import Game, sign
from plywise.layers import Grid, Piece, View


class Marks(NamedTuple):
    mine: int
    """The marks of the player to move."""
    theirs: int
    turn: int


class MNK(View, Game):
    """Put a mark on a free cell; k marks in a row win.  X moves first and is Max.

    A win scores 1 for X and -1 for O, a full board 0.  A move is a cell, counted row by row from 0; its text is a
    letter for the column and a number for the row, from the bottom.  The text of a position is its rows, from the top.

    >>> game = MNK(4, 3, 3)
    >>> state = game.parse("X.../.O../....")
    >>> print(game.board(game.play(state, game.parse_move(state, "d1"))))
    3 X . . .
    2 . O . .
    1 . . . X
      a b c d
    """

    title = "m, n, k"
    description = "k in a row on a board of m columns and n rows."
    known_size = (5_478, "9!")
    estimated_size = "at most 3^9, about 20,000"
    mark_name = "in a row"
    pieces = (Piece("X"), Piece("O"))
    m: int = 3
    n: int = 3
    k: int = 3

    def __post_init__(self) -> None:
        if not (type(self.m) is type(self.n) is type(self.k) is int):
            raise GameError(f"{self!r} is not possible: m, n and k must be whole numbers")
        if min(self.m, self.n) < 1 or self.m * self.n > 63 or not 1 <= self.k <= max(self.m, self.n):
            raise GameError(f"{self!r} is not possible: m and n must be at least 1, m * n at most 63, "
                            f"and k from 1 to the larger of m and n")  # fmt: skip

    def initial(self) -> Marks:
        return Marks(0, 0, 0)

    def to_move(self, state: Marks) -> int:
        return state.turn

    def moves(self, state: Marks) -> Iterator[int]:
        free = 0 if self.is_terminal(state) else self.full ^ state.mine ^ state.theirs
        while free:
            yield lowest(free)
            free &= free - 1

    def play(self, state: Marks, move: int) -> Marks:
        return Marks(state.theirs, state.mine | 1 << move, 1 - state.turn)

    def is_terminal(self, state: Marks) -> bool:
        return state.mine | state.theirs == self.full or self.has_line(state.theirs)

    def score(self, state: Marks) -> int:
        return -sign(state.turn) if self.has_line(state.theirs) else 0

    def bounds(self, state: Marks) -> tuple[int, int]:
        return (-1, 1)

    @cached_property
    def full(self) -> int:
        """The board with a mark on every cell."""
        return (1 << self.m * self.n) - 1

    @cached_property
    def directions(self) -> tuple[tuple[int, int], ...]:
        """For each direction, the step from one cell to the next, and the cells where a line of k can start."""
        steps = [(1, 0), (0, 1), (1, 1), (-1, 1)]
        directions = [(down * self.m + right, self._starts(right, down)) for right, down in steps]
        return tuple((step, starts) for step, starts in directions if starts)

    def _starts(self, right: int, down: int) -> int:
        columns = range(max(0, -right) * (self.k - 1), self.m - max(0, right) * (self.k - 1))
        rows = range(self.n - down * (self.k - 1))
        return sum(1 << row * self.m + column for row in rows for column in columns)

    def has_line(self, marks: int) -> bool:
        """Return whether k of the marks are in a row."""
        for step, starts in self.directions:
            for i in range(self.k):
                starts &= marks >> i * step  # keeps the starts of lines whose first i + 1 cells are marked
            if starts:
                return True
        return False

    # Text -----------------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Marks:
        rows = text.strip().upper().split("/")
        if [len(row) for row in rows] != [self.m] * self.n or set("".join(rows)) - set("XO."):
            empty = self.format(self.initial())
            raise PositionError(f"{text!r} is not a position: it needs {self.n} rows of {self.m} cells, each X, O or a "
                                f"point, separated by slashes, such as {empty!r}")  # fmt: skip
        crosses, noughts = (sum(1 << i for i, c in enumerate("".join(rows)) if c == mark) for mark in "XO")
        try:
            return self._marks(crosses, noughts)
        except PositionError as wrong:
            raise PositionError(f"{text!r} is not a position: {wrong}") from None

    def _marks(self, crosses: int, noughts: int) -> Marks:
        """Return the position with these marks; it follows from them who is to move.

        Raises:
            PositionError: no game leads to them.
        """
        turn = crosses.bit_count() - noughts.bit_count()
        if turn not in (0, 1):
            raise PositionError("X moves first, so there must be as many X as O, or one more")
        mine, theirs = (noughts, crosses) if turn else (crosses, noughts)
        if self.has_line(mine) or not self._one_was_last(theirs):
            raise PositionError("the game was over before the last move")
        return Marks(mine, theirs, turn)

    def _one_was_last(self, marks: int) -> bool:
        """Return whether one of the marks can have been the last: without it there is no line yet."""
        return not self.has_line(marks) or any(
            marks >> cell & 1 and not self.has_line(marks ^ 1 << cell) for cell in range(self.m * self.n)
        )

    def format(self, state: Marks) -> str:
        cells = "".join(".XO"[self.piece_at(state, cell)] for cell in range(self.m * self.n))
        return "/".join(cells[i : i + self.m] for i in range(0, self.m * self.n, self.m))

    def format_move(self, state: Marks, move: int) -> str:
        return self.layout.name(move)

    def player_name(self, player: int) -> str:
        return "XO"[player]

    # View -----------------------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> Grid:  # type: ignore[override]
        rows = [str(self.n - row) for row in range(self.n)]
        return Grid(self.m, self.n, left=rows, bottom=[_letters(column) for column in range(self.m)])

    def piece_at(self, state: Marks, place: int) -> int:
        if state.mine >> place & 1:
            return 1 + state.turn
        return 2 - state.turn if state.theirs >> place & 1 else 0

    def set_up(self, cells: Sequence[int], player: int) -> Marks:
        state = self._marks(*(sum(1 << i for i, cell in enumerate(cells) if cell == mark) for mark in (1, 2)))
        if state.turn != player:
            raise PositionError(f"with these marks {self.player_name(state.turn)} is to move, because X moved first")
        return state

    def places(self, state: Marks, move: int) -> tuple[int, int]:
        return (-1, move)

    def marked(self, state: Marks) -> list[int]:
        """Return the cells of all lines."""
        found: set[int] = set()
        for step, starts in self.directions:
            for first in range(self.m * self.n):
                line = range(first, first + self.k * step, step)
                if starts >> first & 1 and all(state.theirs >> cell & 1 for cell in line):
                    found.update(line)
        return sorted(found)


class TicTacToe(MNK):
    """Three in a row on a 3 by 3 board.

    >>> print(TicTacToe().board(TicTacToe().parse("XO./.X./..O")))
    3 X O .
    2 . X .
    1 . . O
      a b c
    """

    title = "Tic-tac-toe"
    description = "Three in a row on a 3 by 3 board."
    m: int = dataclasses.field(default=3, init=False, repr=False)
    n: int = dataclasses.field(default=3, init=False, repr=False)
    k: int = dataclasses.field(default=3, init=False, repr=False)


def _letters(column: int) -> str:
    """Return the name of a column: a to z, aa, ab, ..."""
    first, last = divmod(column, 26)
    return ("" if first == 0 else chr(ord("a") + first - 1)) + chr(ord("a") + last)
