"""What the eight neighbours of a point say about a move there: eyes, and the shapes of good replies.

The neighbourhood of a point is a number of 16 bits, two for each neighbour in the order of ``STEPS``: its colour.  So
what it says is looked up in a table with an entry for each neighbourhood.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

EMPTY, BLACK, WHITE, EDGE = range(4)
"""The colour of a point.  Points outside the board have the colour EDGE."""

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))
"""The neighbours of a point, as rows down and columns to the right: first those beside it.  The neighbour opposite the
one at index i is at index i ^ 2.
"""

OPEN = 1
"""A point beside this one is empty, so that a stone here has a liberty."""
ROOMY = 2
"""Two or more points beside this one are empty, so that a stone here is not in atari."""
ENCLOSED = 4
"""Only black stones are beside this point, or only white ones (shifted by one bit)."""
EYE = 16
"""An eye of Black, or of White (shifted by one bit): enclosed, and not false."""
SHAPE = 64
"""A shape in which Black, or White (shifted by one bit), often plays."""

PATTERNS = (
    "XOX ... ???",  # hane
    "XO. ... ?.?",
    "XO? X.. ?.?",
    "XOO ... ?.?",
    ".O. X.. ...",  # an attachment
    "XO? O.o ?o?",  # cut
    "XO? O.X ???",
    "?X? O.O ooo",
    "OX? o.O ???",
    "X.? O.? ---",  # on the edge
    "OX? X.O ---",
    "?X? x.O ---",
    "?OX X.O ---",
)
"""Shapes in which either side often plays in the middle, as in MoGo (Gelly, Wang, Munos and Teytaud 2006).  X and O are
stones of different colours, x is anything but X, o anything but O, and ``-`` lies outside the board.
"""

MEANINGS = {".": {EMPTY}, "-": {EDGE}, "?": {EMPTY, BLACK, WHITE, EDGE}}


@functools.cache
def shape_table() -> np.ndarray:
    """Return what each neighbourhood says, as a sum of the constants above."""
    colours = np.indices((4,) * 8)[::-1].reshape(8, -1)  # of each neighbour, in each of the 65,536 neighbourhoods
    beside, diagonal = colours[:4], colours[4:]
    table = np.zeros(1 << 16, dtype=np.int64)
    table |= OPEN * (beside == EMPTY).any(axis=0) | ROOMY * ((beside == EMPTY).sum(axis=0) > 1)
    for colour, other in ((BLACK, WHITE), (WHITE, BLACK)):
        enclosed = np.isin(beside, (colour, EDGE)).all(axis=0)
        weak = (diagonal == other).sum(axis=0) + (diagonal == EDGE).any(axis=0)
        table |= (ENCLOSED * enclosed | EYE * (enclosed & (weak < 2))) << (colour - BLACK)
    table |= SHAPE * 3 * _matches().transpose().ravel()
    return table


def _matches() -> np.ndarray:
    """Return whether each neighbourhood matches a pattern, by the colours of the eight neighbours."""
    found = np.zeros((4,) * 8, dtype=bool)
    for pattern, (mine, theirs) in itertools.product(PATTERNS, ((BLACK, WHITE), (WHITE, BLACK))):
        every = {EMPTY, BLACK, WHITE, EDGE}
        meanings = MEANINGS | {"X": {mine}, "O": {theirs}, "x": every - {mine}, "o": every - {theirs}}
        square = np.array([list(row) for row in pattern.split()])
        for turns, flipped in itertools.product(range(4), (False, True)):
            turned = np.rot90(square.T if flipped else square, turns)
            allowed = [sorted(meanings[turned[1 + down, 1 + right]]) for down, right in STEPS]
            found[np.ix_(*allowed)] = True
    return found
