"""The first thread to finish a search ends it for all, and its answer is the answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from plywise.engine.control import Control
from plywise.engine.race import ALONE_BELOW, Race
from plywise.engine.work import DEEPEST_PLY, HORIZON, LIMIT, Work, new_works
from plywise.errors import Stopped

SECONDS = 20
"""More than enough for a thread to wake up."""


def until_stopped(work: Work) -> None:
    """Search nothing until somebody stops it, as compiled code does."""
    for _ in range(SECONDS * 1000):
        if work.count[LIMIT] == -1:
            raise Stopped
        threading.Event().wait(0.001)
    raise AssertionError("nobody stopped this thread")


def found(work: Work, value: int, line: list[int]) -> int:
    """Put a result into a workspace and return the value."""
    work.line[0, : len(line)], work.length[0], work.best[0] = line, len(line), value
    work.count[HORIZON], work.count[DEEPEST_PLY] = value, 2 * value
    return value


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_the_winner_s_value_and_line_count_and_the_others_stop(winner: int) -> None:
    works = new_works(3)
    stopped = []

    def search(work: Work) -> Any:
        if work is works[winner]:
            return found(work, 5, [1, 2, 3])
        try:
            return until_stopped(work)
        except Stopped:
            stopped.append(work)
            raise

    race = Race(works, Control())
    race.allow(1000)
    with race.with_helpers():
        for _ in range(3):  # the same threads, lap by lap
            assert race.first(search, ALONE_BELOW) == 5
            assert not works[0].marks.any()
            assert works[0].best_line == (1, 2, 3)
            assert (works[0].count[HORIZON], works[0].count[DEEPEST_PLY]) == (5, 10)
            assert works[0].count[LIMIT] == 1000
            works[0].marks[7] = 1  # as a thread leaves it that is stopped
    assert works[winner] not in stopped
    assert winner == 0 or stopped.count(works[0]) == 3


def test_a_stop_counts_after_the_depth_that_a_helper_has_finished() -> None:
    works, control = new_works(2), Control()

    def search(work: Work) -> Any:
        if work is works[1]:
            control.stopped = True  # as if the clock had run out just now
            return found(work, 5, [1])
        return until_stopped(work)

    race = Race(works, control)
    with race.with_helpers():
        assert race.first(search, ALONE_BELOW) == 5
    assert works[0].count[LIMIT] == -1  # the next search stops at once


@pytest.mark.parametrize("failure", [Stopped, ZeroDivisionError])
def test_a_limit_or_an_error_of_the_main_thread_ends_the_search_and_the_helpers(failure: type[Exception]) -> None:
    def search(work: Work) -> Any:
        if work is works[0]:
            raise failure
        return until_stopped(work)

    works = new_works(2)
    race = Race(works, Control())
    with pytest.raises(failure), race.with_helpers():
        race.first(search, ALONE_BELOW)


def test_helpers_search_the_root_moves_of_the_main_thread() -> None:
    works, seen = new_works(2), []

    def search(work: Work) -> Any:
        if work is works[1]:
            seen.append((work.collect_chosen(0), work.salt(0), int(work.first[0])))
            return 0
        return until_stopped(work)

    race = Race(works, Control())
    works[0].choose((7, 9))
    works[0].first[0] = 9
    with race.with_helpers():
        race.first(search, ALONE_BELOW)
    assert seen == [(works[0].collect_chosen(0), works[0].salt(0), 9)]


def test_small_depths_are_searched_by_the_main_thread_alone() -> None:
    works = new_works(2)
    race = Race(works, Control())
    with race.with_helpers():
        assert race.first(lambda work: work is works[0], ALONE_BELOW - 1)
