"""SPSA: improve many numbers at once by comparing two points at a time (Spall 1992).

Every iteration moves all numbers by a little, each up or down at random, and compares this point with its mirror image
on the other side.  The better of the two shows the way, for all numbers at once: a comparison of one pair of games says
little about each number, but thousands add up.

The numbers are shares of their ranges, from 0 to 1, and an outcome is from -1 (the mirror image is far better) to 1.
So the same gains fit any game, and they follow from the number of iterations alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

ALPHA, GAMMA = 0.602, 0.101
"""How fast the gains a and the perturbations c decay (Spall 1998): a / (A + k) ** ALPHA and c / k ** GAMMA."""
STABILITY = 0.1
"""A, as a share of all iterations: it keeps the first steps from being too long."""
PERTURBATION = 0.12
"""The perturbation of the last iteration, as a share of the range."""
STEP = 0.08
"""How far an outcome of 1 moves every number in the last iteration, times the square root of the number of iterations.
Noise alone then carries a number by about 7 % of its range, however long the run is.

Both were chosen by simulated matches: 23 numbers that cost 10 to 30 Elo at the start, 500 to 10,000 iterations.  Steps
twice as long lose more to noise than they gain."""


class Trial(NamedTuple):
    """One iteration."""

    number: int
    """From 1."""
    total: int
    """How many iterations there will be, as far as is known."""
    signs: np.ndarray
    """For every number 1 or -1: the direction in which it is moved."""

    @property
    def perturbation(self) -> float:
        """How far every number is moved: c_k."""
        return PERTURBATION * math.pow(self.end / self.number, GAMMA)

    @property
    def step(self) -> float:
        """How far an outcome of 1 moves every number: a_k / (2 c_k)."""
        stability = STABILITY * self.end
        gain = math.pow((stability + self.end) / (stability + self.number), ALPHA)
        return STEP / math.sqrt(self.end) * gain * PERTURBATION / self.perturbation

    @property
    def end(self) -> int:
        """The number of the last iteration; an estimate may have been too low."""
        return max(self.number, self.total)


def trial(number: int, total: int, count: int, seed: int) -> Trial:
    """Return an iteration; its signs depend on its number and the seed alone."""
    chance = random.Random(f"{seed} {number} signs")
    return Trial(number, total, np.array([chance.choice((-1.0, 1.0)) for _ in range(count)]))


class Climb:
    """Numbers on their way, as shares of their ranges.

    >>> climb = Climb([0.5, 0.5])
    >>> for number in range(1, 1001):
    ...     now = trial(number, 1000, 2, seed=1)
    ...     plus, minus = (-(5 * (point[0] - 0.7) ** 2) for point in climb.points(now))
    ...     climb.learn(now, plus - minus)
    >>> bool(abs(climb.here[0] - 0.7) < 0.05)
    True
    """

    def __init__(self, start: Sequence[float]) -> None:
        self.here = np.array(start, dtype=float)
        """The numbers now."""

    def points(self, trial: Trial) -> tuple[np.ndarray, np.ndarray]:
        """Return the two points to compare."""
        change = trial.perturbation * trial.signs
        return np.clip(self.here + change, 0, 1), np.clip(self.here - change, 0, 1)

    def learn(self, trial: Trial, outcome: float) -> None:
        """Go a step towards the better point.  Other iterations may have been learned from since the trial began."""
        self.here = np.clip(self.here + trial.step * outcome * trial.signs, 0, 1)
