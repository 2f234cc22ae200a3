"""A scheduler that is lost: work goes on if it is reached again, and else ends with an error."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Kit
from plywise.cluster.dask import COUNT_SECONDS, DISCONNECTED
from plywise.cluster.executor import Job, done_in_turn
from plywise.games import Nim
from tests.cluster.jobs import add, engine, search_for_ever

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")


class Scheduler:
    """A scheduler in a process of its own, with one worker."""

    def __init__(self, file: Path) -> None:
        self.file, self.running = file, list[subprocess.Popen[bytes]]()
        self._run("from distributed.cli.dask_scheduler import main; main()", "--port", "0")
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.05)
        self.hire()

    def _run(self, program: str, *arguments: str) -> None:
        command = [sys.executable, "-c", program, "--scheduler-file", str(self.file), "--host", "127.0.0.1"]
        output: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.running.append(subprocess.Popen([*command, "--no-dashboard", *arguments], **output))

    def hire(self, before: str = "pass") -> None:
        """Start a worker, which executes something before."""
        self._run(f"{before}; from distributed.cli.dask_worker import main; main()", "--nthreads", "1", "--no-nanny")

    def end(self) -> None:
        """End all programs, the scheduler first."""
        for process in self.running:
            process.kill()
        for process in self.running:
            process.wait()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    running = Scheduler(tmp_path / "scheduler.json")
    yield running
    running.end()


def numbers(executor: Any, count: int) -> list[int]:
    kit = Kit(Nim(), engine)
    with contextlib.closing(done_in_turn(executor, [Job(kit, add, (n, 0)) for n in range(count)])) as outcomes:
        return sorted(outcome.answer() for outcome in outcomes)


@pytest.mark.parametrize("at_work", [True, False], ids=["at work", "idle"])
def test_a_scheduler_that_dies_ends_the_work_with_an_error(scheduler: Scheduler, at_work: bool, tmp_path: Path) -> None:
    with connect(str(scheduler.file)) as executor:
        assert numbers(executor, 2) == [0, 1]
        job = Job(Kit(Nim(), engine), search_for_ever, (str(tmp_path / "mark"),))
        if at_work:
            executor.submit(job)
        scheduler.end()
        with pytest.raises(pw.SearchError, match=DISCONNECTED):
            numbers(executor, 2)
        with pytest.raises(pw.SearchError, match=DISCONNECTED):
            numbers(executor, 2)
        assert executor.slots == 0


def test_after_a_connection_that_breaks_the_work_goes_on(scheduler: Scheduler) -> None:
    with connect(str(scheduler.file)) as executor:
        client: Any = executor.client  # type: ignore[attr-defined]
        kit, found = Kit(Nim(), engine), list[int]()
        for outcome in done_in_turn(executor, [Job(kit, add, (number, 0)) for number in range(40)]):
            found.append(outcome.answer())
            if len(found) == 10:
                client.loop.add_callback(client.scheduler_comm.comm.abort)
                while client.scheduler_comm is not None and not client.scheduler_comm.comm.closed():
                    time.sleep(0.01)
        assert sorted(found) == list(range(40))


def test_a_worker_without_plywise_is_named_and_passed_over(scheduler: Scheduler) -> None:
    with connect(str(scheduler.file)) as executor:
        scheduler.hire("import sys; sys.modules['plywise'] = None")
        executor.client.wait_for_workers(2, timeout=30)  # type: ignore[attr-defined]
        time.sleep(COUNT_SECONDS)
        with pytest.warns(UserWarning, match="is passed over: it lacks plywise"):
            assert executor.slots == 1
        assert numbers(executor, 10) == list(range(10))


def test_if_no_worker_has_plywise_it_says_so(scheduler: Scheduler) -> None:
    scheduler.running.pop().kill()
    scheduler.hire("import sys; sys.modules['plywise'] = None")
    with pytest.raises(pw.SearchError, match=r"no worker .* has the plywise .*: of tcp://127.* it lacks plywise"):
        connect(str(scheduler.file))
