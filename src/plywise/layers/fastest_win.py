"""FastestWin: scores that ignore speed."""

from __future__ import annotations

import math
from typing import ClassVar

from plywise.layers.layer import Layer

LONGEST_LINE = 1000
"""Plies that a search may look ahead.  Deeper recursion would need more stack than a thread has."""


class FastestWin(Layer):
    """For games whose scores ignore speed: each ply to the win costs one point.  Buys: the fastest win.

    A game whose scores already tell fast wins from slow ones, such as Connect Four's, does not need it.
    """

    win_score: ClassVar[float] = math.inf
    """The lowest score that is a win.

    It must exceed every other score and every evaluation by more than 1000, the plies a search may look ahead; anything
    closer would be taken for a distant win.
    """

    def plies_to_win(self, score: float) -> int:
        """Return how many plies away the win is that a score stands for; -1 if it is no win."""
        plies = self.win_score - abs(score)
        return max(0, int(plies)) if plies <= LONGEST_LINE else -1
