"""How well the search plays on the page: from a beginner to all that it has.

A weaker player sees less and judges less well.  Where evaluations have a scale (``Tactics.swing``), a random error is
added to what each of the best moves is worth; elsewhere, now and then, any move is played.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from plywise.engine.judgement import LINES, seemingly_best
from plywise.game import Move
from plywise.result import Result


class Level(NamedTuple):
    """A strength of play."""

    name: str
    nodes: int | None
    """Positions that may be visited for a move; None: as many as there is time for."""
    error: float
    """The usual error of a judgement, in swings."""
    slip: float
    """How often any move is played, in games whose evaluations have no scale."""

    def lines(self, swing: float) -> int:
        """Return how many of the best moves a search must find."""
        return LINES if self.error and math.isfinite(swing) else 1

    def choose(self, result: Result, chance: random.Random) -> Move:
        """Return the move that is played."""
        game = result.game
        swing = float(game.swing)
        if math.isfinite(swing):
            return seemingly_best(result, self.error * swing, chance).move
        if chance.random() < self.slip:
            return chance.choice(list(game.moves(result.state)))
        return result.move


LEVELS = (
    Level("Beginner", 100, 1.6, 0.45),
    Level("Easy", 400, 1.0, 0.25),
    Level("Casual", 2_000, 0.6, 0.12),
    Level("Club", 10_000, 0.3, 0.05),
    Level("Strong", 60_000, 0.1, 0.01),
    Level("Full strength", None, 0.0, 0.0),
)
