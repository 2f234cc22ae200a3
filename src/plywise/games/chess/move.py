"""A move as an integer of 16 bits: what a table entry has room for.

    kind (4) | from (6) | to (6)

Of the kind, 8 says promotion and 4 capture, so that both come out with a mask; the two bits below say to what a pawn is
promoted, of which the lower one means diagonal and the higher one straight moves: knight, bishop, rook, queen.
Castling is the king's move to the square of the rook, which is the same in all of Chess960.
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
    """Return a move."""
    return kind << 12 | source << 6 | target


@inlined
def source_of(move: int) -> int:
    """Return the square that a move leads from."""
    return move >> 6 & 63


@inlined
def target_of(move: int) -> int:
    """Return the square that a move leads to; for castling, that of the rook."""
    return move & 63


@inlined
def kind_of(move: int) -> int:
    """Return what sort of move it is."""
    return move >> 12
