"""Kalah: sow the stones of a pit, one by one, into the next ones; whoever has more in their store at the end wins.

Each player's row is one word with a byte for each pit, in the order of sowing, and one for the store.  With six pits:

    byte        6   5   4   3   2   1   0
    North   store   f   e   d   c   b   a
            ───────────────────────────────
    South       A   B   C   D   E   F   store
    byte        0   1   2   3   4   5   6

Sowing is addition.  The holes in reach of a player are numbered as stones pass them: the own pits from 0, the own store,
then the other pits.  If ``sown(hole)`` is one stone in every hole up to this one, the stones of pit ``i``, ``n`` of
them, add ``sown(i + n) - sown(i)``, also where they go round several times.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plywise.bits import item, lowest, product
from plywise.compiling.native import inlined
from plywise.errors import GameError, PositionError
from plywise.game import MAX, Game
from plywise.layers import Banked, Pits, Theory, View

BYTE = 8
MOST_PITS, MOST_STONES = 7, 127
"""A row is eight bytes, and the first bit of a store must stay free."""


class Rows(NamedTuple):
    mine: int
    """The pits and the store of the player to move."""
    theirs: int
    """The pits and the store of the opponent."""
    turn: int
    """The player to move."""


class Kalah(Theory, Banked, View, Game):
    """Kalah.  South moves first and is Max; the score is South's margin in stones.

    A move takes all stones of an own pit and sows them, one by one, into the own pits after it, the own store, the
    opponent's pits, and the own pits again.  If the last stone falls into the own store, the same player moves again.
    If it falls into an own pit that was empty, it is captured, with all stones of the pit opposite.  The game ends when
    a row is empty; the stones in the other row go to its owner.

    Two rules differ from place to place.  Without ``empty_capture``, a last stone opposite an empty pit stays where it
    is.  Without ``sweep``, stones that are left in the pits at the end count for nobody.

    >>> game = Kalah()
    >>> print(game.board(game.play(game.initial(), 2)))
    """

    description = "Sow stones around the board; the fuller store wins."
    pits: int = 6
    stones: int = 4
    empty_capture: bool = True
    sweep: bool = True

    def __post_init__(self) -> None:
        if min(self.pits, self.stones) < 1 or self.pits > MOST_PITS or self.total > MOST_STONES:
            raise GameError(f"{self!r} is not possible: there must be 1 to {MOST_PITS} pits with at least one stone "
                            f"each, and at most {MOST_STONES} stones; these are {self.total}")  # fmt: skip

    def initial(self) -> Rows:
        return Rows(self.stones * self.each_pit, self.stones * self.each_pit, MAX)

    def to_move(self, state: Rows) -> int:
        return state.turn

    @inlined
    def moves(self, state: Rows) -> Iterator[int]:
        if not self.is_terminal(state):
            for pit in range(self.pits):
                if stones_in(state.mine, pit) > 0:
                    yield pit

    @inlined
    def play(self, state: Rows, move: int) -> Rows:
        hand = stones_in(state.mine, move)
        last = move + hand
        mine = state.mine - in_pit(hand, move) + item(self.sown_near, last) - item(self.sown_near, move)
        theirs = state.theirs + item(self.sown_far, last)
        end = last % (2 * self.pits + 1)
        if end == self.pits:
            return Rows(mine, theirs, state.turn)
        if end < self.pits and stones_in(mine, end) == 1:
            opposite = self.pits - 1 - end
            prey = stones_in(theirs, opposite)
            if self.empty_capture or prey > 0:
                mine += in_pit(prey + 1, self.pits) - in_pit(1, end)
                theirs -= in_pit(prey, opposite)
        return Rows(theirs, mine, 1 - state.turn)

    @inlined
    def is_terminal(self, state: Rows) -> bool:
        return state.mine & self.all_pits == 0 or state.theirs & self.all_pits == 0

    @inlined
    def score(self, state: Rows) -> int:
        rest = self.in_pits(state.mine) - self.in_pits(state.theirs) if self.sweep else 0
        return self.banked(state) + (rest if state.turn == MAX else -rest)

    @inlined
    def evaluate(self, state: Rows) -> int:
        return self.banked(state)

    @inlined
    def bounds(self, state: Rows) -> tuple[int, int]:
        if self.is_terminal(state):
            return (self.score(state), self.score(state))
        margin, left = self.banked(state), self.in_pits(state.mine) + self.in_pits(state.theirs)
        return (margin - left, margin + left)

    @inlined
    def order(self, state: Rows, move: int) -> int:
        after = self.play(state, move)
        if after.turn == state.turn:
            return 100 + move
        return 4 * (self.in_store(after.theirs) - self.in_store(state.mine))

    @inlined
    def banked(self, state: Rows) -> int:
        """Return Max's margin in the stores."""
        margin = self.in_store(state.mine) - self.in_store(state.theirs)
        return margin if state.turn == MAX else -margin

    @inlined
    def rest_key(self, state: Rows) -> tuple[int, int]:
        """Return the pits of both, the player's to move first."""
        return state.mine & self.all_pits, state.theirs & self.all_pits

    def in_store(self, row: int) -> int:
        """Return the number of stones in a row's store."""
        return row >> self.pits * BYTE

    @inlined
    def in_pits(self, row: int) -> int:
        """Return the number of stones in a row's pits: the top byte of the product is the sum of all bytes."""
        return product(row & self.all_pits, EVERY_BYTE) >> 7 * BYTE

    @cached_property
    def total(self) -> int:
        """The number of stones on the board."""
        return 2 * self.pits * self.stones

    @cached_property
    def each_pit(self) -> int:
        """One stone in each pit of a row."""
        return EVERY_BYTE & self.all_pits

    @cached_property
    def all_pits(self) -> int:
        """The bytes of the pits."""
        return (1 << self.pits * BYTE) - 1

    @cached_property
    def sown_near(self) -> np.ndarray:
        """The own row after one stone in every hole from 0 to the index; the holes continue round and round."""
        return self.sown(range(self.pits + 1))

    @cached_property
    def sown_far(self) -> np.ndarray:
        """The other row, likewise."""
        return self.sown(range(self.pits + 1, 2 * self.pits + 1))

    def sown(self, holes: range) -> np.ndarray:
        """Return the prefix sums of the stones that fall into these holes."""
        steps = np.zeros(self.pits + self.total, dtype=np.int64)
        for byte, hole in enumerate(holes):
            steps[hole :: 2 * self.pits + 1] = in_pit(1, byte)
        return np.cumsum(steps)

    # Text -----------------------------------------------------------------------------------------------------------


EVERY_BYTE = 0x0101010101010101


def stones_in(row: int, pit: int) -> int:
    """Return the number of stones in a pit."""
    return row >> pit * BYTE & 0xFF


def in_pit(count: int, pit: int) -> int:
    """Return a row with ``count`` stones in one pit."""
    return count << pit * BYTE
