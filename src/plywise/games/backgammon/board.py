"""The drawn board: 24 points in two rows, the bar in the middle, and the men borne off on the right.

    13 14 15 16 17 18  bar  19 20 21 22 23 24  off     White's men on the bar, Black's borne off
       Black's dice            White's dice
    12 11 10  9  8  7  bar   6  5  4  3  2  1  off     Black's men on the bar, White's borne off

A point shows up to five men; of more, the fifth shows the number.
"""

from __future__ import annotations

from plywise.game import MAX
from plywise.games.backgammon.position import BAR, MEN, OFF, Men, Position
from plywise.layers import Grid, Piece

COLUMNS, TALLEST = 14, 5
BAR_COLUMN, OFF_COLUMN = 6, 13
MIDDLE = TALLEST
"""The row between the two halves, for the dice."""
UPPER, LOWER = 0, 1
"""The halves of the board."""

_LOWER_NAMES = [*map(str, range(12, 6, -1)), "bar", *map(str, range(6, 0, -1)), "off"]
_UPPER_NAMES = [*map(str, range(13, 19)), "bar", *map(str, range(19, 25)), "off"]
LAYOUT = Grid(COLUMNS, 2 * TALLEST + 1, bottom=_LOWER_NAMES, top=_UPPER_NAMES, stacks=TALLEST)

_STACKS = range(TALLEST + 1, MEN + 1)
PIECES = (
    Piece("O", "white", "white man"),
    Piece("X", "black", "black man"),
    *(Piece(str(count), "#f3ead2", f"{count} white men") for count in _STACKS),
    *(Piece(str(count), "#3c3f46", f"{count} black men") for count in _STACKS),
    *(Piece(str(number), "", f"die {number}", "⚀⚁⚂⚃⚄⚅"[number - 1]) for number in range(1, 7)),
)
FIRST_WHITE, FIRST_BLACK, FIRST_DIE = 3, 3 + len(_STACKS), 3 + 2 * len(_STACKS)
"""The numbers of the first pieces of these kinds."""


def column_and_half(point: int, player: int) -> tuple[int, int]:
    """Return where a point, the bar or the place for men borne off is, as the player counts."""
    if point == BAR:
        return BAR_COLUMN, UPPER if player == MAX else LOWER
    if point == OFF:
        return OFF_COLUMN, LOWER if player == MAX else UPPER
    half = LOWER if (point <= 12) == (player == MAX) else UPPER
    from_right = min(point, 25 - point)
    return (13 if from_right <= 6 else 12) - from_right, half


def place_in(column: int, half: int, height: int) -> int:
    """Return the place of a man at a height, counted from 0, in a half of a column."""
    row = min(height, TALLEST - 1)
    return COLUMNS * (row if half == UPPER else 2 * TALLEST - row) + column


def shown(white: Men, black: Men, place: int) -> int:
    """Return the piece at a place: a man, or the number of men."""
    row, column = place // COLUMNS, place % COLUMNS
    if row == MIDDLE:
        return 0
    upper = row < MIDDLE
    height = row if upper else 2 * TALLEST - row
    if column == BAR_COLUMN:
        whites, blacks = (white.count(BAR), 0) if upper else (0, black.count(BAR))
    elif column == OFF_COLUMN:
        whites, blacks = (0, black.count(OFF)) if upper else (white.count(OFF), 0)
    else:
        from_right = (13 if column > BAR_COLUMN else 12) - column
        point = 25 - from_right if upper else from_right
        whites, blacks = white.count(point), black.count(25 - point)
    count = whites + blacks
    if height >= count:
        return 0
    if height == TALLEST - 1 and count > TALLEST:
        return (FIRST_BLACK if blacks else FIRST_WHITE) + count - TALLEST - 1
    return 2 if blacks else 1


def die_at(state: Position, place: int) -> int:
    """Return the piece that shows a die still to be played, in the half of its player; 0 for none."""
    first = COLUMNS * MIDDLE + (BAR_COLUMN + 2 if state.turn == MAX else 1)
    dice = state.dice
    for each in range(4):
        if dice and place == first + 3 - each:  # the larger first
            return FIRST_DIE + dice % 10 - 1
        dice //= 10
    return 0
