"""Sets of points of a Go board: tuples of words (see ``plywise.games.go.board`` for what their bits mean)."""

from __future__ import annotations

from plywise.bits import popcount, with_item
from plywise.compiling.native import inlined

Area = tuple[int, ...]
"""A set of points."""
NOWHERE = -1
"""No point."""


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
