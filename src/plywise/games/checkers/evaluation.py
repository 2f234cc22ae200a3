"""What a position of checkers is worth, in hundredths of a man: the course's share of pieces, and a linear evaluation.

The linear one adds up features of each side, with weights by hand.  Both sides are looked at as if they moved down the
board: White's pieces are turned by half a circle first.  How far men have advanced is no feature: two or four
hundredths a row lost matches against none.
"""

from __future__ import annotations

from plywise.bits import backwards, popcount, shift_right
from plywise.games.checkers.board import BOARD, PAIR, ROW, Position

MAN, KING = 100, 135
GUARD = 8
"""For each man on the own back row, which keeps the opponent from getting kings."""
BRIDGE = 10
"""For men on both squares of the bridge, 1 and 3 (30 and 32 for White): two men hold the back row."""
CENTRE = 4
"""For each piece on one of the eight squares in the middle."""
MOBILITY = 3
"""For each step that a piece can make."""
TEMPO = 4
"""For the player to move."""
TRADING = 400
"""The weight of the share of the pieces, which makes the player who is ahead exchange."""
ALL = 2400
"""The course's evaluation of a side that has all the pieces: a man more, with all others on the board, is about 100."""

BRIDGE_SQUARES = 0b101
MIDDLE = 0b0110 << PAIR | 0b0110 << 13 | 0b0110 << 2 * PAIR | 0b0110 << 22
LAST = 34
"""The bit of square 32."""


def linear(state: Position) -> int:
    """Return the sum of the features, for Black."""
    white, kings = turned(state.white), turned(state.kings)
    here = features(state.black, state.white, state.kings) - features(white, turned(state.black), kings)
    return here + share(state, TRADING) + (-TEMPO if state.turn else TEMPO)


def share(state: Position, whole: int) -> int:
    """Return by how much Black's share of the pieces exceeds White's, if all pieces together are worth ``whole``.

    A king counts as a man.
    """
    black, white = popcount(state.black), popcount(state.white)
    total = max(1, black + white)
    return whole * black // total - whole * white // total


def features(mine: int, theirs: int, kings: int) -> int:
    """Return what the pieces of a side that moves down are worth."""
    men, crowned = mine & ~kings, mine & kings
    worth = MAN * popcount(men) + KING * popcount(crowned)
    worth += GUARD * popcount(men & ROW)
    if men & BRIDGE_SQUARES == BRIDGE_SQUARES:
        worth += BRIDGE
    worth += CENTRE * popcount(mine & MIDDLE)
    return worth + MOBILITY * freedom(mine, theirs, crowned)


def freedom(mine: int, theirs: int, crowned: int) -> int:
    """Return the number of steps of a side that moves down."""
    empty = BOARD & ~(mine | theirs)
    forwards = popcount(mine << 4 & empty) + popcount(mine << 5 & empty)
    return forwards + popcount(crowned >> 4 & empty) + popcount(crowned >> 5 & empty)


def turned(board: int) -> int:
    """Return the board turned by half a circle: square 1 becomes 32."""
    return shift_right(backwards(board), 63 - LAST)
