"""An executor on Dask, with messages in an order that is rare in a real cluster."""

from __future__ import annotations

import asyncio
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
from plywise.cluster.dask_worker import BEGUN, bring


class Client:
    """Takes the place of Dask's connection: it keeps what it is given and does nothing."""

    id, address, is_lost = "Client-1", "tcp://nowhere", False
    appended: Callable[..., Any]

    def __init__(self) -> None:
        self.loop = self
        self.submitted: list[tuple[str, bool]] = []
        """Dask's names of jobs, and whether they are done in a process of their own."""
        self.called: list[tuple[Any, ...]] = []
        """What was to be done in Dask's loop."""
        self.heard: list[tuple[str, Any]] = []
        """Who was told what."""
        self.failures = 0
        """How many of the next calls do not reach their worker."""

    def hear(self, handler: Any) -> None: ...

    def submit(self, work: Any, name: str, kit: str, in_python: bool, apart: bool, *rest: Any, **options: Any) -> Any:
        self.submitted.append((name, apart))
        return name

    def add_callback(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.called.append((function.__name__, *arguments))
        if function.__name__ == "append":
            self.appended = function
        if function.__name__ == "_watch":
            function.__self__._said = {"a worker": 1}  # type: ignore[attr-defined]

    async def call(self, worker: str, function: Callable[..., Any], *arguments: Any) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("not reached")
        self.heard += [(worker, each) for each in (["the kit"] if function is bring else arguments[1])]

    def done(self, name: str) -> list[tuple[Any, ...]]:
        return [arguments for called, *arguments in self.called if called == name]  # type: ignore[misc]

    def leave(self) -> None: ...

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
    (given,) = executor._given.values()
    assert (given.worker, given.wants_kit) == ("worker 2", True)
    report(executor, old, "worker 1", "a report")
    assert executor.next(0.0) is None


def test_a_connection_that_breaks_while_jobs_are_given_to_others_gives_each_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clients: list[Any] = []

    def reach() -> Any:
        clients.append(Client())
        clients[-1].id = f"Client-{len(clients)}"
        return clients[-1]

    executor = Cluster(reach, own=Client())
    jobs = [submitted(executor) for _ in range(3)]
    for given in executor._given.values():
        given.workers = {"a worker that is gone"}
    clients[0].is_lost = True
    executor._recall()
    first, second = clients
    assert len(first.submitted) == 3
    assert sorted(given.name for given in executor._given.values()) == sorted(wanted(second))
    assert len(wanted(second)) == len(jobs)


def wanted(client: Client) -> list[str]:
    """Return the jobs that Dask has got and not been told to stop."""
    stopped = [given.name for (given,) in client.done("_stop")]
    return [name for name, _ in client.submitted if name not in stopped]


def test_messages_are_told_once_and_in_order_and_again_only_to_another_worker(
    client: Client, executor: Cluster
) -> None:
    job = submitted(executor)
    ((name, _),) = client.submitted
    executor.update(job, "first")
    executor.update(job, "nobody hears this", lasting=False)
    report(executor, name, "worker 1", BEGUN)
    executor.update(job, "second")
    executor.update(job, "third", lasting=False)
    assert told(client, executor) == [("worker 1", each) for each in ("first", "second", "third")]
    assert told(client, executor) == []
    report(executor, name, "worker 2", BEGUN)
    executor.update(job, "fourth")
    assert told(client, executor) == [("worker 2", each) for each in ("first", "second", "fourth")]


def test_what_does_not_arrive_is_told_again(client: Client, executor: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.cluster.dask.AGAIN_SECONDS", 0.0)
    job = submitted(executor)
    ((name, _),) = client.submitted
    report(executor, name, "worker 1", BEGUN)
    report(executor, name, "worker 1", WANTED)
    executor.update(job, "first")
    executor.update(job, "second")
    client.failures = 2
    assert told(client, executor) == [("worker 1", each) for each in ("the kit", "first", "second")]


def told(client: Client, executor: Cluster) -> list[tuple[str, Any]]:
    """Let Dask's loop work, and return who was told what."""
    client.heard = []
    while client.called:
        name, *arguments = client.called.pop(0)
        if name == "append":
            client.appended(*arguments)
        elif name == "_tell":
            asyncio.run(executor._tell(*arguments))
    return client.heard


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
