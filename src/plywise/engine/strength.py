"""Players of limited strength, for people who want to win now and then.

A weaker player searches fewer nodes and errs.  Where evaluations have a scale (``Tactics.swing``), a random error is
added to the values of the best moves before one is chosen; in other games a random move is played now and then.  What
the levels are worth is measured by ``benchmarks/levels.py``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from plywise.layers.playouts import Playouts

if TYPE_CHECKING:  # a chess GUI should not wait for NumPy
    import random

    from plywise.game import Game, Move
    from plywise.result import Result

FULL_STRENGTH = "Full strength"
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
    """The most positions to visit for each of the best lines (see ``lines``); None: as many as time allows."""
    error: float = 0.0
    """The standard error of a judgement, in swings, where evaluations have a scale."""
    slip: float = 0.0
    """The probability of a random move."""

    @classmethod
    def rated(cls, elo: int) -> Strength:
        """Return a player of about this Elo rating at chess.

        >>> Strength.rated(800), Strength.rated(2600)
        (Strength(nodes=30, error=1.5, slip=0.0), Strength(nodes=150000, error=0.0, slip=0.0))
        """
        share = (elo - WEAKEST) / (STRONGEST - WEAKEST)
        error = GREATEST_ERROR * (1 - share)
        nodes = FEWEST_NODES * (MOST_NODES / FEWEST_NODES) ** share
        return cls(round(nodes / (LINES if error else 1)), error)

    def lines(self, game: Game) -> int:
        """Return how many of the best moves a search must find."""
        return LINES if self.error and has_scale(game) else 1

    def limit(self, game: Game, given: int | None = None) -> int | None:
        """Return the most positions to visit for a move; ``given`` is another limit, and the smaller one counts."""
        limits = [nodes for nodes in (given, self.nodes and self.nodes * self.lines(game)) if nodes is not None]
        return min(limits, default=None)

    def choose(self, result: Result, chance: random.Random, allowed: Callable[[], Sequence[Move]]) -> Result:
        """Return the line to play: one that the search found, or a slip, one of the allowed moves at random."""
        from plywise.game import sign

        game = result.game
        if chance.random() < self.slip:
            move = chance.choice(allowed())
            return dataclasses.replace(result, move=move, line=(move,))
        if not has_scale(game):
            return result
        turn, error = sign(game.to_move(result.state)), self.error * float(game.swing)
        return max(result.lines or (result,), key=lambda line: turn * line.value + chance.gauss(0, error))


class Level(NamedTuple):
    """A strength that people choose by its name: what it means depends on how a game is played."""

    judging: Strength
    """Where the engine plays and evaluations have a scale."""
    slipping: Strength
    """Elsewhere."""
    by_playouts: Strength
    """Where playouts decide; nodes include theirs, which are many and worth little."""

    @property
    def is_timed(self) -> bool:
        """Whether only time limits it: the others are done when they have visited their few positions."""
        return any(each.nodes is None for each in self)

    def strength(self, game: Game, by_engine: bool) -> Strength:
        """Return what it means in a game that the engine plays, or another algorithm."""
        if by_engine:
            return self.judging if has_scale(game) else self.slipping
        return self.by_playouts if isinstance(game, Playouts) else self.slipping


def has_scale(game: Game) -> bool:
    """Return whether the values of a game's evaluation have a scale."""
    return math.isfinite(float(game.swing))


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "Beginner": Level(Strength(1_800, 1.0), Strength(100, slip=0.5), Strength(1_500, slip=0.33)),
        "Easy": Level(Strength(2_700, 0.7), Strength(200, slip=0.37), Strength(3_500, slip=0.22)),
        "Casual": Level(Strength(5_000, 0.4), Strength(600, slip=0.25), Strength(8_000, slip=0.15)),
        "Amateur": Level(Strength(9_000, 0.2), Strength(1_400, slip=0.14), Strength(17_000, slip=0.1)),
        "Club": Level(Strength(22_000), Strength(4_500, slip=0.09), Strength(40_000, slip=0.065)),
        "Strong": Level(Strength(50_000), Strength(16_000, slip=0.04), Strength(120_000, slip=0.035)),
        "Expert": Level(Strength(140_000), Strength(60_000, slip=0.012), Strength(450_000, slip=0.01)),
        FULL_STRENGTH: Level(Strength(), Strength(), Strength()),
    }
)
"""Strengths by name, the weakest first."""
