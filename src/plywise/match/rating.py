"""A rating from matches against opponents of known rating.

A rating r predicts the score ``expected(r - R)`` against an opponent rated R.  The likeliest r minimises the sum of
``elo.deficit``, the loss of log-likelihood, over all matches.  The error bars enclose all r whose sum is not much
larger, as ``elo.estimate`` does for one match.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plywise.match.elo import Z95, deficit, expected

FAR = 1200.0
"""How far below the weakest and above the strongest opponent to look for a rating."""
STEP = 50.0
"""The distance between the ratings tried first; the best of them is then refined."""


class Match(NamedTuple):
    """The result of a match against an opponent of known rating."""

    opponent: float
    """The opponent's rating."""
    pairs: Sequence[float]
    """How many pairs of games scored 0, 1/2, 1, 1 1/2 and 2 points."""


class Rating(NamedTuple):
    """A rating with error bars."""

    rating: float
    low: float
    high: float
    """The error bars, ``low`` to ``high``, hold with 95 % confidence; infinite where the matches set no limit."""
    agreement: float
    """The probability that matches disagree at least as much as these, if the opponents' ratings are right."""


def rate(matches: Sequence[Match]) -> Rating | None:
    """Return the likeliest rating; None if no pair of games was played.

    >>> shown = rate([Match(2000, [2, 8, 20, 14, 6]), Match(2100, [6, 14, 20, 8, 2])])
    >>> [round(number) for number in shown[:3]], round(shown.agreement, 2)
    ([2050, 2015, 2085], 0.95)
    """
    counted = [match for match in matches if sum(match.pairs)]
    if not counted:
        return None

    def shortfall(rating: float) -> float:
        return sum(deficit(match.pairs, expected(rating - match.opponent)) for match in counted)

    ratings = [match.opponent for match in counted]
    lowest, highest = min(ratings) - FAR, max(ratings) + FAR
    best = _lowest(shortfall, lowest, highest)
    least = shortfall(best)
    most = least + Z95**2 / 2
    low = -math.inf if shortfall(lowest) <= most else _edge(shortfall, lowest, best, most)
    high = math.inf if shortfall(highest) <= most else _edge(shortfall, highest, best, most)
    return Rating(best, low, high, _chance_of_more(2 * least, len(counted) - 1))


def _lowest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a unimodal function is lowest: first on a grid, then by ternary search."""
    count = math.ceil((high - low) / STEP)
    middle = min((low + step * (high - low) / count for step in range(count + 1)), key=function)
    low, high = max(low, middle - STEP), min(high, middle + STEP)
    while high - low > 1e-3:
        third = (high - low) / 3
        if function(low + third) <= function(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def _edge(function: Callable[[float], float], far: float, near: float, most: float) -> float:
    """Return where a function crosses ``most``, between ``near``, where it is below, and ``far``, where it is above."""
    while abs(far - near) > 1e-3:
        middle = (far + near) / 2
        if function(middle) > most:
            far = middle
        else:
            near = middle
    return near


def _chance_of_more(square: float, freedom: int) -> float:
    """Return the probability that chi-squared is at least ``square``, with ``freedom`` degrees of freedom.

    Two more degrees of freedom add one term to the tail: Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1).

    >>> round(_chance_of_more(3.841459, 1), 4), round(_chance_of_more(7.814728, 3), 4), _chance_of_more(5.0, 0)
    (0.05, 0.05, 1.0)
    """
    if freedom < 1:
        return 1.0
    half = square / 2
    order = 0.5 if freedom % 2 else 1.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while order < freedom / 2:
        tail += half**order * math.exp(-half) / math.gamma(order + 1)
        order += 1
    return min(1.0, tail)
