"""Boards of many cells, as a part of a position.

To a compiler, a tuple of 225 integers is 225 values: compiling takes a minute, and each value is copied by itself.  To
Python, ``Cells`` is the same tuple; to compiled code it is one block of memory, a byte a cell, copied as a whole (see
``compiling.cells_type``).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

import numpy as np

LEAST, MOST = -128, 127
"""The range of a cell."""

CHUNK = 16
"""Bytes copied at once.  A block is padded with zeros to a whole number of chunks."""


class Cells(tuple[int, ...]):
    """A fixed number of integers from -128 to 127, such as a board, row by row.

    Create it in ``initial``; its length becomes part of the compiled rules.  Elsewhere, derive changed copies:

    >>> import plywise as pw
    >>> cells = pw.Cells([0] * 9)
    >>> cells.with_item(4, 1)
    Cells(0, 0, 0, 0, 1, 0, 0, 0, 0)

    To change many cells, edit an array:

    >>> board = cells.array()
    >>> board[2:4] = 1
    >>> cells.with_items(board).count(1)
    2
    """

    __slots__ = ()

    def __new__(cls, items: Iterable[int]) -> Cells:
        return tuple.__new__(cls, map(_fitting, items))

    def __repr__(self) -> str:
        return f"Cells({', '.join(map(str, self))})"

    def with_item(self, index: int, value: int) -> Cells:
        """Return these cells with one of them changed.

        Raises:
            IndexError: there is no such cell.
            ValueError: the value does not fit into a cell.
        """
        changed = list(self)
        try:
            changed[index] = _fitting(value)
        except IndexError:
            raise IndexError(f"{NO_CELL}: {index}, of {len(self)} cells") from None
        return tuple.__new__(Cells, changed)

    def with_items(self, values: Iterable[int]) -> Cells:
        """Return cells with these values: an array or list of the same length.

        Raises:
            ValueError: there are more or fewer values than cells, or one does not fit into a cell.
        """
        changed = Cells(values)
        if len(changed) != len(self):
            raise ValueError(WRONG_LENGTH)
        return changed

    def array(self) -> np.ndarray:
        """Return the values as a new array, which the caller may change."""
        return np.array(self, dtype=np.int64)

    @property
    def block(self) -> bytes:
        """The bytes that compiled code sees."""
        return struct.pack(f"{len(self)}b", *self).ljust(CHUNK * chunks(len(self)), b"\0")

    @property
    def words(self) -> tuple[int, ...]:
        """The block as signed 64-bit words."""
        return struct.unpack(f"{block_words(len(self))}q", self.block)


WRONG_LENGTH = "with_items needs as many values as there are cells"
TOO_LARGE = f"a value for Cells must be from {LEAST} to {MOST}"
NO_CELL = "no cell has this index"
NOT_THERE = "no cell has this value"


def chunks(length: int) -> int:
    """Return how many chunks ``length`` cells take."""
    return -(-length // CHUNK)


def block_words(length: int) -> int:
    """Return how many machine words ``length`` cells take."""
    return chunks(length) * CHUNK // 8


def _fitting(value: Any) -> int:
    number = int(value)
    if number != value or not LEAST <= number <= MOST:
        raise ValueError(f"{TOO_LARGE}, not {value!r}")
    return number
