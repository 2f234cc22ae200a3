"""An executor on a Dask cluster: a scheduler, and workers on any machines that reach it.

Dask distributes the jobs and gives those of a worker that has died to others.  What it cannot do, stop or talk to
compiled code, is done by our own part on each worker (``plywise.cluster.dask_worker``).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import itertools
import math
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from distributed import Client, Future, KilledWorker
from distributed.client import ClosedClientError

from plywise.cluster.bench import LOOK_SECONDS, Finished, Kit
from plywise.cluster.dask_worker import BEGUN, bring, do, name_of, number_of, release, tell
from plywise.cluster.executor import MOST_KILLS, Crew, Executor, Job, Lost, Outcome, Report, lost
from plywise.cluster.parcel import Refused, plywise_digest
from plywise.compiling.reading import interpreting
from plywise.errors import PlywiseError, SearchError

AGAIN_SECONDS = 1.0
"""How long to wait before a kit is sent again that did not reach its worker."""

FAREWELL = 2.0
"""How long to wait for workers to hear that a kit is released; from then on it counts as idle."""

COUNT_SECONDS = 1.0
"""How often to ask how many workers there are."""

APART = MOST_KILLS
"""The attempt from which on a job is done in a process of its own: if that dies, too, the job is to blame."""

MOST_ATTEMPTS = 5
"""How often a job is given to Dask, which gives each up after some deaths of its worker."""

DISCONNECTED = "the connection to the cluster is lost"
HOW_TO_JOIN = "start some with 'plywise cluster work ADDRESS' or 'dask worker ADDRESS'"

DIGEST = f"__import__({plywise_digest.__module__!r}, fromlist=['*']).plywise_digest()"
"""An expression for Python's own ``eval``, which workers have even if they lack plywise."""

_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
_BROKEN = (OSError, TimeoutError, asyncio.TimeoutError, ClosedClientError, *_CANCELLED)
"""How a job ends in Dask if a connection breaks before its result has arrived."""

_GONE = (*_BROKEN, RuntimeError, AttributeError)
"""What the methods of a client raise if its scheduler is gone, or goes at this moment."""

WAIT_SECONDS = 60.0
"""How long to wait for the first worker."""

JOIN_SECONDS = 0.05
"""How often to look for it."""


class _Given(NamedTuple):
    """A job that Dask has, or that waits until there is a worker for it."""

    job: Job
    attempt: int
    future: Any
    """Dask's handle; None: it waits here."""
    workers: set[str] | None
    """Who may do it; Dask gives it to no others, even if all of these are gone.  None: everybody."""
    connection: Any
    """The connection over which Dask got it."""


class Cluster(Executor):
    """The workers of a Dask cluster.

    Args:
        client: a connection to it; ``close`` closes it too.
        own: a cluster that was started for this, and that ends with it.
    """

    def __init__(self, client: Client, own: Any = None) -> None:
        super().__init__()
        self.client, self.own = client, own
        self._given: dict[int, _Given] = {}
        self._running: dict[int, tuple[str, str]] = {}
        self._starts: Counter[int] = Counter()
        self._holders: dict[int, set[str]] = {}
        """The workers that have been sent a kit, by its number."""
        self._refusing: dict[int, dict[str, Refused]] = {}
        """The workers that refuse a kit, by its number, and why."""
        self._asked: set[str] = set()
        """The workers that were asked for their plywise."""
        self._fit: set[str] = set()
        """Those that have ours."""
        self._unfit: dict[str, Refused] = {}
        """Those that have not, and what is wrong."""
        self._named: set[str] = set()
        """The workers whose refusals have been reported."""
        self._tries = itertools.count(1)
        self._counted = (0.0, 0, 0)
        self._starting = threading.Lock()
        """Held while a job that is still wanted is given to Dask or taken back, in any thread."""
        self._subscribed: Any = None
        """The connection over which we hear what jobs report."""
        try:
            self._wait_for_a_worker()
        except BaseException:
            self.close()
            raise

    # Workers --------------------------------------------------------------------------------------------------------

    def _wait_for_a_worker(self) -> None:
        end = time.monotonic() + WAIT_SECONDS
        while not self._threads():
            if self.client.status == "closed":
                raise SearchError(DISCONNECTED)
            if time.monotonic() > end:
                what = "no worker of the cluster has answered" if self._asked else "no worker has joined the cluster"
                raise SearchError(f"{what} in {WAIT_SECONDS:.0f} s: {HOW_TO_JOIN}")
            time.sleep(JOIN_SECONDS)

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
        """Return the workers that have our plywise, and how many threads each has; none without a connection.  A worker
        counts once it has answered: one that never does holds up nobody.

        Raises:
            SearchError: no worker has our plywise.
        """
        try:
            found: dict[str, int] = self.client.nthreads()
            for worker in self._asked - found.keys():  # another one may come to its address
                self._forget(worker)
            for worker in found.keys() - self._asked:
                self._asked.add(worker)
                if self.own is None:
                    self.client.loop.add_callback(self._ask, worker)
                else:
                    self._fit.add(worker)  # our own workers have our plywise
        except _GONE:
            return {}
        self._recall()
        if found and found.keys() <= self._unfit.keys():
            worker, why = next(iter(self._unfit.items()))
            raise SearchError(f"no worker of the cluster has the plywise that is installed here: of {worker}, {why}")
        self._name(self._unfit)
        return {worker: threads for worker, threads in found.items() if worker in self._fit}

    async def _ask(self, worker: str) -> None:
        """Find out whether a worker has the plywise that we have.  One without any could not even refuse a job."""
        found: Any = None
        with contextlib.suppress(*_GONE):
            found = (await self.client._run(eval, DIGEST, workers=[worker], on_error="return")).get(worker)
        if found == plywise_digest():
            self._fit.add(worker)
        elif isinstance(found, str):
            self._unfit[worker] = Refused("it has another version of plywise")
        elif isinstance(found, Exception) and not isinstance(found, _BROKEN):
            self._unfit[worker] = Refused(f"it lacks plywise ({found})")
        else:
            self._forget(worker)  # the question did not reach it, and is asked again

    def _recall(self) -> None:
        """Give the jobs whose workers are all gone to others, if there are any.  They may have killed their workers."""
        for given in list(self._given.values()):
            is_stranded = given.workers is not None and self._fit.isdisjoint(given.workers)
            if is_stranded and self._fit and self._withdraw(given):
                killed = given.future is not None and given.attempt < APART
                self._start(given.job, given.attempt + killed)

    def _forget(self, worker: str) -> None:
        self._asked.discard(worker)
        self._fit.discard(worker)
        self._unfit.pop(worker, None)

    def _name(self, refusing: dict[str, Refused]) -> None:
        """Say once which workers are passed over, and why."""
        for worker, why in list(refusing.items()):
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
                alive = list(holders & self.client.nthreads().keys())
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
        end = math.inf if timeout is None else time.monotonic() + timeout
        while (news := super().next(max(0.0, min(end - time.monotonic(), COUNT_SECONDS)))) is None:
            if self.client.status == "closed":
                raise SearchError(DISCONNECTED)
            self._count()  # workers may have left or joined
            if time.monotonic() >= end:
                return None
        return news

    def _start(self, job: Job, attempt: int = 1) -> None:
        """Give a job to Dask, for workers that do not refuse it; if there are none, they refuse it once more."""
        _ = job.kit.content  # raises if the game cannot travel
        name = name_of(job.number, next(self._tries), self.client.id)
        if not self._is_connected():
            raise SearchError(DISCONNECTED)
        workers = self._willing(job)
        with self._starting:
            if job.number not in self.jobs:
                return  # cancelled meanwhile
            connection = future = None
            if workers is None or workers:
                try:
                    connection = self._subscribe()
                    future = self.client.submit(
                        do, name, self._key(job.kit.number), interpreting(), attempt >= APART, job.work, job.arguments,
                        key=name, pure=False, priority=-job.number, fifo_timeout="1 day",
                        workers=workers and sorted(workers),
                    )  # fmt: skip
                except _GONE:
                    raise SearchError(DISCONNECTED) from None
            given = self._given[job.number] = _Given(job, attempt, future, workers, connection)
        if future is not None:
            future.add_done_callback(partial(self._came, given))

    def _willing(self, job: Job) -> set[str] | None:
        """Return the workers that have our plywise and do not refuse the job's kit; if all refuse it, all of them."""
        fit, refusing = set(self._fit), self._refusing.get(job.kit.number, {}).keys()
        if self.own is not None and not refusing:
            return None  # also one that joins later, in place of one that has died
        return fit - refusing or fit

    def _subscribe(self) -> Any:
        """Return the connection to the scheduler.  If it is new, have what jobs report sent over it."""
        connection = self.client.scheduler_comm
        if connection is None or connection is not self._subscribed:
            self.client.subscribe_topic(self.client.id, self._heard)  # Dask forgets a client's events when it has left
            self._subscribed = connection
        return connection

    def _pass_over(self, worker: str, job: Job, why: Refused) -> bool:
        """Give a worker no more jobs with this kit; return whether there are others."""
        refusing = self._refusing.setdefault(job.kit.number, {})
        refusing[worker] = why
        self._starts[job.number] -= 1
        return bool(worker) and not self._fit <= refusing.keys()

    def _came(self, given: _Given, future: Future[Any]) -> None:
        """Take a job that has ended, in some thread of Dask."""
        if not self._take_back(given):
            return  # it was cancelled or recalled
        job = given.job
        _, worker = self._running.pop(job.number, ("", ""))
        try:
            finished = self._finished(given, future, worker)
        except PlywiseError as error:
            finished = Finished(None, error, 0.0)
        except BaseException as error:
            text = f"the cluster could not do {job.label or 'a job'}: {type(error).__name__}: {error}"
            finished = Finished(None, SearchError(" ".join(text.split())), 0.0)
        if finished is not None:
            self._ended(job, finished, worker)
            if finished.error is None:
                self._name(self._refusing.get(job.kit.number, {}))  # what others have accepted

    def _finished(self, given: _Given, future: Future[Any], worker: str) -> Finished | None:
        """Return how a job ended; None if it is done again: others may have killed its worker, its result was lost with
        it, the worker refused it, or the connection broke.  The last two are no attempts.
        """
        job, attempt = given.job, given.attempt
        try:
            finished: Finished = future.result()
        except KilledWorker:
            attempt = max(attempt + 1, APART)
        except _BROKEN:
            if not self._is_connected():
                raise SearchError(DISCONNECTED) from None
            attempt += self.client.scheduler_comm is given.connection
        else:
            if isinstance(finished.error, Refused):
                if not self._pass_over(worker, job, finished.error):
                    return finished
            elif isinstance(finished.error, Lost):
                return lost(job, "its worker died")
            else:
                return finished
        if attempt > MOST_ATTEMPTS:
            return lost(job, "its worker died")
        self._start(job, attempt)
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
        with self._starting:
            given = self._given.get(job.number)
        if given is not None:
            self._withdraw(given)

    def _withdraw(self, given: _Given) -> bool:
        """Stop a job; return False if it has ended."""
        if not self._take_back(given):
            return False
        self._running.pop(given.job.number, None)
        if given.future is not None:
            with contextlib.suppress(*_GONE):
                self.client.cancel([given.future], asynchronous=False, force=True)
        return True

    def _take_back(self, given: _Given) -> bool:
        """Return whether nobody else has taken a job back, in another thread."""
        with self._starting:
            is_first = self._given.get(given.job.number) is given
            if is_first:
                del self._given[given.job.number]
        return is_first

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
