"""What happens at the same time in several threads of an executor on Dask."""

from __future__ import annotations

from typing import Any

import pytest

from plywise.cluster.bench import Kit
from plywise.cluster.executor import Job
from plywise.games import Nim
from tests.cluster.jobs import add, engine

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")


class Scheduler:
    """Takes the place of Dask's connection: it keeps what it is given and does nothing."""

    id, status = "Client-1", "running"

    def __init__(self) -> None:
        self.given: list[str] = []

    scheduler_comm = "a connection"

    def subscribe_topic(self, topic: str, heard: Any) -> None: ...

    def nthreads(self) -> dict[str, int]:
        return {"a worker": 1}

    def cancel(self, futures: list[Any], **options: Any) -> None: ...

    def submit(self, *work: Any, key: str, **options: Any) -> Any:
        self.given.append(key)
        return self

    def add_done_callback(self, came: Any) -> None:
        self.came = came


def test_a_job_that_is_cancelled_while_it_is_started_again_stays_cancelled() -> None:
    from distributed import KilledWorker

    from plywise.cluster.dask import Cluster

    class Future:
        def result(self) -> Any:
            executor.cancel(job)  # at this moment, in another thread
            raise KilledWorker("job", None, 1)

    scheduler: Any = Scheduler()
    executor = Cluster(scheduler, own=scheduler)
    job = executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))
    scheduler.came(Future())
    assert len(scheduler.given) == 1
    assert not executor._given
