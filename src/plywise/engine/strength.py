"""Players of limited strength, for people who want to win now and then.

A weaker player searches fewer nodes and judges less well.  Where evaluations have a scale (``Tactics.swing``), a random
error is added to the values of the best moves before one is chosen; in other games a random move is played now and
then.  The levels are rough guesses, not measured.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a chess GUI should not wait for NumPy
    import random

    from plywise.game import Game
    from plywise.result import Result

LINES = 5
"""How many of the best moves a player with errors chooses from."""

WEAKEST, STRONGEST = 800, 2600
"""The range of Elo ratings for ``Strength.rated``."""
FEWEST_NODES, MOST_NODES = 150, 150_000
"""Nodes per move of the weakest and the strongest player."""
GREATEST_ERROR = 1.5
"""The standard error of the weakest player, in swings; the strongest has none."""


class Strength(NamedTuple):
    """How well to play."""

    nodes: int | None = None
    """The most positions to visit for a move; None: as many as time allows."""
    error: float = 0.0
    """The standard error of a judgement, in swings, where evaluations have a scale."""
    slip: float = 0.0
    """The probability of a random move, in games whose evaluations have no scale."""

    @classmethod
    def rated(cls, elo: int) -> Strength:
        """Return a player of about this Elo rating at chess.

        >>> Strength.rated(800), Strength.rated(2600)
        (Strength(nodes=150, error=1.5, slip=0.0), Strength(nodes=150000, error=0.0, slip=0.0))
        """
        share = (elo - WEAKEST) / (STRONGEST - WEAKEST)
        return cls(round(FEWEST_NODES * (MOST_NODES / FEWEST_NODES) ** share), GREATEST_ERROR * (1 - share))

    def lines(self, game: Game) -> int:
        """Return how many of the best moves a search must find."""
        return LINES if self.error and math.isfinite(float(game.swing)) else 1

    def choose(self, result: Result, chance: random.Random) -> Result:
        """Return the line to play: one that the search found, or a random move."""
        from plywise.game import sign

        game = result.game
        swing = float(game.swing)
        if math.isfinite(swing):
            turn, error = sign(game.to_move(result.state)), self.error * swing
            return max(result.lines or (result,), key=lambda line: turn * line.value + chance.gauss(0, error))
        if chance.random() < self.slip:
            move = chance.choice(list(game.moves(result.state)))
            return dataclasses.replace(result, move=move, line=(move,))
        return result


LEVELS: Mapping[str, Strength] = MappingProxyType(
    {
        "Beginner": Strength(100, 1.6, 0.45),
        "Easy": Strength(400, 1.0, 0.25),
        "Casual": Strength(2_000, 0.6, 0.12),
        "Club": Strength(10_000, 0.3, 0.05),
        "Strong": Strength(60_000, 0.1, 0.01),
        "Full strength": Strength(),
    }
)
"""Strengths by name, the weakest first."""
