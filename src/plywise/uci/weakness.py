"""Playing worse on purpose, for people who want to win now and then (UCI_LimitStrength, UCI_Elo).

A weaker player sees less and judges less well.  So the search gets few nodes, and of its best moves the one is played
that looks best to somebody whose judgement is off by a random error.  Both change evenly with UCI_Elo.  The scale is
rough: it was made to be plausible, not measured against people.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from plywise.uci.options import STRONGEST, WEAKEST

if TYPE_CHECKING:
    from plywise.result import Result

FEWEST, MOST = 150, 150_000
"""Nodes for a move of the weakest and the strongest."""
GREATEST_ERROR = 150.0
"""The weakest player's usual error, in centipawns; the strongest makes none."""


class Weakness(NamedTuple):
    """What a rating costs."""

    nodes: int
    error: float
    """In centipawns."""

    @classmethod
    def of(cls, elo: int) -> Weakness:
        """Return what makes a player of about this rating.

        >>> Weakness.of(800).nodes, Weakness.of(2600)
        (150, Weakness(nodes=150000, error=0.0))
        """
        share = (elo - WEAKEST) / (STRONGEST - WEAKEST)
        return cls(round(FEWEST * (MOST / FEWEST) ** share), GREATEST_ERROR * (1 - share))

    def choose(self, result: Result, chance: random.Random) -> Result:
        """Return the line that seems best, of those that were found."""
        from plywise.engine.judgement import seemingly_best

        return seemingly_best(result, self.error, chance)
