"""Closing in on a value by questions alone: is it at least this? (MTD(f), Plaat, Schaeffer, Pijls and de Bruin 1996)

A question is what many workers can answer together (``pieces``).  The window of a sequential search moves while it
runs, so helpers would not know what to ask.
"""

from __future__ import annotations

import math
from typing import Any

from plywise.algorithms.common import above, limits
from plywise.game import Game

PATIENCE = 3
"""After this many answers in a row on one side of the goal, the next goal takes a larger step."""


class Closing:
    """The bounds of a value, which every answer narrows.

    >>> from plywise.games import Nim
    >>> closing, value, goals = Closing(Nim(), 0), 5, []
    >>> while closing.is_open:
    ...     goals.append(closing.goal())
    ...     closing.take(goals[-1], value)
    >>> closing.low, closing.high, goals
    (5, 5, [0, 6])

    Args:
        game: whose value it is.
        guess: what it may be.
    """

    def __init__(self, game: Game, guess: Any) -> None:
        self.game, self.guess = game, guess
        self.low: Any = -math.inf
        self.high: Any = math.inf
        self._rises, self._answers = True, 0
        """Whether the last answer was yes, and how many like it came one after the other."""

    @property
    def is_open(self) -> bool:
        """Whether the value is not known yet."""
        return bool(self.low < self.high)

    def goal(self) -> Any:
        """Return the goal of the next question: above ``low``, and at most ``high``."""
        if not self._answers:
            return self.guess
        if self._answers < PATIENCE:
            return above(self.game, self.low) if self._rises else self.high
        if math.isinf(self.low) or math.isinf(self.high):
            far = 1 << self._answers
            return self.low + far if self._rises else self.high - far
        middle = self.low + (self.high - self.low) / 2
        _, goal = limits(self.game, (middle, middle))
        return min(self.high, max(above(self.game, self.low), goal))

    def take(self, goal: Any, value: Any) -> None:
        """Take the answer to ``v >= goal``: a lower bound if it reaches the goal, else an upper bound."""
        rises = bool(value >= goal)
        self._answers = self._answers + 1 if rises == self._rises else 1
        self._rises = rises
        if rises:
            self.low = value
        else:
            self.high = value
