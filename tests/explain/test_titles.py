"""The titles of games."""

from __future__ import annotations

from typing import Any

import numpy as np

import plywise as pw
from plywise.explain.titles import in_words


class Weighted(pw.games.Nim):
    """Nim with weights: an array is compared item by item."""

    weights: Any = (1, 2)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", np.array(self.weights))


def test_arrays_are_not_told() -> None:
    assert in_words(Weighted()) == "Weighted"
    assert in_words(Weighted((2, 3))) == "Weighted with heaps 2 3"
