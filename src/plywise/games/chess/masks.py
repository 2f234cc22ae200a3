"""Boards for the evaluation, from the side of a player whose pawns go up.

Most are computed for many men at once by shifts, without loops or branches.
"""

from __future__ import annotations

import functools

import numpy as np

from plywise.bits import shift_left, shift_right
from plywise.compiling.native import inlined
from plywise.games.chess.board import FILE_A, FILE_H


@inlined
def upwards(men: int) -> int:
    """Return the squares of the men and all squares above them."""
    men |= shift_left(men, 8)
    men |= shift_left(men, 16)
    return men | shift_left(men, 32)


@inlined
def downwards(men: int) -> int:
    """Return the squares of the men and all squares below them."""
    men |= shift_right(men, 8)
    men |= shift_right(men, 16)
    return men | shift_right(men, 32)


@inlined
def below(men: int) -> int:
    """Return the squares below the men."""
    return shift_right(downwards(men), 8)


@inlined
def beside(men: int) -> int:
    """Return the squares to the left and right of the men."""
    return shift_right(men & ~FILE_A, 1) | shift_left(men & ~FILE_H, 1)


@inlined
def way_of(square: int) -> int:
    """Return the squares in front of a square, on its file."""
    return shift_left(FILE_A ^ 1, square)


@inlined
def attacks_left(pawns: int) -> int:
    """Return the squares that upward pawns attack towards the a-file."""
    return shift_left(pawns & ~FILE_A, 7)


@inlined
def attacks_right(pawns: int) -> int:
    """Return the squares that upward pawns attack towards the h-file."""
    return shift_left(pawns & ~FILE_H, 9)


@inlined
def attacks_up(pawns: int) -> int:
    """Return the squares that upward pawns attack."""
    return attacks_left(pawns) | attacks_right(pawns)


@inlined
def attacks_down(pawns: int) -> int:
    """Return the squares that downward pawns attack."""
    return shift_right(pawns & ~FILE_A, 9) | shift_right(pawns & ~FILE_H, 7)


@inlined
def distance(square: int, other: int) -> int:
    """Return how many moves a king needs from one square to another."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))


@functools.cache
def king_zones() -> np.ndarray:
    """Return by the king's square a zone of 3 by 3 squares around it, shifted inwards if the king is at the edge."""
    file, rank = np.arange(64) & 7, np.arange(64) >> 3
    inner_file, inner_rank = np.clip(file, 1, 6)[:, None], np.clip(rank, 1, 6)[:, None]
    boards = (np.abs(file - inner_file) <= 1) & (np.abs(rank - inner_rank) <= 1)
    return np.packbits(boards, axis=1, bitorder="little").view(np.int64).ravel()
