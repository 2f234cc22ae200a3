"""Processes that cannot start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster import processes
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Job, Outcome
from plywise.games import Nim
from plywise.io.processes import start
from tests.cluster.dask_programs import wait_until
from tests.cluster.jobs import add, die, engine

SCRIPT = """
import plywise as pw
from plywise.cluster import connect

with connect("processes", workers=2) as executor:
    print(pw.solve(pw.games.TicTacToe(), executor=executor).value)
"""


def test_a_script_without_a_guard_ends_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    ended = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.endswith("SearchError: a script that starts workers must do so below: if __name__ == '__main__'")
    assert ended.stderr.count("Traceback") == 1


MATCH = """
import plywise as pw
from plywise.cluster import connect

with connect("threads", workers=2) as executor:
    pw.match(pw.games.Nim(), "random", "random", games=2, executor=executor)
"""


def test_so_does_one_with_a_match_on_threads(tmp_path: Path) -> None:
    """Games are played by processes."""
    (tmp_path / "script.py").write_text(MATCH)
    ended = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ended.stderr.splitlines()[-1].endswith("must do so below: if __name__ == '__main__'")


TYPED = """
import plywise as pw
from plywise.cluster import connect

class Typed(pw.games.Nim):
    pass

if __name__ == "__main__":
    with connect("processes", workers=1) as executor:
        pw.solve(Typed(), executor=executor)
"""


def test_a_game_that_comes_from_the_standard_input_cannot_travel() -> None:
    ended = subprocess.run([sys.executable], input=TYPED, capture_output=True, text=True, timeout=60)
    assert ended.stderr.endswith("Typed cannot be sent to other processes: put its class into a file\n")


def test_what_dies_while_it_starts_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """But not the others."""

    def start_badly(work: Any, *arguments: Any) -> Any:
        begun.append(work)
        return start(work if len(begun) == 2 else leave_at_once, *arguments)

    begun: list[Any] = []
    monkeypatch.setattr(processes, "start", start_badly)
    with connect("processes", workers=3) as executor:
        wait_until(lambda: executor.slots == 1)
        executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
        outcome = executor.next(timeout=30)
        assert isinstance(outcome, Outcome)
        assert outcome.answer() == 3
        assert len(begun) == 1 + 2 * processes.MOST_FALSE_STARTS
    with connect("processes", workers=2) as executor:
        executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
        outcome = executor.next(timeout=30)
        assert isinstance(outcome, Outcome)
        with pytest.raises(pw.SearchError, match=r"worker processes end while they start \(exit code 5\)"):
            outcome.answer()


def leave_at_once(pipe: Any, in_python: bool) -> None:
    os._exit(5)


def started(most: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Let only so many processes start; return them as they come."""
    found: list[Any] = []

    def start_few(*arguments: Any) -> Any:
        if len(found) == most:
            raise BlockingIOError(11, "too many processes")
        found.append(start(*arguments))
        return found[-1]

    monkeypatch.setattr(processes, "start", start_few)
    return found


def test_if_not_all_can_start_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    found = started(2, monkeypatch)
    with pytest.raises(pw.SearchError, match="no worker process can be started: too many processes"):
        connect("processes", workers=3)
    assert [process.is_alive() for process, _ in found] == [False, False]


def test_if_none_can_replace_a_dead_one_the_jobs_end_with_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started(1, monkeypatch)
    with connect("processes", workers=1) as executor:
        executor.submit(Job(Kit(Nim(), engine), die, (str(tmp_path / "deaths"),)))
        executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
        for _ in range(2):
            outcome = executor.next(timeout=30)
            assert isinstance(outcome, Outcome)
            with pytest.raises(pw.SearchError, match="no worker process can be started"):
                outcome.answer()
        with pytest.raises(pw.SearchError, match="no worker process can be started"):
            executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
