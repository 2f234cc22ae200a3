"""The board of checkers: positions as values, and boards as integers.

The dark squares have the numbers 1 to 32.  Black starts on 1 to 12 and moves down, White starts on 21 to 32 and moves
up.  A set of squares is an integer.  After every second row it has a spare bit that is never set, so a step is the same
shift everywhere, by 4 or 5 bits, and a step over the side of the board ends on a spare bit:

    squares                               bits
    .  1  .  2  .  3  .  4                .  0  .  1  .  2  .  3
    5  .  6  .  7  .  8  .                4  .  5  .  6  .  7  .     8 spare
    .  9  . 10  . 11  . 12                .  9  . 10  . 11  . 12
   13  . 14  . 15  . 16  .               13  . 14  . 15  . 16  .    17 spare
    . 17  . 18  . 19  . 20                . 18  . 19  . 20  . 21
   21  . 22  . 23  . 24  .               22  . 23  . 24  . 25  .    26 spare
    . 25  . 26  . 27  . 28                . 27  . 28  . 29  . 30
   29  . 30  . 31  . 32  .               31  . 32  . 33  . 34  .
"""

from __future__ import annotations

from typing import NamedTuple

SQUARES = 32
ROW = 0b1111
"""The four squares of the first row."""
PAIR = 9
"""The bits of two rows, with the spare one."""
EVEN_ROWS = ROW | ROW << PAIR | ROW << 2 * PAIR | ROW << 3 * PAIR
"""The rows that start with 1, 9, 17 and 25."""
BOARD = EVEN_ROWS | EVEN_ROWS << 4

STEPS = (4, 5, -4, -5)
"""The four directions as shifts: down to the left and to the right, then up to the right and to the left."""

CROWNING = (ROW << 31, ROW)
"""The row where a man of each player becomes a king."""


class Position(NamedTuple):
    black: int
    """Black's men and kings."""
    white: int
    """White's men and kings."""
    kings: int
    """The kings of both."""
    turn: int
    """The player to move: 0 for Black, 1 for White."""
    clock: int
    """Plies since the last capture or move of a man."""


def shifted(board: int, distance: int) -> int:
    """Return a board shifted by a distance, which may be negative."""
    return board << distance if distance > 0 else board >> -distance


def sides(state: Position) -> tuple[int, int]:
    """Return the pieces of the player to move, and those of the opponent."""
    return (state.white, state.black) if state.turn else (state.black, state.white)


def able(state: Position, direction: int) -> int:
    """Return the pieces of the player to move that may go in a direction: men go forwards only."""
    mine = state.white if state.turn else state.black
    return mine if direction >> 1 == state.turn else mine & state.kings


def bit_of(square: int) -> int:
    """Return the bit of a square, by its number from 1 to 32.

    >>> [bit_of(square).bit_length() - 1 for square in (1, 8, 9, 32)]
    [0, 7, 9, 34]
    """
    return 1 << square - 1 + (square - 1) // 8


def square_at(index: int) -> int:
    """Return the number of the square with the bit of this index.

    >>> [square_at(index) for index in (0, 7, 9, 34)]
    [1, 8, 9, 32]
    """
    return index + 1 - index // PAIR


def place_of(square: int) -> int:
    """Return the place of a square on the drawn board of 64 cells, counted from the top left.

    >>> [place_of(square) for square in (1, 5, 32)]
    [1, 8, 62]
    """
    row, column = divmod(square - 1, 4)
    return 8 * row + 2 * column + (1 - row % 2)


def square_on(place: int) -> int:
    """Return the number of the square on a place of the drawn board; 0 on the light cells.

    >>> [square_on(place) for place in (0, 1, 8, 62)]
    [0, 1, 5, 32]
    """
    row, column = divmod(place, 8)
    return 4 * row + column // 2 + 1 if (row + column) % 2 else 0
