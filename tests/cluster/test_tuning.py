"""Jamboree's settings measured by workers: one round is one job, and a machine measures one round at a time."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from plywise.cluster.executor import Executor
from plywise.games import TicTacToe
from plywise.io.locks import in_turn
from plywise.study.tune_jamboree import tune


def test_every_setting_is_measured_in_every_round(executor: Executor) -> None:
    steps: list[tuple[int, int]] = []
    tuning = tune(
        TicTacToe(), depth=4, percentages=(0, 50), cutoffs=(2,), repeats=3, executor=executor,
        on_step=lambda done, total: steps.append((done, total)),
    )  # fmt: skip
    assert [len(trial.times) for trial in (tuning.baseline, *tuning.trials)] == [3, 3, 3]
    assert len(set(tuning.baseline.nodes)) == 1
    assert min(tuning.baseline.times) > 0
    assert steps[-1] == (9, 9)
    assert sorted(steps) == steps
    assert not executor.jobs


def test_one_at_a_time_is_in_its_turn(tmp_path: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        with in_turn(tmp_path / "lock", lambda: time.sleep(0.002)):
            inside += 1
            most = max(most, inside)
            time.sleep(0.01)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_who_is_stopped_while_waiting_leaves(tmp_path: Path) -> None:
    def leave() -> None:
        raise TimeoutError

    with in_turn(tmp_path / "lock", leave), pytest.raises(TimeoutError), in_turn(tmp_path / "lock", leave):
        pass


@pytest.mark.parametrize("name", ["missing", "not a folder"])
def test_where_no_file_can_be_locked_nobody_waits(tmp_path: Path, name: str) -> None:
    if name == "not a folder":
        (tmp_path / name).write_text("")
    with in_turn(tmp_path / name / "lock", lambda: pytest.fail("it waits")):
        assert (tmp_path / name / "lock").exists() == (name == "missing")
