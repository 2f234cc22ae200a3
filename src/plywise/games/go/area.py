"""Sets of points of a Go board, for boards of up to 19 by 19 points.

A set is a tuple of words.  Each word holds as many rows as fit into 63 bits, and a row has one bit more than the board
has columns.  The spare bit is never set: it keeps shifts to the left and right from running on into the next row.  On
the 9 by 9 board a word holds six rows of ten bits, and a set has two words:

    first word                          second word
     0  1  2  3  4  5  6  7  8 |  9      0  1  2  3  4  5  6  7  8 |  9
    10 11 12 13 14 15 16 17 18 | 19     10 11 12 13 14 15 16 17 18 | 19
    ...                                 20 21 22 23 24 25 26 27 28 | 29
    50 51 52 53 54 55 56 57 58 | 59

Shifts may leave bits outside the board, so a set is cut down to the board after them.
"""

from __future__ import annotations

from plywise.bits import popcount, with_item
from plywise.compiling.native import inlined

WORD_BITS = 63
"""Bits of a word without its sign, so that ``>>`` brings in zeros."""

Area = tuple[int, ...]
"""A set of points."""


@inlined
def union(one: Area, other: Area) -> Area:
    """Return the points in one of two sets, or in both."""
    for i in range(len(one)):
        one = with_item(one, i, one[i] | other[i])
    return one


@inlined
def common(one: Area, other: Area) -> Area:
    """Return the points in both sets."""
    for i in range(len(one)):
        one = with_item(one, i, one[i] & other[i])
    return one


@inlined
def without(one: Area, other: Area) -> Area:
    """Return the points in the first set that are not in the second."""
    for i in range(len(one)):
        one = with_item(one, i, one[i] & ~other[i])
    return one


@inlined
def size(area: Area) -> int:
    """Return the number of points in a set."""
    total = 0
    for i in range(len(area)):
        total += popcount(area[i])
    return total


@inlined
def is_empty(area: Area) -> bool:
    """Return whether a set has no points."""
    points = 0
    for i in range(len(area)):
        points |= area[i]
    return points == 0
