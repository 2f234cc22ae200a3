"""An executor on a Dask cluster: a scheduler, and workers on any machines that reach it.

Dask distributes the jobs and gives those of a worker that has died to others.  What it cannot do is stop or talk to
compiled code; for that, each worker has a bench (``plywise.cluster.bench``).  Dask marks a job that is running but no
longer wanted, because we cancelled it or because our process has ended; a thread of the worker looks for such marks and
stops the search.

A worker that gets a job without its kit asks for it.  It gives up kits that nobody has used for a while: their owner
may have been killed, and if not, sends them again.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import itertools
import logging
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from distributed import Client, Future, KilledWorker, Status, Worker, get_worker
from distributed.client import ClosedClientError

from plywise.cluster.bench import LOOK_SECONDS, Bench, Desk, Finished, Kit, PackedKit, portable
from plywise.cluster.executor import Crew, Executor, Job, Lost, Outcome, Report, lost
from plywise.cluster.parcel import Refused, plywise_digest
from plywise.cluster.processes import Processes
from plywise.compiling.reading import interpreted, interpreting
from plywise.errors import PlywiseError, SearchError

IDLE_SECONDS = 60.0
"""How long a worker keeps a kit and its tools that no job uses."""

AGAIN_SECONDS = 1.0
"""How long to wait before a kit is sent again that did not reach its worker."""

FAREWELL = 2.0
"""How long to wait for workers to hear that a kit is released; from then on it counts as idle."""

BEGUN = "begun"
"""What a job reports first."""

COUNT_SECONDS = 1.0
"""How often to ask how many workers there are."""

MOST_ATTEMPTS = 5
"""How often a job is given to Dask, which gives each up after some deaths of its worker."""

SILENT = logging.CRITICAL + 1
"""The level of Dask's log: a scheduler calls it critical that its only client leaves."""

DISCONNECTED = "the connection to the cluster is lost"

DIGEST = f"__import__({plywise_digest.__module__!r}, fromlist=['*']).plywise_digest()"
"""An expression for Python's own ``eval``, which workers have even if they lack plywise."""

_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
_GONE = (OSError, RuntimeError, TimeoutError, asyncio.TimeoutError, ClosedClientError, *_CANCELLED)
"""What Dask raises when its scheduler is gone."""

_GOING = (*_GONE, AttributeError)
"""What its methods raise when the scheduler goes at this moment."""

WAIT_SECONDS = 60.0
"""How long to wait for the first worker."""


class Cluster(Executor):
    """The workers of a Dask cluster.

    Args:
        client: a connection to it; ``close`` closes it too.
        own: a cluster that was started for this, and that ends with it.
    """

    def __init__(self, client: Client, own: Any = None) -> None:
        super().__init__()
        self.client, self.own = client, own
        self._futures: dict[int, Future[Any]] = {}
        self._running: dict[int, tuple[str, str]] = {}
        self._starts: Counter[int] = Counter()
        self._holders: dict[int, set[str]] = {}
        """The workers that have been sent a kit, by its number."""
        self._refusing: dict[int, dict[str, Refused]] = {}
        """The workers that refuse a kit, by its number, and why."""
        self._unfit: dict[str, Refused] = {}
        """The workers without our plywise, and what is wrong."""
        self._met: set[str] = set()
        """The workers that were asked for their plywise."""
        self._named: set[str] = set()
        """The workers whose refusals have been reported."""
        self._tries = itertools.count(1)
        self._counted = (0.0, 0, 0)
        self._starting = threading.Lock()
        """Held while a job that is still wanted is given to Dask, in any thread."""
        client.subscribe_topic(client.id, self._heard)  # Dask forgets a client's events when it has left
        try:
            client.wait_for_workers(1, timeout=WAIT_SECONDS)
        except (TimeoutError, asyncio.TimeoutError):  # in Python 3.10 they differ
            self.close()
            raise SearchError(f"no worker has joined the cluster in {WAIT_SECONDS:.0f} s: start some with 'plywise "
                              "cluster work ADDRESS' or 'dask worker ADDRESS'") from None  # fmt: skip
        try:
            self._count()
        except SearchError:
            self.close()
            raise

    # Workers --------------------------------------------------------------------------------------------------------

    @property
    def slots(self) -> int:
        return self._count()[1]

    @property
    def dashboard(self) -> str:
        """The address of Dask's own page; empty if Bokeh, which it needs, is not installed."""
        return str(self.client.dashboard_link) if importlib.util.find_spec("bokeh") else ""

    def _count(self) -> tuple[int, int]:
        """Return the number of workers and of their threads, without those that refuse."""
        at, workers, slots = self._counted
        if time.monotonic() - at > COUNT_SECONDS:
            refusing = set().union(*self._refusing.values())
            threads = [count for worker, count in self._threads().items() if worker not in refusing]
            workers, slots = len(threads), sum(threads)
            self._counted = (time.monotonic(), workers, slots)
        return workers, slots

    def _threads(self) -> dict[str, int]:
        """Return the workers that have our plywise, and how many threads each has; none without a connection.

        Raises:
            SearchError: no worker has our plywise.
        """
        try:
            found = self.client.nthreads()
            if self.own is None and (new := found.keys() - self._met):  # our own workers have it
                self._meet(new)
        except _GOING:
            return {}
        return {worker: threads for worker, threads in found.items() if worker not in self._unfit}

    def _meet(self, workers: Collection[str]) -> None:
        """Find out whether workers have the plywise that we have.  Those without any could not even refuse a job."""
        for worker, found in self.client.run(eval, DIGEST, workers=list(workers), on_error="return").items():
            self._met.add(worker)
            if isinstance(found, (ImportError, AttributeError)):
                self._unfit[worker] = Refused(f"it lacks plywise ({found})")
            elif isinstance(found, str) and found != plywise_digest():
                self._unfit[worker] = Refused("it has another version of plywise")
        if self._unfit and self._unfit.keys() == self._met:
            worker, why = next(iter(self._unfit.items()))
            raise SearchError(f"no worker of the cluster has the plywise that is installed here: of {worker}, {why}")
        self._name(self._unfit)

    def _name(self, refusing: dict[str, Refused]) -> None:
        """Say once which workers are passed over, and why."""
        for worker, why in refusing.items():
            if worker not in self._named:
                self._named.add(worker)
                warnings.warn(f"the worker at {worker} is passed over: {why}", stacklevel=2)

    def _is_connected(self) -> bool:
        """Return whether the scheduler is reached; if it is lost, wait while Dask tries to reach it again."""
        while self.client.status == "connecting":
            time.sleep(LOOK_SECONDS)
        return bool(self.client.status == "running")

    def crew(self) -> Crew:
        return Crew(*self._count(), len(self._running), self.retried)

    def release(self, kit: Kit) -> None:
        self._refusing.pop(kit.number, None)
        self._release(kit.number)

    def _release(self, number: int) -> None:
        if holders := self._holders.pop(number, None):
            with contextlib.suppress(Exception):  # the cluster may be gone
                alive = list(holders & self._threads().keys())
                self.client.sync(
                    self.client._run, release, self._key(number), workers=alive, on_error="ignore",
                    callback_timeout=FAREWELL,
                )  # fmt: skip

    def _key(self, kit: int) -> str:
        """Return what workers call a kit."""
        return f"{self.client.id}-{kit}"

    # Jobs -----------------------------------------------------------------------------------------------------------

    def next(self, timeout: float | None = None) -> Outcome | Report | None:
        """As for all executors.

        Raises:
            SearchError: the connection is lost; the jobs will never come out.
        """
        while True:
            news = super().next(COUNT_SECONDS if timeout is None else timeout)
            if news is None and self.client.status == "closed":
                raise SearchError(DISCONNECTED)
            if news is not None or timeout is not None:
                return news

    def _start(self, job: Job, attempt: int = 1) -> None:
        """Give a job to Dask; from the second attempt on, its worker must do it in a process of its own."""
        _ = job.kit.content  # raises if the game cannot travel
        name = name_of(job.number, next(self._tries), self.client.id)
        if not self._is_connected():
            raise SearchError(DISCONNECTED)
        workers = self._willing(job) if self._unfit or job.kit.number in self._refusing else None
        with self._starting:
            if job.number not in self.jobs:
                return  # cancelled meanwhile
            try:
                future = self.client.submit(
                    do, name, self._key(job.kit.number), interpreting(), attempt > 1, job.work, job.arguments,
                    key=name, pure=False, priority=-job.number, fifo_timeout="1 day",
                    workers=workers, allow_other_workers=bool(workers),
                )  # fmt: skip
            except _GOING:
                raise SearchError(DISCONNECTED) from None
            self._futures[job.number] = future
        future.add_done_callback(partial(self._came, job, attempt))

    def _willing(self, job: Job) -> list[str] | None:
        """Return the workers that do not refuse a job's kit; None if there are none."""
        refusing = self._refusing.get(job.kit.number, ())
        return [worker for worker in self._threads() if worker not in refusing] or None

    def _pass_over(self, worker: str, job: Job, why: Refused) -> bool:
        """Give a worker no more jobs with this kit; return whether there are others."""
        self._refusing.setdefault(job.kit.number, {})[worker] = why
        self._starts[job.number] -= 1
        return bool(worker) and self._willing(job) is not None

    def _came(self, job: Job, attempt: int, future: Future[Any]) -> None:
        """Take a job that has ended, in some thread of Dask."""
        _, worker = self._running.pop(job.number, ("", ""))
        if job.number not in self.jobs:
            return
        try:
            finished = self._finished(job, attempt, future, worker)
        except PlywiseError as error:
            finished = Finished(None, error, 0.0)
        except BaseException as error:
            text = f"the cluster could not do {job.label or 'a job'}: {type(error).__name__}: {error}"
            finished = Finished(None, SearchError(text), 0.0)
        if finished is not None:
            self._futures.pop(job.number, None)
            self._ended(job, finished, worker)
            if finished.error is None:
                self._name(self._refusing.get(job.kit.number, {}))  # what others have accepted

    def _finished(self, job: Job, attempt: int, future: Future[Any], worker: str) -> Finished | None:
        """Return how a job ended; None if it has to be done again, because others may have killed its worker, its
        result was lost with it, or the worker refused it.
        """
        try:
            finished: Finished = future.result()
        except KilledWorker:
            if attempt == MOST_ATTEMPTS:
                return lost(job, "its worker died")
        except _GONE:
            if attempt == MOST_ATTEMPTS or not self._is_connected():
                raise SearchError(DISCONNECTED) from None
        else:
            if isinstance(finished.error, Lost):
                return lost(job, "its worker died")
            if not isinstance(finished.error, Refused):
                return finished
            if not self._pass_over(worker, job, finished.error):
                return finished
            attempt -= 1  # that was none
        self._start(job, attempt + 1)
        return None

    def _heard(self, event: tuple[float, dict[str, Any]]) -> None:
        """Take what a job reports, or that it begins; Dask tells of its own events, too."""
        _, news = event
        if "report" not in news:
            return
        number = number_of(news["job"])
        if news["report"] != BEGUN:
            self._reported(number, news["report"])
        elif job := self.jobs.get(number):
            self._starts[number] += 1
            self.retried += self._starts[number] > 1
            self._running[number] = (news["job"], news["worker"])
            for message in list(job.messages):  # what it has missed
                self._update(job, message)

    def _cancel(self, job: Job) -> None:
        self._running.pop(job.number, None)
        with self._starting:
            future = self._futures.pop(job.number, None)
        if future is not None:
            with contextlib.suppress(*_GOING):
                self.client.cancel([future], asynchronous=False, force=True)

    def _update(self, job: Job, message: Any) -> None:
        if found := self._running.get(job.number):
            self.client.loop.add_callback(self._call, found[1], tell, found[0], message)

    def _bring(self, job: Job) -> None:
        if found := self._running.get(job.number):
            self._holders.setdefault(job.kit.number, set()).add(found[1])
            self.client.loop.add_callback(self._carry, job, found)

    async def _carry(self, job: Job, running: tuple[str, str]) -> None:
        """Send a job its kit until it arrives, or the job runs there no longer."""
        key, content = self._key(job.kit.number), job.kit.content
        while self._running.get(job.number) == running and not await self._call(running[1], bring, key, content):
            await asyncio.sleep(AGAIN_SECONDS)

    async def _call(self, worker: str, function: Callable[..., None], *arguments: Any) -> bool:
        """Call a function on a worker; return whether it was called."""
        with contextlib.suppress(*_GONE):
            return worker in await self.client._run(function, *arguments, workers=[worker], on_error="ignore")
        return False

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the cluster may be gone
            super().close()
            for number in list(self._holders):
                self._release(number)
        self.client.close()
        if self.own is not None:
            self.own.close()


def name_of(job: int, turn: int, client: str) -> str:
    """Return Dask's name for a job.

    >>> number_of(name_of(7, 1, "Client-c0ffee")), client_of(name_of(7, 1, "Client-c0ffee"))
    (7, 'Client-c0ffee')
    """
    return f"plywise-{job}.{turn}-{client}"


def number_of(name: str) -> int:
    """Return the number of a job."""
    return int(name.split("-", 2)[1].partition(".")[0])


def client_of(name: str) -> str:
    """Return the client that has submitted a job."""
    return name.split("-", 2)[2]


# On a worker ----------------------------------------------------------------------------------------------------------

BENCH = "plywise_bench"
_setting_up = threading.Lock()


def bench_of(worker: Worker) -> Bench:
    """Return the bench of a worker."""
    with _setting_up:
        if not hasattr(worker, BENCH):
            bench = Bench(worker.state.nthreads, partial(_report, worker))
            setattr(worker, BENCH, bench)
            threading.Thread(target=_look_after, args=(worker, bench), daemon=True).start()
    return getattr(worker, BENCH)  # type: ignore[no-any-return]


def _report(worker: Worker, name: str, message: Any) -> None:
    worker.log_event(client_of(name), {"job": name, "worker": worker.address, "report": message})


def _look_after(worker: Worker, bench: Bench) -> None:
    """Stop jobs that Dask no longer wants, and release kits that nobody uses, as long as the worker is there."""
    while worker.status != Status.closed:
        for name, desk in list(bench.desks.items()):
            task = worker.state.tasks.get(name)
            if not desk.stopped and (task is None or task.state == "cancelled"):
                bench.stop(name)
        bench.release_idle(IDLE_SECONDS)
        time.sleep(LOOK_SECONDS)


def do(name: str, kit: str, in_python: bool, apart: bool, work: Any, arguments: tuple[Any, ...]) -> Finished:
    """Do a job on the worker that calls this."""
    worker = get_worker()
    bench = bench_of(worker)
    bench.announce(name)
    _report(worker, name, BEGUN)
    with interpreted() if in_python else contextlib.nullcontext():
        if apart:
            return portable(bench.do(name, None, in_own_process, (bench, kit, work, arguments)))
        return portable(bench.do(name, kit, work, arguments))


def in_own_process(desk: Desk, bench: Bench, kit: str, work: Any, arguments: tuple[Any, ...]) -> Any:
    """Do a job and make its tools in another process: if it dies, that is the job's fault, and nobody else suffers."""
    with Processes(1, most_kills=1) as own:
        job = own.submit(Job(bench.kit(desk, kit), work, arguments))
        with desk.heeding(lambda: None, lambda message: own.update(job, message, lasting=False)):
            while True:
                news = own.next(timeout=LOOK_SECONDS)
                desk.check()
                if isinstance(news, Report):
                    desk.report(news.message)
                elif news is not None:
                    return news.answer()


def bring(key: str, content: bytes, dask_worker: Worker) -> None:
    """Take a kit on this worker."""
    bench_of(dask_worker).bring(key, PackedKit(content))


def release(key: str, dask_worker: Worker) -> None:
    """Give up a kit on this worker."""
    bench_of(dask_worker).release(key)


def tell(name: str, message: Any, dask_worker: Worker) -> None:
    """Tell a job on this worker something."""
    bench_of(dask_worker).tell(name, message)


def dask_setup(worker: Worker) -> None:
    """Called by Dask in a worker that is told to load this module at its start."""
    be_quiet()


def be_quiet() -> None:
    """Let Dask write nothing to the terminal: what concerns the user, we say."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(SILENT)
