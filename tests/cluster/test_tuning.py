"""Jamboree's settings measured by workers: one round is one job, and a machine measures one round at a time."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Desk
from plywise.cluster.executor import Executor, Lost, Threads
from plywise.games import TicTacToe
from plywise.io.locks import in_turn
from plywise.study import tune_jamboree
from plywise.study.tune_jamboree import Measurement, Tuning, measure_round, tune


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


@pytest.mark.parametrize("together", [True, False])
def test_it_goes_on_after_the_last_round_that_was_written(executor: Executor, together: bool, tmp_path: Path) -> None:
    if not (together or isinstance(executor, Threads)):
        pytest.skip("this machine alone is measured once")
    out, who = tmp_path / "rounds", executor if together else None

    def measure(repeats: int, **options: Any) -> Tuning:
        return tune(TicTacToe(), percentages=(0,), cutoffs=(2,), repeats=repeats, executor=who, out=out, **options)

    def die(done: int, total: int) -> None:
        if done == 2 * len(found.settings):
            raise ZeroDivisionError

    found = measure(1, depth=4)
    with pytest.raises(ZeroDivisionError):
        measure(3, on_step=die)
    kept = [json.loads(line)["round"] for line in out.read_text().splitlines()[1:]]
    assert len(kept) in (1, 2)  # here, steps are told before they begin
    more = measure(3)
    assert more.depth == 4
    for place, trial in enumerate(more.settings):
        assert trial.times[: len(kept)] == [each[place][0] for each in kept]
        assert len(trial.times) == 3
    assert measure(3).baseline.times == more.baseline.times
    with pytest.raises(pw.SearchError, match="depth is 4 there and 5 here"):
        measure(3, depth=5)


def test_ctrl_c_keeps_what_a_round_has_measured(executor: Executor) -> None:
    def press(done: int, total: int) -> None:
        if done == 4:  # of a round of five
            raise KeyboardInterrupt

    tuning = tune(
        TicTacToe(), depth=4, percentages=(0, 25, 50, 100), cutoffs=(2,), repeats=1, executor=executor, on_step=press
    )
    assert tuning.interrupted
    assert [len(trial.times) for trial in tuning.settings] == [1, 1, 1, 1, 0]


def test_a_round_that_killed_its_workers_is_told_at_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rounds = iter(range(3))

    def measure(desk: Desk, text: str, depth: int, settings: list[Measurement]) -> list[tuple[float, int]]:
        if next(rounds) == 1:
            raise Lost("a round of measurements: its worker died again and again; it is left out")
        return measure_round(desk, text, depth, settings)

    monkeypatch.setattr(tune_jamboree, "measure_round", measure)
    lost = pytest.raises(pw.SearchError, match="not measured: a round of measurements: its worker died")
    with pw.interpreted(), connect("threads", workers=1) as executor, lost:
        tune(TicTacToe(), depth=3, percentages=(0,), cutoffs=(2,), executor=executor, out=tmp_path / "rounds")
    assert len((tmp_path / "rounds").read_text().splitlines()) == 1 + 2


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
