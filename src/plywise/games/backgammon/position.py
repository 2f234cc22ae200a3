"""A position: the men of both players, and the dice still to play.

Each player's men move from point 24 down to point 1, and from there off the board.  Two more numbers make the rules
short: 25 is the bar, 0 is where men are borne off.  What is point p for one player is point 25 - p for the other.

How many men stand on a point is a binary number of four bits.  The ones of all 26 points make a board of bits, and so
do the twos, the fours and the eights; two such boards share a word:

    bit    63 ... 58   57 ... 32   31 ... 26   25 ... 0
    low                twos                    ones
    high               eights                  fours

So a few instructions tell which points are occupied, and which the opponent may not enter.
"""

from __future__ import annotations

from typing import NamedTuple

OFF, BAR = 0, 25
MEN = 15
"""The men of each player."""

UPPER = 32
"""Where the upper board of a word begins."""
ALL = (1 << 26) - 1
"""The points, the bar, and the men borne off."""
POINTS = (1 << 25) - 2
HOME = (1 << 7) - 2


class Men(NamedTuple):
    """The men of one player, on points as that player counts them."""

    low: int
    high: int

    def occupied(self) -> int:
        """Return the points with at least one man."""
        word = self.low | self.high
        return (word | word >> UPPER) & ALL

    def made(self) -> int:
        """Return the points with at least two men, which the opponent cannot enter."""
        return (self.low >> UPPER | self.high | self.high >> UPPER) & ALL

    def count(self, point: int) -> int:
        """Return the number of men on a point."""
        ones, twos = self.low >> point & 1, self.low >> UPPER + point & 1
        return ones + 2 * twos + 4 * (self.high >> point & 1) + 8 * (self.high >> UPPER + point & 1)

    def plus(self, point: int) -> Men:
        """Return the men with one more on a point: one is added in binary, with a carry."""
        one, two = 1 << point, 1 << UPPER + point
        low, high = self.low ^ one, self.high
        if self.low & one:
            low ^= two
            if self.low & two:
                high ^= one
                if self.high & one:
                    high ^= two
        return Men(low, high)

    def minus(self, point: int) -> Men:
        """Return the men with one less on a point: x - 1 is ~(~x + 1)."""
        more = Men(~self.low, ~self.high).plus(point)
        return Men(~more.low, ~more.high)

    def moved(self, point: int, die: int) -> Men:
        """Return the men after one of them has moved from a point by a die, perhaps off the board."""
        return self.minus(point).plus(max(OFF, point - die))

    def all_off(self) -> bool:
        """Return whether all men are borne off."""
        return self.occupied() == 1 << OFF


def men_on(*points: int) -> Men:
    """Return men on these points, each named once for every man on it.

    >>> [men_on(6, 6, 6, 25).count(point) for point in (6, 7, 25)]
    [3, 0, 1]
    """
    men = Men(0, 0)
    for point in points:
        men = men.plus(point)
    return men


START = men_on(*[24] * 2, *[13] * 5, *[8] * 3, *[6] * 5)


class Position(NamedTuple):
    mine: Men
    """The men of the player whose turn it is."""
    theirs: Men
    turn: int
    """MAX (White) or MIN (Black); CHANCE before the opening roll, when ``mine`` are White's."""
    dice: int
    """The dice still to play, as decimal digits, the larger first: 31, 1, 4444, 44.  0: to be rolled."""
    last: int
    """The point from which the last man of a double was played; else the bar."""
