"""FastestWin: prefer quick wins in games whose scores ignore speed."""

from __future__ import annotations

import math
from typing import ClassVar

from plywise.layers.layer import Layer

LONGEST_LINE = 1000
"""The most plies a search may look ahead.  Deeper recursion would overflow a thread's stack."""


class FastestWin(Layer):
    """For games whose scores ignore speed.  Each ply to the win costs one point.  Buys: the fastest win.

    Games such as Connect Four, whose scores already reward fast wins, do not need it.
    """

    win_score: ClassVar[float] = math.inf
    """The lowest score that counts as a win.

    It must exceed every other score and evaluation by more than 1000, the most plies a search may look ahead; a closer
    score would be mistaken for a distant win.
    """

    def plies_to_win(self, score: float) -> int:
        """Return the number of plies to the win that a score stands for; -1 if it is not a win."""
        plies = self.win_score - abs(score)
        return max(0, int(plies)) if plies <= LONGEST_LINE else -1
