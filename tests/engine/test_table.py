"""The engine's table may forget entries but never distorts them, and each policy replaces what it says it replaces.

Everything runs interpreted on one bucket of four entries, so that all positions collide.  The last test checks,
compiled, that no policy and no size changes a value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms.memo_table import EXACT, LOWER, UPPER
from plywise.compiling.hashing import signature
from plywise.engine.table import (
    GENERATIONS,
    MOST_DEPTH,
    NO_MOVE,
    POLICIES,
    Table,
    bound_of,
    check_hashable,
    depth_of,
    is_proven,
    packed,
    table_move,
    table_of,
    value_of,
)
from plywise.games import ConnectFour, Tree
from plywise.inputs.limits import LEAST_MB
from tests import oracle
from tests.oracle import random_position
from tests.readings import compiled, interpreted

WHOLE, REAL = Tree.from_lists([1, 2]), Tree.from_lists([1.5, 2])
START = WHOLE.initial()

bounds = st.sampled_from([EXACT, LOWER, UPPER])


def entry(depth: int, value: int = 0, move: int = 0) -> int:
    return packed(WHOLE, START, value, EXACT, False, depth, move)


def depths(table: Table, keys: Any) -> dict[int, int]:
    """What the table knows of these keys: the depths."""
    return {key: depth_of(found) for key in keys if (found := table.find(key, 0))}


# An entry ------------------------------------------------------------------------------------------------------------


@given(
    value=st.integers(-(1 << 24), 1 << 24), bound=bounds, proven=st.booleans(), depth=st.integers(0, MOST_DEPTH),
    move=st.integers(0, NO_MOVE - 1),
)  # fmt: skip
def test_an_entry_gives_back_what_was_packed(value: int, bound: int, proven: bool, depth: int, move: int) -> None:
    word = packed(WHOLE, START, value, bound, proven, depth, move)
    found = (value_of(WHOLE, word), bound_of(word), is_proven(word), depth_of(word))
    assert table_move(WHOLE, START, word) == move
    assert found == (value, bound, proven, depth)


@pytest.mark.parametrize("move", [-1, NO_MOVE, NO_MOVE + 1, 1 << 40])
def test_a_move_that_does_not_fit_is_left_out(move: int) -> None:
    word = entry(3, value=7, move=move)
    assert table_move(WHOLE, START, word) == NO_MOVE
    assert (value_of(WHOLE, word), depth_of(word)) == (7, 3)


def mirrored_move(game, state, move):
    """Keep a move of the one position and read it in the other, whose mirror image it is."""
    mirrored = game.play(game.initial(), game.width - 1 - move)
    return table_move(game, mirrored, packed(game, state, 0, EXACT, False, 1, move))


@pytest.mark.parametrize("run", [compiled, interpreted])
def test_a_mirror_image_reads_the_mirrored_move(run: Any) -> None:
    game = ConnectFour()
    for column in (0, 1, 2, 4, 5, 6):
        assert run(mirrored_move, game, column, state=game.play(game.initial(), column)) == 6 - column


def test_a_value_that_does_not_fit_is_not_kept() -> None:
    word = packed(WHOLE, START, 10**400, EXACT, False, 3, 1)
    assert word == 0
    table = table_of(LEAST_MB)
    table.keep(5, 0, word)
    assert table.fill == 0


@given(value=st.floats(-1e30, 1e30), bound=bounds)
def test_a_real_number_that_does_not_fit_becomes_a_bound_on_the_safe_side(value: float, bound: int) -> None:
    word = packed(REAL, START, value, bound, True, 1, 1)
    kept = value_of(REAL, word)
    if bound_of(word) == EXACT:
        assert kept == value
    elif bound_of(word) == LOWER:
        assert kept <= value
        assert bound != UPPER
    else:
        assert kept >= value
        assert bound == UPPER
    assert (kept == value) == (float(np.float32(value)) == value)


def test_a_depth_beyond_the_greatest_counts_as_the_greatest() -> None:
    assert depth_of(entry(MOST_DEPTH + 5)) == MOST_DEPTH


# Finding it again ----------------------------------------------------------------------------------------------------


def test_no_position_is_taken_for_another() -> None:
    table = table_of(LEAST_MB)
    for key in range(4):
        table.keep(key, 0, entry(1, value=key))
    assert [value_of(WHOLE, table.find(key, 0)) for key in range(4)] == [0, 1, 2, 3]
    assert not any(table.find(key, 0) for key in range(4, 1000))


def test_a_salt_tells_apart_what_the_key_does_not() -> None:
    table = table_of(LEAST_MB)
    table.keep(5, 77, entry(1, value=1))
    table.keep(5, 78, entry(1, value=2))
    assert [value_of(WHOLE, table.find(5, salt)) for salt in (77, 78)] == [1, 2]
    assert table.find(5, 0) == 0


@pytest.mark.parametrize("word", [0, 1])
def test_an_entry_half_written_by_another_thread_is_passed_over(word: int) -> None:
    """One word is still of the entry before."""
    table = table_of(LEAST_MB)
    table.keep(5, 0, entry(3, value=1))
    before = table.slots.copy()
    table.keep(5, 0, entry(4, value=2))
    (place,) = np.flatnonzero(table.slots[1::2]) * 2
    table.slots[place + word] = before[place + word]
    assert table.find(5, 0) == 0


@given(one=st.integers(-(1 << 63), (1 << 63) - 1), other=st.integers(-(1 << 63), (1 << 63) - 1))
def test_keys_of_one_number_have_signatures_of_their_own(one: int, other: int) -> None:
    assert (signature(one) == signature(other)) == (one == other)


# Making room ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_the_latest_search_of_a_position_replaces_the_earlier_one(policy: str) -> None:
    table = table_of(LEAST_MB, policy)
    table.keep(5, 0, entry(9))
    table.keep(5, 0, entry(2))
    assert depths(table, [5]) == {5: 2}


def same_place(count: int, bits: int) -> list[int]:
    """Keys whose signatures agree in ``bits``, the mask that chooses the place within a bucket."""
    chosen = signature(0) & bits
    return [key for key in range(1000) if signature(key) & bits == chosen][:count]


def test_always_replaces_whatever_is_in_a_position_s_one_place() -> None:
    table = table_of(LEAST_MB, "always")
    one, two = same_place(2, 3)
    table.keep(one, 0, entry(9))
    table.keep(two, 0, entry(2))
    assert depths(table, [one, two]) == {two: 2}


def test_deepest_keeps_a_deeper_result_of_this_search_but_not_of_an_earlier_one() -> None:
    table = table_of(LEAST_MB, "deepest")
    one, two = same_place(2, 3)
    table.keep(one, 0, entry(9))
    table.keep(two, 0, entry(2))
    assert depths(table, [one, two]) == {one: 9}
    table.keep(two, 0, entry(9))  # as deep
    assert depths(table, [one, two]) == {two: 9}
    table.begin_search()
    table.keep(one, 0, entry(1))
    assert depths(table, [one, two]) == {one: 1}


def test_two_tier_has_a_place_for_the_deepest_and_one_for_the_latest() -> None:
    table = table_of(LEAST_MB, "two-tier")
    one, two, three = same_place(3, 1)
    table.keep(one, 0, entry(9))
    table.keep(two, 0, entry(2))
    assert depths(table, [one, two, three]) == {one: 9, two: 2}
    table.keep(three, 0, entry(3))
    assert depths(table, [one, two, three]) == {one: 9, three: 3}


def test_aged_replaces_the_shallowest_of_four() -> None:
    table = table_of(LEAST_MB)
    for key, depth in enumerate((7, 3, 5, 9)):
        table.keep(key, 0, entry(depth))
    table.keep(4, 0, entry(1))
    assert depths(table, range(5)) == {0: 7, 2: 5, 3: 9, 4: 1}


def test_aged_replaces_results_of_earlier_searches_first() -> None:
    """An entry of the search before counts as four plies shallower."""
    table = table_of(LEAST_MB)
    table.keep(0, 0, entry(7))
    table.begin_search()
    for key, depth in enumerate((4, 5, 9), 1):
        table.keep(key, 0, entry(depth))
    table.keep(4, 0, entry(1))
    assert depths(table, range(5)) == {1: 4, 2: 5, 3: 9, 4: 1}


def test_ages_begin_again_after_a_few_searches() -> None:
    table = table_of(LEAST_MB)
    table.keep(0, 0, entry(1))
    ages = []
    for _ in range(GENERATIONS + 1):
        ages.append(table.age(table.find(0, 0)))
        table.begin_search()
    assert ages == [*range(GENERATIONS), 0]


# As a whole ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("megabytes", [LEAST_MB, 0.01, 1])
def test_a_table_is_no_larger_than_asked_but_has_a_bucket(megabytes: float) -> None:
    table = table_of(megabytes)
    assert 64 <= table.slots.nbytes <= max(64, megabytes * (1 << 20))
    assert table.slots.ctypes.data % 64 == 0  # a bucket is a line of the processor's cache


def test_a_cleared_table_knows_nothing() -> None:
    table = table_of(0.001)
    for key in range(100):
        table.keep(key, 0, entry(1))
    assert table.fill > 0.5
    table.clear()
    assert table.fill == 0
    assert not depths(table, range(100))


def test_wrong_tables_are_refused() -> None:
    with pytest.raises(pw.SearchError, match="there are: always, deepest, two-tier, aged"):
        table_of(1, "best")
    with pytest.raises(pw.SearchError, match="does not fit in memory"):
        table_of(1e13)


class Listed(Tree):
    """Keys that cannot be hashed."""

    def key(self, state: Any) -> Any:
        return [state]


def test_keys_must_be_hashable() -> None:
    game = Listed(WHOLE.nodes)
    check_hashable(WHOLE, WHOLE.initial())
    with pytest.raises(pw.GameError, match=r"a table cannot hold the positions of Listed.*use tuples in them"):
        check_hashable(game, game.initial())


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_and_no_table_size_changes_a_value(policy: str) -> None:
    game = ConnectFour(5, 4)
    for table_mb in (LEAST_MB, 0.01, 4):
        engine = pw.Engine(game, table_mb=table_mb, policy=policy)
        for seed in range(8):
            state = random_position(game, 100 + seed, 5000)
            assert engine.solve(state).value == oracle.value_of(game, state)
            assert engine.search(state, depth=4).value == oracle.value_of(game, state, 4)
