"""Who is stronger, by how much, and how sure that is: Elo, error bars and a sequential test.

Games come in pairs from one opening, played from both sides: the second game takes back what the opening gave in the
first.  So the pair is what is counted, with its five results 0, 1/2, 1, 1 1/2 and 2 (the *pentanomial* model), and the
error bars are narrower than those of as many single games.

Everything is derived from one number, ``deficit``: how much less likely the results are under the likeliest of all
distributions with a given mean than under the likeliest of all.  With s a mean score,

- the error bars hold those s whose deficit is small (the empirical likelihood of Owen 1988);
- the likelihood of superiority comes from the deficit of s = 1/2;
- the generalised log-likelihood ratio of two hypotheses is the difference of their deficits.  Michel Van den
  Bergh worked this out for pairs of games, for Stockfish's fishtest; the sequential test is Wald's (1945).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plywise.errors import SearchError
from plywise.io.numbers import read_real

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score of a pair of games, as a share of what can be had."""
UNSEEN = 1e-3
"""What counts for a result that did not occur, so that it is not impossible (as in fishtest)."""
NARROW = 1e-12

Z95 = 1.959963984540054


def elo(score: float) -> float:
    """Return the difference in Elo that a mean score between 0 and 1 tells of.

    >>> round(elo(0.75)), elo(0.5)
    (191, 0.0)
    """
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1) + 0.0


def expected(difference: float) -> float:
    """Return the mean score that a difference in Elo promises: the opposite of ``elo``.

    >>> round(expected(191), 3)
    0.75
    """
    return 1 / (1 + 10 ** (-difference / 400))


def deficit(pairs: Sequence[float], score: float) -> float:
    """Return how much the log-likelihood of ``pairs`` falls short if the true mean is ``score``.

    Args:
        pairs: how many pairs of games had each of the five results.
        score: between 0 and 1, both excluded.

    The likeliest distribution with this mean gives a result a the probability p(a) / (1 + t (a - score)), where p is
    its share of the pairs and t is what makes the mean right.
    """
    counts = [max(count, UNSEEN) for count in pairs]
    offsets = [outcome - score for outcome in OUTCOMES]

    def excess(tilt: float) -> float:  # falls as the tilt grows
        return sum(count * offset / (1 + tilt * offset) for count, offset in zip(counts, offsets, strict=True))

    tilt = _root(excess, -1 / offsets[-1], -1 / offsets[0])
    return sum(count * math.log1p(tilt * offset) for count, offset in zip(counts, offsets, strict=True))


def mean(pairs: Sequence[float]) -> float:
    """Return the mean score; 1/2 if there was no pair."""
    count = sum(pairs)
    weights = zip(pairs, OUTCOMES, strict=True)
    return sum(number * outcome for number, outcome in weights) / count if count else 0.5


class Estimate(NamedTuple):
    """A difference in Elo, with error bars."""

    elo: float
    low: float
    high: float
    """With a confidence of 95 %."""
    superiority: float
    """The probability that the first bot is the stronger one."""


def estimate(pairs: Sequence[float]) -> Estimate:
    """Return what pairs of games tell about the difference in Elo.

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
    """Return the mean nearest to ``near`` that the results speak against, searched for from ``far``."""
    if doubt(far) <= 0:
        return round(far)  # nothing speaks against 0, or 1
    for _ in range(40):
        middle = (far + near) / 2
        if doubt(middle) > 0:
            far = middle
        else:
            near = middle
    return near


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function is zero that falls from +inf to -inf between the two, both excluded."""
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
    """A sequential test of "stronger by ``elo1``" against "by ``elo0``", which ends as soon as it may.

    >>> test = SPRT(0, 10)
    >>> round(test.upper, 2), test.verdict([0, 0, 10, 0, 0])
    (2.94, None)
    >>> test.verdict([20, 80, 200, 140, 60])
    'H1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often "by elo1" may be taken for true where "by elo0" is."""
    beta: float = 0.05
    """How often the other way round."""

    @classmethod
    def parse(cls, text: str) -> SPRT:
        """Return the test that ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA describes.

        Raises:
            SearchError: it describes none.
        """
        try:
            elo0, elo1, *risks = map(read_real, text.split(","))
            made = cls(elo0, elo1, *risks) if len(risks) in (0, 2) else None
        except ValueError:
            made = None
        if made is None:
            raise SearchError(f"{text!r} is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10") from None
        if not (made.elo0 < made.elo1 and 0 < made.alpha < 0.5 and 0 < made.beta < 0.5):
            raise SearchError(f"{text!r} is no test: ELO0 must be below ELO1, ALPHA and BETA between 0 and 0.5")
        return made

    @property
    def lower(self) -> float:
        """Where H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Where H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[float]) -> float:
        """Return the generalised log-likelihood ratio of the two hypotheses; positive speaks for ``elo1``."""
        if not sum(pairs):
            return 0.0
        return deficit(pairs, expected(self.elo0)) - deficit(pairs, expected(self.elo1))

    def verdict(self, pairs: Sequence[float]) -> str | None:
        """Return which hypothesis is accepted; None: it takes more games."""
        ratio = self.ratio(pairs)
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else None
