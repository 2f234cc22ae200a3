"""An executor on Dask, with messages in an order that is rare in a real cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from plywise.cluster.bench import WANTED, Finished, Kit
from plywise.cluster.executor import Job, Outcome
from plywise.errors import Stopped
from plywise.games import Nim
from tests.cluster.jobs import add, engine

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")

from plywise.cluster.dask import APART, MOST_ATTEMPTS, Cluster
from plywise.cluster.dask_worker import BEGUN


class Client:
    """Takes the place of Dask's connection: it keeps what it is given and does nothing."""

    id, is_lost = "Client-1", False

    def __init__(self) -> None:
        self.loop, self.scheduler = self, self
        self.submitted: list[tuple[str, bool]] = []
        """Dask's names of jobs, and whether they are done in a process of their own."""
        self.called: list[tuple[Any, ...]] = []
        """What was to be done in Dask's loop."""

    def ncores(self) -> None: ...

    def sync(self, asked: Callable[..., Any], *arguments: Any, **options: Any) -> dict[str, int]:
        return {"a worker": 1}

    def subscribe_topic(self, topic: str, heard: Any) -> None: ...

    def submit(self, work: Any, name: str, kit: str, in_python: bool, apart: bool, *rest: Any, **options: Any) -> Any:
        self.submitted.append((name, apart))
        return name

    def add_callback(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.called.append((function.__name__, *arguments))

    def done(self, name: str) -> list[tuple[Any, ...]]:
        return [arguments for called, *arguments in self.called if called == name]  # type: ignore[misc]

    def close(self) -> None: ...


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.fixture
def executor(client: Any) -> Iterator[Cluster]:
    found = Cluster(lambda: client, own=client)
    yield found
    found.close()


def submitted(executor: Cluster) -> Job:
    return executor.submit(Job(Kit(Nim(), engine), add, (1, 2)))


def report(executor: Cluster, name: str, worker: str, message: Any) -> None:
    executor._heard((0.0, {"job": name, "worker": worker, "report": pickle.dumps(message)}))


def end(executor: Cluster, finished: Finished | None, error: BaseException | None = None) -> None:
    """Let Dask say how the only job has ended."""
    from plywise.cluster.dask import _Ended

    (given,) = executor._given.values()
    executor._news.put(_Ended(given.job, given, finished, error))


def test_late_news_of_an_earlier_attempt_change_nothing(client: Client, executor: Cluster) -> None:
    submitted(executor)
    end(executor, None, OSError("the connection broke"))
    assert executor.next(0.0) is None
    (old, _), (new, _) = client.submitted
    assert old != new
    report(executor, new, "worker 2", BEGUN)
    report(executor, old, "worker 1", BEGUN)
    report(executor, new, "worker 2", WANTED)
    assert [worker for _, worker in client.done("_carry")] == ["worker 2"]
    report(executor, old, "worker 1", "a report")
    assert executor.next(0.0) is None


def test_how_an_earlier_attempt_ends_changes_nothing(client: Client, executor: Cluster) -> None:
    submitted(executor)
    end(executor, Finished(3, None, 0.1))
    end(executor, Finished(3, None, 0.1))
    assert isinstance(executor.next(0.0), Outcome)
    assert executor.next(0.0) is None
    job = submitted(executor)
    end(executor, Finished(3, None, 0.1))
    executor.cancel(job)
    assert executor.next(0.0) is None
    assert len(client.submitted) == 2
    assert not executor._given


def test_what_was_stopped_although_it_is_wanted_is_done_again(client: Client, executor: Cluster) -> None:
    submitted(executor)
    end(executor, Finished(None, Stopped(), 0.1))
    assert executor.next(0.0) is None
    end(executor, Finished(3, None, 0.1))
    outcome = executor.next(0.0)
    assert isinstance(outcome, Outcome)
    assert outcome.answer() == 3


def test_a_result_that_is_lost_again_and_again_is_an_error(client: Client, executor: Cluster) -> None:
    submitted(executor)
    for _ in range(MOST_ATTEMPTS - 1):
        end(executor, None)
        assert executor.next(0.0) is None
    end(executor, None)
    outcome = executor.next(0.0)
    assert isinstance(outcome, Outcome)
    with pytest.raises(Exception, match="its worker died again and again"):
        outcome.answer()
    assert [apart for _, apart in client.submitted] == [attempt >= APART for attempt in range(1, MOST_ATTEMPTS + 1)]
