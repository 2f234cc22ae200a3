"""The points of a Go board, and sets of them.

A set is a tuple of words.  Each word holds as many rows as fit into 63 bits, and a row has one bit more than the board
has columns.  The spare bit is never set: it keeps shifts to the left and right from running on into the next row.  On
the 9 by 9 board a word holds six rows of ten bits, and a set has two words:

     0  1  2  3  4  5  6  7  8    9         0  1  2  3  4  5  6  7  8    9
    10 11 12 13 14 15 16 17 18   19        10 11 12 13 14 15 16 17 18   19
    20 21 22 23 24 25 26 27 28   29        20 21 22 23 24 25 26 27 28   29
    30 31 32 33 34 35 36 37 38   39    the other three rows, and the spare bits
    40 41 42 43 44 45 46 47 48   49
    50 51 52 53 54 55 56 57 58   59

Shifts may leave bits outside the board, so their results are cut down to the board.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from plywise.bits import lowest, with_item
from plywise.compiling.native import inlined
from plywise.errors import GameError
from plywise.game import Game
from plywise.games.go.area import NOWHERE, Area, common, union, without
from plywise.games.go.playouts import empty_board
from plywise.games.go.shapes import STEPS, shape_table

SMALLEST, LARGEST = 2, 19
"""The fewest and the most points in a row or column."""
WORD_BITS = 63
"""Bits of a word without its sign, so that ``>>`` brings in zeros."""


class Goban(Game):
    """A board of points where lines cross."""

    width: int = 9
    height: int | None = None

    def __post_init__(self) -> None:
        sides = (self.width, self.width if self.height is None else self.height)
        if not all(type(side) is int and SMALLEST <= side <= LARGEST for side in sides):
            raise GameError(f"{self!r} is not possible: width and height must be whole numbers from {SMALLEST} "
                            f"to {LARGEST}")  # fmt: skip

    @cached_property
    def rows(self) -> int:
        return self.width if self.height is None else self.height

    @cached_property
    def size(self) -> int:
        """The number of points."""
        return self.width * self.rows

    @cached_property
    def stride(self) -> int:
        """The bits of a row, with the spare one."""
        return self.width + 1

    @cached_property
    def rows_in_word(self) -> int:
        return min(self.rows, WORD_BITS // self.stride)

    @cached_property
    def points(self) -> Area:
        """All points of the board."""
        row = (1 << self.width) - 1
        rows = [min(self.rows_in_word, self.rows - first) for first in range(0, self.rows, self.rows_in_word)]
        return tuple(sum(row << self.stride * i for i in range(count)) for count in rows)

    @inlined
    def bit(self, point: int) -> int:
        """Return the bit of a point in its word."""
        row, column = divmod(point, self.width)
        return 1 << row % self.rows_in_word * self.stride + column

    @inlined
    def word(self, point: int) -> int:
        """Return the index of the word with this point."""
        return point // (self.width * self.rows_in_word)

    @inlined
    def at(self, point: int) -> Area:
        """Return the set of one point."""
        return with_item(without(self.points, self.points), self.word(point), self.bit(point))

    @inlined
    def has(self, area: Area, point: int) -> bool:
        """Return whether a point is in a set."""
        return area[self.word(point)] & self.bit(point) != 0

    @inlined
    def point(self, area: Area) -> int:
        """Return the first point of a set that is not empty."""
        word = 0
        while area[word] == 0:
            word += 1
        row, column = divmod(lowest(area[word]), self.stride)
        return (word * self.rows_in_word + row) * self.width + column

    @inlined
    def beside(self, area: Area) -> Area:
        """Return the points beside those of a set: above, below, to the left or to the right."""
        found = area
        last_row = (self.rows_in_word - 1) * self.stride
        for i in range(len(area)):
            here = area[i]
            near = here << 1 | here >> 1 | here << self.stride | here >> self.stride
            if i > 0:
                near |= area[i - 1] >> last_row
            if i + 1 < len(area):
                near |= area[i + 1] << last_row
            found = with_item(found, i, near & self.points[i])
        return found

    @inlined
    def spread_within(self, area: Area, start: Area) -> Area:
        """Return the points of ``area`` that are connected to ``start``, a part of it."""
        reached = start
        while True:
            more = union(reached, common(area, self.beside(reached)))
            if more == reached:
                return reached
            reached = more

    def neighbour(self, point: int, i: int) -> int:
        """Return a neighbour of a point, in the order of ``STEPS``, or NOWHERE outside the board."""
        row, column = point // self.width + STEPS[i][0], point % self.width + STEPS[i][1]
        inside = 0 <= row < self.rows and 0 <= column < self.width
        return row * self.width + column if inside else NOWHERE

    # The board of a playout, with an edge around it ---------------------------------------------------------------

    @cached_property
    def inner(self) -> np.ndarray:
        """The index of each point on that board."""
        rows, columns = np.divmod(np.arange(self.size), self.width)
        return (rows + 1) * self.stride + columns + 1

    @cached_property
    def outer(self) -> np.ndarray:
        """The point of each index on that board."""
        points = np.zeros((self.rows + 2) * self.stride + 1, dtype=np.int64)
        points[self.inner] = np.arange(self.size)
        return points

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The steps from a point to its neighbours on that board."""
        return tuple(down * self.stride + right for down, right in STEPS)

    @cached_property
    def edges(self) -> np.ndarray:
        """That board without stones."""
        return empty_board(self)

    @cached_property
    def shapes(self) -> np.ndarray:
        return shape_table()
