"""A worker that joins a scheduler elsewhere: how it ends, and what it says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.cluster.addresses import client_of, connect, start_cluster
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Job, Outcome
from plywise.cluster.joining import work_for
from plywise.games import Nim
from tests.cluster.dask_programs import DaskPrograms
from tests.cluster.jobs import add, engine

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler without workers."""
    running = start_cluster(0, "127.0.0.1", 0, None, False)
    try:
        yield running.scheduler_address
    finally:
        running.close()


def test_a_worker_that_cannot_start_says_why(scheduler: str) -> None:
    with pytest.raises(pw.SearchError, match=r"the worker cannot start: .*assign"):
        work_for(scheduler, 1, "192.0.2.1", None)  # an address for documentation, so nobody's


def test_a_worker_that_is_dismissed_says_so(scheduler: str) -> None:
    def dismiss() -> None:
        with client_of(scheduler, None) as client:
            client.wait_for_workers(1, timeout=60)
            client.retire_workers(list(client.nthreads()))

    dismissing = threading.Thread(target=dismiss)
    dismissing.start()
    with pytest.raises(pw.SearchError, match="the worker was dismissed by its scheduler"):
        work_for(scheduler, 1, "127.0.0.1", None)
    dismissing.join()


def test_a_worker_joins_a_scheduler_that_is_started_again(tmp_path: Path) -> None:
    programs = DaskPrograms(tmp_path, workers=0)
    address, joined, ended = f"tcp://127.0.0.1:{programs.port}", list[float](), list[bool]()
    working = threading.Thread(
        target=lambda: ended.append(work_for(address, 1, "127.0.0.1", None, lambda: joined.append(time.monotonic())))
    )
    try:
        working.start()
        with connect(address) as executor:
            port = programs.port
            programs.close()
            programs.open(port)
            executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
            outcome = executor.next(timeout=60)
            assert isinstance(outcome, Outcome)
            assert outcome.answer() == 3
            assert len(joined) == 2
    finally:
        programs.close()
        working.join()
    assert ended == [True]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("delay", [0.0, 0.3, 0.6, 1.0])
def test_ctrl_c_while_it_starts_ends_it_without_a_traceback(scheduler: str, delay: float) -> None:
    command = [sys.executable, "-m", "plywise", "cluster", "work", scheduler, "--threads", "1"]
    output: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    joining = subprocess.Popen(command, text=True, start_new_session=True, **output)
    assert joining.stdout is not None
    assert joining.stdout.readline().startswith("Working for")
    time.sleep(delay)
    os.killpg(joining.pid, signal.SIGINT)  # as a terminal does: to all processes
    _, err = joining.communicate(timeout=30)
    assert (joining.returncode, err) in ((0, ""), (130, "plywise: interrupted\n"))
