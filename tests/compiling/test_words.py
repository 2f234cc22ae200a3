"""A value and its machine words: the same words compiled and interpreted, and the same value back."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import plywise as pw
from plywise.compiling.native_types import native_type, state_type
from plywise.compiling.rows import number_at, put, row_has, rows_of, state_at
from plywise.compiling.words import fits, leaves, plain_numbers, plain_words, signed, word_count
from tests.readings import compiled, interpreted


class Inner(NamedTuple):
    near: bool
    far: float


class Mixed(NamedTuple):
    left: int
    inner: Inner
    cells: pw.Cells
    pair: tuple[int, tuple[float, int]]


CELLS = pw.Cells(range(-9, 12))
STATE = Mixed(-(1 << 63), Inner(True, -0.5), CELLS, (7, (math.inf, (1 << 63) - 1)))


class Holder(pw.Game):
    """No game: only positions."""

    def initial(self):
        return STATE

    def score(self, state):
        return state.inner.far

    def evaluate(self, state):
        return 0


class Number(Holder):
    """Its positions are single numbers."""

    def initial(self):
        return 3

    def score(self, state):
        return state


OTHERS = [
    STATE,
    STATE._replace(left=5),
    STATE._replace(inner=Inner(False, 1e300)),
    STATE._replace(cells=CELLS.with_item(20, -128)),
    STATE._replace(pair=(7, (0.0, 3))),
]


def write(game, state, rows):
    put(rows, 0, 1, state)
    return row_has(rows, 0, 1, state)


def test_compiled_and_interpreted_words_are_the_same() -> None:
    for state in OTHERS:
        rows = np.zeros((1, 2 + word_count(state)), dtype=np.int64)
        assert compiled(write, Holder(), rows, state=state)
        assert rows.tolist() == [[0, *plain_words(state, STATE), 0]]


def read_again(game, state, rows, other):
    """Return whether the position of each row is still the one that was written there."""
    known = state_at(game, rows, other)
    put(rows, other, 0, known)
    return row_has(rows, other, 0, known) and known.left == state.left and known.cells == state.cells


@pytest.mark.parametrize("run", [compiled, interpreted])
def test_a_position_comes_back_from_its_row(run: Any) -> None:
    rows = rows_of(OTHERS, STATE, run is compiled)
    copies = rows.copy()
    for row, state in enumerate(OTHERS):
        assert run(read_again, Holder(), rows, row, state=state)
    assert np.array_equal(rows, copies)


def differs(game, state, rows, row):
    return row_has(rows, row, 0, state)


@pytest.mark.parametrize("run", [compiled, interpreted])
def test_a_row_has_its_own_position_only(run: Any) -> None:
    rows = rows_of(OTHERS, STATE, run is compiled)
    for row in range(len(OTHERS)):
        for other, state in enumerate(OTHERS):
            assert run(differs, Holder(), rows, row, state=state) == (row == other)


def numbers(game, state, rows):
    put(rows, 0, 1, game.score(state))
    return number_at(game, rows, 0, 1)


@pytest.mark.parametrize(("game", "expected"), [(Holder(), -0.5), (Number(), 3)], ids=["float", "whole"])
def test_a_score_comes_back_from_its_column(game: pw.Game, expected: float) -> None:
    assert compiled(numbers, game, np.zeros((1, 2), dtype=np.int64)) == expected
    assert interpreted(numbers, game, np.zeros((1, 2), dtype=object)) == expected


def at(game, state, rows, row):
    return state_at(game, rows, row) + 0


@pytest.mark.parametrize("run", [compiled, interpreted])
def test_a_position_may_be_a_single_number(run: Any) -> None:
    rows = rows_of([3, -4, 1 << 62], 3, run is compiled)
    assert [run(at, Number(), rows, row) for row in range(3)] == [3, -4, 1 << 62]


def test_numbers_come_back_from_words_one_by_one() -> None:
    kind = state_type(numba.core.registry.cpu_target.typing_context, native_type(Holder()))
    words = [*plain_words(STATE, STATE), 99]
    assert list(plain_numbers(words, kind)) == [STATE.left, True, -0.5, *CELLS, 7, math.inf, (1 << 63) - 1]
    assert word_count(kind) == word_count(STATE) == len(words) - 1
    assert leaves(STATE) == [STATE.left, True, -0.5, CELLS, 7, math.inf, (1 << 63) - 1]


def test_a_number_becomes_a_float_where_the_example_has_one() -> None:
    assert plain_words((1, True), (0.5, 0)) == [*plain_words(1.0, 1.0), 1]


def test_what_fits_a_word() -> None:
    for number in (0, -1, (1 << 63) - 1, -(1 << 63)):
        assert fits(number)
        assert signed(number) == number
    for number in (1 << 63, -(1 << 63) - 1, 1 << 64):
        assert not fits(number)
        assert fits(signed(number))
