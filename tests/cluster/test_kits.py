"""A Dask cluster forgets who is gone: kits, tools and reports.  Workers ask for the kits that they need."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from plywise.cluster.addresses import MOST_REPORTS, connect, start_cluster
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Executor, Job, Outcome, done_in_turn
from plywise.games import Nim
from tests.cluster import worker_state
from tests.cluster.dask_programs import wait_until
from tests.cluster.jobs import add, engine

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Dask's object for two workers."""
    running = start_cluster(2, "127.0.0.1", 0, None, False)
    try:
        yield running
    finally:
        running.close()


def sums(executor: Executor, kit: Kit, count: int = 8) -> list[int]:
    return sorted(outcome.answer() for outcome in done_in_turn(executor, [Job(kit, add, (i, 0)) for i in range(count)]))


def kits(client: Any) -> int:
    """Return how many kits all workers have together."""
    return sum(client.run(worker_state.kits_here).values())


def all_given_up(client: Any, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while kits(client) and time.monotonic() < end:
        time.sleep(0.05)
    return not kits(client)


def test_a_released_kit_leaves_the_workers_and_an_idle_one_is_sent_again(cluster: Any) -> None:
    kit = Kit(Nim(), engine)
    with connect(cluster.scheduler_address) as executor, cluster.get_client() as client:
        assert sums(executor, kit) == list(range(8))
        assert kits(client) > 0
        executor.release(kit)
        assert all_given_up(client, 1.0)
        wait_until(lambda: not any(client.run(worker_state.engines_here).values()))  # nor is their memory in use
        client.run(worker_state.set_idle_seconds, 0.2)
        for _ in range(2):
            assert sums(executor, kit) == list(range(8))
            assert all_given_up(client, 10.0)


PROGRAM = """
import sys, time
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Job
from plywise.games import ConnectFour
from tests.cluster.jobs import engine, search_for_ever
executor = connect(sys.argv[1])
executor.submit(Job(Kit(ConnectFour(), engine), search_for_ever, (sys.argv[2],)))
while True:
    executor.next(timeout=1000)
"""


def test_what_a_killed_client_leaves_is_given_up(cluster: Any, tmp_path: Any) -> None:
    with cluster.get_client() as client:
        client.run(worker_state.set_idle_seconds, 1.0)
        killed = subprocess.Popen([sys.executable, "-c", PROGRAM, cluster.scheduler_address, str(tmp_path / "mark")])
        end = time.monotonic() + 60
        while not kits(client):
            assert time.monotonic() < end
            assert killed.poll() is None
            time.sleep(0.05)
        time.sleep(2.0)
        assert kits(client) == 1, "a kit in use is kept"
        killed.kill()
        killed.wait()
        assert all_given_up(client, 60.0)


def test_a_machine_that_does_not_answer_holds_up_nobody_else(cluster: Any) -> None:
    with connect(cluster.scheduler_address) as other, cluster.get_client() as client:
        assert sums(other, Kit(Nim(), engine)) == list(range(8))
        process = next(iter(client.run(os.getpid).values()))
        os.kill(process, signal.SIGSTOP)
        try:
            with connect(cluster.scheduler_address) as executor:
                jobs = [executor.submit(Job(Kit(Nim(), engine), add, (number, 0))) for number in range(8)]
                came = executor.next(timeout=20)
                assert isinstance(came, Outcome)
                assert came.answer() in range(8)
                os.kill(process, signal.SIGCONT)
                rest = [executor.next(timeout=20) for _ in jobs[1:]]
                assert all(isinstance(outcome, Outcome) and outcome.error is None for outcome in rest)
        finally:
            os.kill(process, signal.SIGCONT)


def test_the_scheduler_forgets_what_jobs_have_reported(cluster: Any) -> None:
    import dask.config

    def reports() -> list[Any]:
        events = client.get_events().values()
        return [message for topic in events for _, message in topic if "report" in message]

    with dask.config.set({"distributed.scheduler.events-cleanup-delay": "0.1s"}), cluster.get_client() as client:
        with connect(cluster.scheduler_address) as executor:
            assert sums(executor, Kit(Nim(), engine), 200) == list(range(200))
            assert 0 < len(reports()) <= MOST_REPORTS
        end = time.monotonic() + 20
        while reports() and time.monotonic() < end:
            time.sleep(0.05)
        assert not reports()
