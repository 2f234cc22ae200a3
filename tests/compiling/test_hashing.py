"""Hashes of keys are the same compiled, interpreted and in later versions, for tables on disk."""

from __future__ import annotations

import random
from typing import Any

import numba
import pytest

from plywise.cells import Cells
from plywise.compiling.hashing import FEW_WORDS, bucket, mark, signature, spread

BUCKETS = 1_000_003


@numba.njit
def hashes(key):
    return spread(key), bucket(key, BUCKETS), signature(key)


CHANCE = random.Random(5)


def word() -> int:
    return CHANCE.getrandbits(64) - (1 << 63)


def cells(length: int) -> Cells:
    return Cells([CHANCE.randrange(-128, 128) for _ in range(length)])


KNOWN = [
    (0, (0, 0, 0)),
    (1, (3119036373970289394, 33917, 625666341681347298)),
    (-1, (8536903069655516636, 58457, 1078346260848400069)),
    (word(), (3160890800297895431, 480304, 8860031101802530898)),
    ((word(), word()), (8870447327644512425, 489577, -2042266677698310427)),
    ((3, (word(), 0.5, True)), (8696165581667440497, 169999, 4828115568165393824)),
    (tuple(word() for _ in range(FEW_WORDS)), (6789412808278309354, 323254, 7381266021924708352)),
    (tuple(word() for _ in range(FEW_WORDS + 1)), (178650799494900694, 635433, 4653181969094054032)),
    ((1, cells(9)), (3579579378170816410, 467055, 3758233158361405610)),
    (cells(100), (4532722171105493033, 69002, 4233404656903011516)),
    (-2.5, (2638893388773881628, 999157, -15589117355582009)),
]


@pytest.mark.parametrize(("key", "expected"), KNOWN, ids=map(str, range(len(KNOWN))))
def test_hashes_are_what_they_always_were(key: Any, expected: tuple[int, int, int]) -> None:
    assert hashes(key) == expected
    assert (bucket(key, BUCKETS), signature(key)) == expected[1:]


@pytest.mark.parametrize("length", [9, 100])  # short keys and long ones are hashed differently
def test_hashes_depend_on_every_cell(length: int) -> None:
    changed = [Cells([0] * length).with_item(cell, value) for cell in range(length) for value in (1, -1)]
    for number in range(3):
        assert len({hashes(each)[number] for each in changed}) == 2 * length
    for each in changed:
        assert hashes(each)[1:] == (bucket(each, BUCKETS), signature(each))


def test_plain_python_also_hashes_wide_integers_and_objects() -> None:
    keys = [*(sign << shift for sign in (1, -1) for shift in range(0, 400, 8)), "one", ("one", 1), None]
    assert len({signature(key) for key in keys}) == len(keys)


def test_a_mark_is_the_position_itself_in_plain_python() -> None:
    assert mark((1, "x")) == (1, "x")
