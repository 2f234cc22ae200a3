"""A move as a 16-bit integer, which fits a table entry.

    kind (4) | from (6) | to (6)

In the kind, 8 means promotion and 4 capture, so that a mask finds both.  In a promotion the two bits below give the new
piece: the lower one means diagonal and the higher one straight moves (knight, bishop, rook, queen).  Castling is the
king's move to the square of its rook, which works for all of Chess960.
"""

from __future__ import annotations

from plywise.compiling.native import inlined
from plywise.games.chess.board import BISHOP, KNIGHT, QUEEN, ROOK

QUIET, DOUBLE, CASTLE, CAPTURE, EN_PASSANT, PROMOTION = 0, 1, 2, 4, 5, 8
NOISY = CAPTURE | PROMOTION
TO_QUEEN = PROMOTION | 3
PROMOTED = (KNIGHT, BISHOP, ROOK, QUEEN)
"""What a pawn becomes, by the two lowest bits of a promotion's kind."""


@inlined
def packed(source: int, target: int, kind: int) -> int:
    """Return a move as an integer."""
    return kind << 12 | source << 6 | target


@inlined
def source_of(move: int) -> int:
    """Return the source square of a move."""
    return move >> 6 & 63


@inlined
def target_of(move: int) -> int:
    """Return the target square of a move; for castling, the square of the rook."""
    return move & 63


@inlined
def kind_of(move: int) -> int:
    """Return the kind of a move."""
    return move >> 12
