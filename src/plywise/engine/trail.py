"""What a round leaves: the positions on its way down the tree, the moves of its playout, for RAVE, and the random
numbers that chose them.

A trail is also the tally of its thread: every move of a playout counts as a node, so a limit stops a playout too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.algorithms.watch import Tally, tally_arrays
from plywise.bits import shift_left, shift_right, signed
from plywise.compiling.native import inlined
from plywise.errors import GameError
from plywise.game import Move
from plywise.inputs.limits import LONGEST_LINE

SLOTS = 1 << 12
"""Places in ``Trail.first``, a power of two.  Moves whose integers differ by a multiple of it share one: RAVE is then
less accurate.
"""
LUCK, ROUND, LEFT, MOST, PAST, HERE = range(6)
"""Places in ``Trail.now``: the state of the random generator, the number of the round, the moves that the playout may
still make, and how many a playout may make; how many positions lead to the root, and how many to the node that the
round has reached.
"""

SPARE = 1000
"""How many moves more than ``left`` allows a playout may note."""
ENDLESS = "a playout does not end: it must stop when the game is over, or when trail.left() is 0"


class Trail(Tally):
    """The tally of a thread, its random numbers, and who made each move first in this round."""

    now: np.ndarray
    first: np.ndarray
    """For each move: twice the number of the last round that made it, plus the player who did so first."""
    path: np.ndarray
    """The marks (``work.path_mark``) of the positions to the root and on the way down the tree."""
    remembers: bool
    """Whether to keep the moves."""

    def start(self) -> None:
        """Start a playout."""
        self.now[ROUND] += 1
        self.now[LEFT] = self.now[MOST]

    # For playouts ---------------------------------------------------------------------------------------------------

    @inlined
    def luck(self) -> int:
        """Return a random number of 63 bits."""
        luck = scrambled(int(self.now[LUCK]))
        self.now[LUCK] = luck
        return shift_right(luck, 1)

    @inlined
    def below(self, count: int) -> int:
        """Return a random number from 0 to ``count - 1``, for a count of less than 2^31."""
        return shift_right(shift_right(self.luck(), 32) * count, 31)

    def fraction(self) -> float:
        """Return a random number from 0 to 1, without 1: 53 of its bits."""
        return shift_right(self.luck(), 10) / (1 << 53)

    @inlined
    def left(self) -> int:
        """Return how many moves the playout may still make."""
        return self.now[LEFT]  # type: ignore[no-any-return]

    @inlined
    def note(self, player: int, move: Move) -> None:
        """Count a move of a playout, and remember who made it first."""
        self.enter(0, 0, 0, 0)
        if self.now[LEFT] <= -SPARE:
            raise GameError(ENDLESS)
        self.now[LEFT] -= 1
        if self.remembers and shift_right(int(self.first[move & SLOTS - 1]), 1) != self.now[ROUND]:
            self.mark(player, move)

    # For the tree ---------------------------------------------------------------------------------------------------

    @inlined
    def set_out(self) -> None:
        """Go back to the root."""
        self.now[HERE] = self.now[PAST]

    @inlined
    def pass_by(self, mark: int) -> None:
        """Put the mark of a position on the path; beyond the longest line, nothing is kept."""
        here = self.now[HERE]
        if here < len(self.path):
            self.path[here] = mark
            self.now[HERE] = here + 1

    @inlined
    def repeats(self, mark: int, reversible: int) -> bool:
        """Return whether one of the last ``reversible`` positions on the path has this mark."""
        end = self.now[HERE]
        return any(self.path[place] == mark for place in range(max(0, end - reversible), end))

    @inlined
    def mark(self, player: int, move: Move) -> None:
        """Remember that ``player`` made a move before all others who made it in this round."""
        if self.remembers:
            self.first[move & SLOTS - 1] = 2 * self.now[ROUND] + player

    @inlined
    def made(self, player: int, move: Move) -> bool:
        """Return whether ``player`` was the first to make this move in this round."""
        return self.remembers and self.first[move & SLOTS - 1] == 2 * self.now[ROUND] + player


def new_trail(seed: int, thread: int, most: int, remembers: bool, past: Sequence[int] = ()) -> Trail:
    """Return the trail of a thread, whose playouts make at most ``most`` moves; ``past`` are the marks of the positions
    to the root, if positions can repeat.
    """
    source = np.random.SeedSequence(seed) if thread == 0 else np.random.SeedSequence((seed, thread))
    luck = signed(int(source.generate_state(1, np.uint64)[0])) or 1
    arrays: dict[str, Any] = tally_arrays(0)
    return Trail(
        **arrays,
        now=np.array([luck, 0, 0, most, len(past), len(past)], dtype=np.int64),
        first=np.zeros(SLOTS if remembers else 1, dtype=np.int64),
        path=np.array([*past, *[0] * LONGEST_LINE] if past else [0], dtype=np.int64),
        remembers=remembers,
    )


def scrambled(luck: int) -> int:
    """Return the random number after ``luck``, both 64 bits and not zero (xorshift, Marsaglia 2003)."""
    luck ^= shift_left(luck, 13)
    luck ^= shift_right(luck, 7)
    return luck ^ shift_left(luck, 17)
