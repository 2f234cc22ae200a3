"""Solving a game as the graph of its positions, some components at a time, so that the work can be saved in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from plywise.tables.components import Graph, components
from plywise.tables.dice import solve_dice
from plywise.tables.expansion import OVER
from plywise.tables.solving import DONE, ON_CYCLES, ROLLS, VARIES, WHERE, WITH_DICE, solve

STEP = 1 << 16
"""Positions that are solved before the work can be saved; more if they lead to one another."""

ROUNDING = 1e-15
"""A smaller tolerance would be below what sums of floats can tell."""

UNEVEN = (
    "repetition() is not the same for all positions of a cycle",
    "a value may depend on the positions before",
)
UNSETTLED = "its values depend on dice and on one another"


class Connected(NamedTuple):
    """What the rules say about all positions."""

    players: np.ndarray
    """Who is to move in each position."""
    scores: np.ndarray
    """The scores of finished games."""
    rests: np.ndarray
    """What each position is worth if the game never ends."""
    starts: np.ndarray
    """Where the successors of each position begin in ``after``."""
    after: np.ndarray
    """The successors."""
    chances: np.ndarray
    """Their probabilities; empty without dice."""


class Solved(NamedTuple):
    """What is known about the positions so far."""

    values: np.ndarray
    distances: np.ndarray
    choices: np.ndarray
    """The move of each position, as a number from 0 on; empty without dice."""
    errors: np.ndarray
    """How far each value may be from the exact one; empty without dice."""
    counts: np.ndarray
    """What ``solve`` counts."""

    @staticmethod
    def from_lists(arrays: list[np.ndarray]) -> Solved | None:
        """Return what a checkpoint had."""
        return Solved(*arrays) if arrays else None

    def to_lists(self) -> list[np.ndarray]:
        """Return what a checkpoint must hold."""
        return list(self)


class Solving:
    """The work on one graph."""

    def __init__(self, connected: Connected, dice: bool, tolerance: float, saved: Solved | None) -> None:
        self.connected, self.dice = connected, dice
        count = len(connected.players)
        self.solved = saved or Solved(
            connected.scores.copy(), np.zeros(count, np.int32), np.zeros(count * dice, np.int32),
            np.zeros(count * dice), np.zeros(4, np.int64),
        )  # fmt: skip
        outcomes = np.where(connected.players == OVER, connected.scores, connected.rests)
        self.limits = np.array([outcomes.min(initial=0), outcomes.max(initial=0), 0.0])
        self.limits[2] = max(tolerance, ROUNDING) * max(1.0, np.abs(self.limits).max())
        self.problem: tuple[int, str, str] | None = None
        """A position that cannot be solved, why, and what follows."""

    def steps(self, kernel: Callable[[Any], Any], tell: Callable[[int], None]) -> Iterator[None]:
        """Solve all components; yield whenever the work can be saved.  ``tell`` hears how many positions are done."""
        rests, solved = self.connected.rests, self.solved
        graph, bounds = self._components(kernel)
        upper = solved.values.copy() if self.dice else np.zeros(0)
        while (done := int(solved.counts[DONE])) < len(bounds) - 1:
            tell(int(bounds[done]))
            stop = min(len(bounds) - 1, int(np.searchsorted(bounds, bounds[done] + STEP)))
            outcome = kernel(solve)(
                graph, bounds, stop, rests, solved.values, solved.distances, upper, solved.choices, solved.errors,
                solved.counts,
            )  # fmt: skip
            if outcome == VARIES:
                self.problem = int(solved.counts[WHERE]), *UNEVEN
                return
            if outcome == ROLLS:
                first, last = bounds[solved.counts[DONE]], bounds[solved.counts[DONE] + 1]
                node = int(graph.order[first])
                if not kernel(solve_dice)(
                    graph, first, last, rests[node], solved.values, upper, solved.choices, solved.errors, self.limits
                ):
                    self.problem = node, UNSETTLED, f"no values were found to the tolerance of {self.limits[2]:.0e}"
                    return
                solved.counts[[DONE, ON_CYCLES, WITH_DICE]] += (1, last - first, last - first)
            yield

    def _components(self, kernel: Callable[[Any], Any]) -> tuple[Graph, np.ndarray]:
        """Return the graph, with the positions in order, and where its components begin in this order."""
        players, _, _, starts, after, chances = self.connected
        count = len(players)
        order, bounds = np.empty(count, dtype=np.int32), np.empty(count + 1, dtype=np.int64)
        found = kernel(components)(starts, after, order, bounds)
        places = np.empty(count * self.dice, dtype=np.int32)
        if self.dice:
            places[order] = np.arange(count, dtype=np.int32)
        return Graph(order, places, starts, after, chances, players), bounds[: found + 1]

    @property
    def has_choices(self) -> bool:
        """Whether the values of the successors do not tell the move: positions recur, and there are dice."""
        return self.dice and bool(self.solved.counts[ON_CYCLES])

    @property
    def method(self) -> str:
        """How the values were found."""
        if self._rolls:
            return "value iteration"
        return "retrograde analysis" if self.solved.counts[ON_CYCLES] else "backward induction"

    @property
    def exactness(self) -> float:
        """How far a value may be from the exact one."""
        return float(self.limits[2]) if self._rolls else 0.0

    @property
    def _rolls(self) -> bool:
        """Whether dice are on a cycle."""
        return bool(self.solved.counts[WITH_DICE])
