"""How many positions a game has and how much memory they need, estimated from the first layers.

From layer to layer the number of positions grows by a factor that shrinks: more and more moves lead to positions that
other moves lead to as well, and the board fills.  As long as the logarithm of that factor falls steadily, the sizes of
the layers form a bell, and its other side can be drawn after the first.  Where it does not fall yet there is no
estimate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from plywise.inputs.limits import memory_mb

ENOUGH = 20_000
"""So many positions are found before there is an estimate."""

FACTORS = 5
"""How many of the last factors an estimate follows from."""

LEAST_SLOPE = 0.01
"""How fast the logarithm of the factor must fall, from layer to layer."""


class Need(NamedTuple):
    """What a table will need, to an order of magnitude."""

    positions: int | None
    """How many positions there may be; None if that cannot be told yet."""
    bytes_each: int
    """The bytes of a position while the table is made."""

    @property
    def megabytes(self) -> float | None:
        """The memory that the table may need while it is made."""
        return None if self.positions is None else self.positions * self.bytes_each / 1e6

    def __str__(self) -> str:
        if self.megabytes is None:
            return f"no estimate yet of the number of positions; each needs about {self.bytes_each} bytes of memory"
        room = memory_mb()
        short = "" if room is None or self.megabytes < room else f", but this machine has {room:,.0f} MB"
        return f"estimate: {_rounded(self.positions or 0)} positions, {_rounded(self.megabytes)} MB of memory{short}"


def _rounded(number: float) -> str:
    """Return a number to one digit, as an estimate deserves.

    >>> _rounded(69_763_700), _rounded(0.7)
    ('70,000,000', '1')
    """
    digits = max(0, math.floor(math.log10(max(1.0, number))))
    return f"{round(number, -digits) if number >= 1 else 1:,.0f}"


def estimated(layers: Sequence[int]) -> int | None:
    """Return an estimate of the number of positions from the sizes of the first layers; None if there is none yet.

    >>> estimated([1, 5, 25, 95, 345, 1070, 3230, 8325, 20088])  # Connect Four, 5 by 4: 3,945,711
    4550244
    """
    factors = [math.log(after / before) for before, after in pairwise(layers)][-FACTORS:]
    if len(factors) < FACTORS:
        return None
    middle, mean = (FACTORS - 1) / 2, sum(factors) / FACTORS
    slope = sum((i - middle) * factor for i, factor in enumerate(factors)) / sum(
        (i - middle) ** 2 for i in range(FACTORS)
    )
    if slope > -LEAST_SLOPE:
        return None
    total, size, factor = float(sum(layers)), float(layers[-1]), mean + slope * (FACTORS - 1 - middle)
    while size >= 1:
        factor += slope
        size *= math.exp(factor)
        total += size
    return int(total)
