"""Whatever a worker is doing for a job, it stops when the job is cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import plywise as pw
from plywise.cluster import solving
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Job, Outcome, Threads
from plywise.cluster.tools import Solver
from plywise.games import ConnectFour
from plywise.study.tune_jamboree import Measurement, find_depth, measure_round, only_the_game
from tests.cluster.jobs import add

FAR = 12
"""At this depth, a search in plain Python takes minutes."""
GAME = ConnectFour()
START = GAME.format(GAME.initial())


def test_a_measurement_of_jamboree() -> None:
    stops(Kit(GAME, only_the_game), measure_round, START, FAR, [Measurement(100, FAR, 1)])


def test_the_search_for_a_depth_that_is_worth_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.study.tune_jamboree.LONG_ENOUGH", 1000.0)
    stops(Kit(GAME, only_the_game), find_depth, START)


def test_the_guess_before_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "GUESS_SECONDS", 1000.0)
    stops(Kit(GAME, Solver, START, 1.0), solving.lead, False, False)


def stops(kit: Kit, work: Callable[..., Any], *arguments: Any) -> None:
    """Cancel a job after a while, and check that the next one does not have to wait."""
    with pw.interpreted(), Threads(1) as executor:
        job = executor.submit(Job(kit, work, arguments))
        time.sleep(1.0)
        executor.cancel(job)
        executor.submit(Job(kit, add, (1, 2)))
        ended = executor.next(timeout=10)
        assert isinstance(ended, Outcome), "the worker is still busy"
        assert ended.answer() == 3
