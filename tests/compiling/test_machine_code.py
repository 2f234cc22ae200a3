"""Machine code is found again for arguments of the same types, and for no others."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any, NamedTuple

import numpy as np
from numba import typeof

import plywise as pw
from plywise.compiling.machine_code import kind_of
from plywise.compiling.native import RoundedUp
from plywise.compiling.native_types import native_type
from plywise.engine.plan import plan_for
from plywise.engine.table import Table, table_of
from plywise.engine.work import new_work
from plywise.games import ConnectFour, TicTacToe


class Pair(NamedTuple):
    one: int
    other: float


read_only = np.zeros(3)
read_only.flags.writeable = False
VALUES: list[Any] = [
    0, 1, -(1 << 63), 1 << 63, True, 0.0, (), (0,), (0.0,), (1, 2), (1, 2.0), ((1, 2), 3), (1, (2, 3)),
    Pair(1, 2.0), RoundedUp(1.0), (1.0,), pw.Cells([0] * 4), pw.Cells([0] * 100), np.int64(1), np.int8(1),
    np.float64(1), np.zeros(3), np.zeros(4), np.zeros(3, dtype=np.int64), np.zeros((3, 3)), np.zeros((3, 3)).T,
    np.zeros((4, 4))[::2, ::2], read_only, TicTacToe(), ConnectFour(), ConnectFour(5, 4), table_of(0.1), table_of(1),
    new_work(), plan_for(TicTacToe(), True), plan_for(TicTacToe(), False),
]  # fmt: skip


def test_equal_kinds_mean_equal_types() -> None:
    equal = 0
    for one, other in itertools.combinations(VALUES, 2):
        if kind_of(one) == kind_of(other):
            assert typeof(one) == typeof(other)
            equal += 1
    assert equal >= 5  # so that a search finds the code of the last one


def test_objects_of_one_pattern_share_their_type_and_nothing_else() -> None:
    one, other = table_of(0.1), table_of(1, "always")
    assert native_type(one) is native_type(other)
    assert native_type(one) == native_type(Table(slots=np.zeros(8, dtype=np.int64), settings=one.settings))
    one.slots[:] = one.settings[:] = 1
    assert not other.slots.any()
    assert len(other.slots) > len(one.slots)
    assert set(one.arrays) == set(other.arrays) == {"slots", "settings"}
    assert one.arrays["slots"] is one.slots
    assert one._native_address != other._native_address  # type: ignore[attr-defined]
    for again in (copy.copy(one), pickle.loads(pickle.dumps(one))):
        assert np.array_equal(again.slots, one.slots)
        assert native_type(again) == native_type(one)
