"""Which bot is stronger, by how much, and how sure that is: Elo, error bars and a sequential test.

Games come in pairs: one opening, played from both sides, so that any advantage of the opening cancels out.  The unit of
counting is therefore the pair, with five results 0, 1/2, 1, 1 1/2 and 2 (the *pentanomial* model).  Its error bars are
narrower than those of the same number of single games.

Everything is derived from one number, ``deficit``: how far the maximum log-likelihood of the results drops if the mean
score must be s.

- The error bars enclose all s whose deficit is small (the empirical likelihood of Owen 1988).
- The likelihood of superiority comes from the deficit of s = 1/2.
- The generalised log-likelihood ratio of two hypotheses is the difference of their deficits.  Michel Van den Bergh
  worked this out for pairs of games, for Stockfish's fishtest; the sequential test is Wald's (1945).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plywise.errors import SearchError
from plywise.io.numbers import read_real

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score of a pair of games, as a share of the maximum."""
UNSEEN = 1e-3
"""The count given to a result that did not occur, so that it is not impossible (as in fishtest)."""
NARROW = 1e-12

Z95 = 1.959963984540054


def elo(score: float) -> float:
    """Return the Elo difference for a mean score from 0 to 1.

    >>> round(elo(0.75)), elo(0.5)
    (191, 0.0)
    """
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1) + 0.0


def expected(difference: float) -> float:
    """Return the expected mean score for an Elo difference: the inverse of ``elo``.

    >>> round(expected(191), 3)
    0.75
    """
    return 1 / (1 + 10 ** (-difference / 400))


def deficit(pairs: Sequence[float], score: float) -> float:
    """Return how far the log-likelihood of ``pairs`` is below its maximum if the true mean is ``score``.

    Args:
        pairs: how many pairs of games had each of the five results.
        score: between 0 and 1, both excluded.

    The likeliest distribution with this mean gives result a the probability p(a) / (1 + t (a - score)), where p(a) is
    its share of the pairs, and t is chosen so that the mean is right.
    """
    counts = [max(count, UNSEEN) for count in pairs]
    offsets = [outcome - score for outcome in OUTCOMES]

    def excess(tilt: float) -> float:  # falls as the tilt grows
        return sum(count * offset / (1 + tilt * offset) for count, offset in zip(counts, offsets, strict=True))

    tilt = _root(excess, -1 / offsets[-1], -1 / offsets[0])
    return sum(count * math.log1p(tilt * offset) for count, offset in zip(counts, offsets, strict=True))


def mean(pairs: Sequence[float]) -> float:
    """Return the mean score; 1/2 without pairs."""
    count = sum(pairs)
    weights = zip(pairs, OUTCOMES, strict=True)
    return sum(number * outcome for number, outcome in weights) / count if count else 0.5


class Estimate(NamedTuple):
    """An Elo difference with error bars."""

    elo: float
    low: float
    high: float
    """The error bars, ``low`` to ``high``, hold with 95 % confidence."""
    superiority: float
    """The probability that the first bot is the stronger one."""


def estimate(pairs: Sequence[float]) -> Estimate:
    """Return the Elo difference estimated from pairs of games.

    >>> shown = estimate([2, 8, 20, 14, 6])
    >>> [round(number) for number in shown[:3]], round(shown.superiority, 2)
    ([49, -1, 99], 0.97)
    """
    if not sum(pairs):
        return Estimate(0.0, -math.inf, math.inf, 0.5)
    middle = mean(pairs)
    most = Z95**2 / 2

    def doubt(score: float) -> float:
        return deficit(pairs, score) - most

    low = 0.0 if middle < NARROW else _edge(doubt, NARROW, middle)
    high = 1.0 if middle > 1 - NARROW else _edge(doubt, 1 - NARROW, middle)
    distance = math.sqrt(2 * max(0.0, deficit(pairs, 0.5)))
    superiority = math.erfc(-math.copysign(distance, middle - 0.5) / math.sqrt(2)) / 2
    return Estimate(elo(middle), elo(low), elo(high), superiority)


def _edge(doubt: Callable[[float], float], far: float, near: float) -> float:
    """Return, by bisection, the mean between ``near`` and ``far`` where ``doubt`` changes sign."""
    if doubt(far) <= 0:
        return round(far)  # even 0, or 1, is not excluded
    for _ in range(40):
        middle = (far + near) / 2
        if doubt(middle) > 0:
            far = middle
        else:
            near = middle
    return near


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a function that falls from +inf to -inf between ``low`` and ``high``, both excluded."""
    for _ in range(100):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class SPRT(NamedTuple):
    """A sequential test of H1, "stronger by ``elo1``", against H0, "stronger by ``elo0``".

    >>> test = SPRT(0, 10)
    >>> round(test.upper, 2), test.verdict([0, 0, 10, 0, 0])
    (2.94, None)
    >>> test.verdict([20, 80, 200, 140, 60])
    'H1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting H1 although H0 is true."""
    beta: float = 0.05
    """The probability of accepting H0 although H1 is true."""

    @classmethod
    def parse(cls, text: str) -> SPRT:
        """Return the test that ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA describes.

        Raises:
            SearchError: the text does not describe a test.
        """
        try:
            elo0, elo1, *risks = map(read_real, text.split(","))
            made = cls(elo0, elo1, *risks) if len(risks) in (0, 2) else None
        except ValueError:
            made = None
        if made is None:
            raise SearchError(f"{text!r} is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10") from None
        if not (made.elo0 < made.elo1 and 0 < made.alpha < 0.5 and 0 < made.beta < 0.5):
            raise SearchError(f"{text!r} is not a test: ELO0 must be below ELO1, ALPHA and BETA between 0 and 0.5")
        return made

    @property
    def lower(self) -> float:
        """H0 is accepted at or below this ratio."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at or above this ratio."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[float]) -> float:
        """Return the generalised log-likelihood ratio of the two hypotheses; positive favours H1."""
        if not sum(pairs):
            return 0.0
        return deficit(pairs, expected(self.elo0)) - deficit(pairs, expected(self.elo1))

    def verdict(self, pairs: Sequence[float]) -> str | None:
        """Return the accepted hypothesis; None if more games are needed."""
        ratio = self.ratio(pairs)
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else None
