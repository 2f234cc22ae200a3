"""Numbers added many at a time: compiled code does what plain Python does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit

from plywise.compiling.vectors import LANES, add_lanes, subtract_lanes


@pytest.mark.parametrize("change", [add_lanes, subtract_lanes])
def test_lanes_change_as_in_plain_python(change: Callable[..., None]) -> None:
    chance = np.random.default_rng(1)
    items = chance.integers(-(1 << 15), 1 << 15, (4, 2 * LANES)).astype(np.int16)
    start = chance.integers(-(1 << 15), 1 << 15, (2, 2 * LANES)).astype(np.int16)

    @njit
    def compiled(into: Any, items: Any, at: int, first: int) -> None:
        change(into, at, items, first)

    for at, first in ((0, 0), (LANES, 5 * LANES), (3 * LANES, 7 * LANES)):
        expected, found = start.copy(), start.copy()
        with np.errstate(over="ignore"):
            change(expected, at, items, first)
        compiled(found, items, at, first)
        assert np.array_equal(found, expected)
        untouched = np.ones(start.size, dtype=bool)
        untouched[at : at + LANES] = False
        assert np.array_equal(found.reshape(-1)[untouched], start.reshape(-1)[untouched])
        assert not np.array_equal(found, start)
