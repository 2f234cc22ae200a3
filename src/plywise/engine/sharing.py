"""How threads that search the same position share its moves: they put off a move that another thread is searching.

Threads meet at a position because they search the same tree.  If one of them is already searching a move there, the
others search its siblings first.  When they come back to that move, the table usually has its value.  This is ABDADA
(Weill 1996) in the simplified form of Kerrigan (2014): a small table holds a mark for each move that is being searched.
A mark that is lost or confused with another only changes the order of moves.
"""

from __future__ import annotations

import numpy as np

from plywise.bits import shift_right
from plywise.compiling.atomic import load, store
from plywise.compiling.hashing import signature
from plywise.compiling.native import inlined
from plywise.engine.node import Node, Search
from plywise.engine.work import MARK_WAYS, Work
from plywise.game import Move

LEAST_DEPTH = 3
"""Moves of a position with less remaining depth are searched faster than they are shared."""

SPREAD = 0x5851F42D4C957F2D
"""An odd number with many bits, which makes the marks of a position's moves differ in all of them."""


@inlined
def shares(search: Search, node: Node) -> bool:
    """Return whether threads share the moves of this position, all but the first."""
    return node.depth >= LEAST_DEPTH and len(search.work.marks) > 0 and not node.frame.is_singular


@inlined
def mark_of(node: Node, move: Move) -> int:
    """Return the mark of a move."""
    return signature(node.key) + (int(move) + 1) * SPREAD


@inlined
def set_of(mark: int) -> int:
    """Return the first place of the set to which a mark belongs."""
    return shift_right(mark, 54) * MARK_WAYS  # the upper ten bits, because MARK_SETS is 1 << 10


@inlined
def place_of(marks: np.ndarray, mark: int, wanted: int) -> int:
    """Return the place that holds ``wanted`` in the set to which ``mark`` belongs; -1 if there is none."""
    first = set_of(mark)
    for place in range(first, first + MARK_WAYS):
        if load(marks, place) == wanted:
            return place
    return -1


def is_searched(work: Work, mark: int) -> bool:
    """Return whether a thread is searching the move with this mark."""
    return place_of(work.marks, mark, mark) >= 0


def begin_move(work: Work, mark: int) -> None:
    """Set the mark of a move that this thread starts to search, if there is room."""
    place = place_of(work.marks, mark, 0)
    if place >= 0:
        store(work.marks, place, mark)


def end_move(work: Work, mark: int) -> None:
    """Remove the mark of a move that this thread has searched."""
    place = place_of(work.marks, mark, mark)
    if place >= 0:
        store(work.marks, place, 0)
