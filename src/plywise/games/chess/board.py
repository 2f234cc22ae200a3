"""The chess board as bits, and a position as a few such boards.

A board is an integer with one bit per square, a1 the lowest:

    56 57 58 59 60 61 62 63    8
    48 49 50 51 52 53 54 55    7
    ...
     8  9 10 11 12 13 14 15    2
     0  1  2  3  4  5  6  7    1
     a  b  c  d  e  f  g  h
"""

from __future__ import annotations

from typing import NamedTuple

from plywise.bits import shift_left, shift_right, signed
from plywise.compiling.native import inlined

WHITE, BLACK = 0, 1

PAWN, KNIGHT, BISHOP, ROOK, KING, QUEEN = 1, 2, 3, 4, 5, 7
"""Kinds of pieces; 0 is none.  A queen moves as a bishop and as a rook: 3 + 4."""

FILE_A = signed(0x0101010101010101)
FILE_H = signed(0x8080808080808080)
RANK_1 = 0xFF
RANK_3 = 0xFF << 16
RANK_6 = 0xFF << 40
RANK_8 = signed(0xFF << 56)
BACK_RANKS = RANK_1 | RANK_8
PASSING_RANKS = RANK_3 | RANK_6
"""The ranks of en passant squares."""
DARK = signed(0xAA55AA55AA55AA55)
"""The dark squares, such as a1."""


class Position(NamedTuple):
    """A position.  Two boards give the colour of each piece, five its kind; a queen is on two of the five."""

    white: int
    black: int
    pawns: int
    knights: int
    diagonal: int
    """Bishops and queens."""
    straight: int
    """Rooks and queens."""
    kings: int
    rights: int
    """The rooks that may still castle (ranks 1 and 8), and the en passant square (rank 3 or 6), which is set only if an
    en passant capture is legal.
    """
    checkers: int
    """The pieces that give check.  They follow from the rest, but every node needs them."""
    clock: int
    """Plies since the last capture or pawn move, for the fifty-move rule."""
    ply: int
    """Plies since the start of the game; White moves at even ones."""
    hash: int
    """The Zobrist hash of the pieces and the side to move."""


@inlined
def bit(square: int) -> int:
    """Return the board with only this square set."""
    return shift_left(1, square)


@inlined
def has(board: int, square: int) -> int:
    """Return 1 if the square is set, else 0."""
    return shift_right(board, square) & 1


@inlined
def men(state: Position, player: int) -> int:
    """Return the men of a player."""
    return state.black if player else state.white


@inlined
def kind_at(state: Position, square: int) -> int:
    """Return the kind of the piece on a square; 0 if there is none."""
    return (
        PAWN * has(state.pawns, square)
        + KNIGHT * has(state.knights, square)
        + BISHOP * has(state.diagonal, square)
        + ROOK * has(state.straight, square)
        + KING * has(state.kings, square)
    )
