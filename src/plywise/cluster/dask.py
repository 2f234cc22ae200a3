"""An executor on a Dask cluster: a scheduler, and workers on any machines that reach it.

Dask distributes the jobs and gives those of a worker that has died to others.  What it cannot do, stop or talk to
compiled code, is done by our own part on each worker (``plywise.cluster.dask_worker``).

Dask's loop, in a thread of its own, hears what jobs report, waits for their results and fetches them.  Everything else
is done in the thread that calls ``next``.  If the connection breaks, another one is made, and Dask gets all jobs again.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import importlib.util
import itertools
import math
import pickle
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, NamedTuple

from distributed import KilledWorker

from plywise.cluster.bench import MOST_TOLD, Finished, Kit
from plywise.cluster.connection import BROKEN, Connection
from plywise.cluster.dask_worker import BEGUN, bring, do, name_of, number_of, release, tell
from plywise.cluster.executor import MOST_KILLS, Crew, Executor, Job, Lost, Outcome, Report, lost
from plywise.cluster.parcel import Refused
from plywise.cluster.roster import HOW_TO_JOIN, WAIT_SECONDS, Roster
from plywise.compiling.reading import interpreting
from plywise.errors import SearchError, Stopped

AGAIN_SECONDS = 1.0
"""How long to wait before something is sent again that did not reach its worker."""

RETRY_SECONDS, PAUSE_SECONDS = 5.0, 0.1
"""How long to try to connect again, and how long to wait after each try."""

FAREWELL = 2.0
"""How long to wait for workers to hear that a kit is released; from then on it counts as idle."""

WAKE_SECONDS = 1.0
"""How often the wait for news is interrupted to see who is there."""

APART = MOST_KILLS
"""The attempt from which on a job is done in a process of its own: if that dies, too, the job is to blame."""

MOST_ATTEMPTS = 5
"""How often a job is given to Dask, which gives each up after some deaths of its worker."""

JOBS_A_SECOND = 200
"""How many jobs a cluster should be given in a second: three times as many would keep a core of ours busy, and one of
the scheduler's.
"""

DISCONNECTED = "the connection to the cluster at {} is lost"

JOIN_SECONDS = 0.05
"""How often to look for the first worker."""


@dataclasses.dataclass(eq=False)
class _Given:
    """A job that Dask has, or that waits until there is a worker for it."""

    job: Job
    attempt: int
    name: str
    """Dask's name for it: each attempt has its own."""
    workers: set[str] | None
    """Who may do it; Dask gives it to no others, even if all of these are gone.  None: everybody."""
    client: Connection
    """The connection over which Dask gets it."""
    future: Any = None
    """Dask's handle; None: it waits here."""
    worker: str = ""
    """Who is doing it."""
    wants_kit: bool = False
    told: int = 0
    """How many of the job's lasting messages it has been told."""
    passing: deque[Any] = dataclasses.field(default_factory=lambda: deque(maxlen=MOST_TOLD))
    """Other messages for it."""
    is_hearing: bool = False
    """Whether something is on its way to it."""


class _Ended(NamedTuple):
    """What Dask says of a job that has ended: how, what went wrong, or neither if its result is lost."""

    job: Job
    given: _Given
    finished: Finished | None
    error: BaseException | None


class Cluster(Executor):
    """The workers of a Dask cluster.

    Args:
        reach: makes a connection to it, or raises ``SearchError``.
        own: a cluster that was started for this, and that ends with it.
    """

    def __init__(self, reach: Callable[[], Connection], own: Any = None) -> None:
        super().__init__()
        self.own, self._reach = own, reach
        self._name = uuid.uuid4().hex
        """Names us among those who use the same workers."""
        self._given: dict[int, _Given] = {}
        self._starts: Counter[int] = Counter()
        """How often each job has begun."""
        self._holders: dict[int, set[str]] = {}
        """The workers that have been sent a kit, by its number."""
        self._tries = itertools.count(1)
        self._recalled = 0
        """The look at the roster after which jobs were last recalled."""
        self.client = self._connection()
        self.roster = Roster(self.client, own is not None)
        try:
            self._wait_for_a_worker()
        except BaseException:
            self.close()
            raise

    # The connection -------------------------------------------------------------------------------------------------

    def _connection(self) -> Connection:
        """Return a new connection, over which we hear what jobs report."""
        client = self._reach()
        client.hear(self._heard)
        return client

    @property
    def _lost(self) -> str:
        """What to say if it cannot be restored."""
        return DISCONNECTED.format(self.client.address)

    def _reconnect(self) -> None:
        """If the connection is lost, make another, and give Dask all jobs again.

        Raises:
            SearchError: the scheduler is not reached.
        """
        if not self.client.is_lost:
            return
        self.client.leave()
        end = time.monotonic() + RETRY_SECONDS
        while self.client.is_lost:
            if self.is_closed:
                raise SearchError(self._lost)
            try:
                self.client = self._connection()
            except SearchError:
                if time.monotonic() > end:
                    raise SearchError(self._lost) from None
                time.sleep(PAUSE_SECONDS)
        self.roster.use(self.client)
        for given in list(self._given.values()):
            if given.future is not None and self._given.get(given.job.number) is given:
                self._start(given.job, given.attempt)

    # Workers --------------------------------------------------------------------------------------------------------

    def _wait_for_a_worker(self) -> None:
        end = time.monotonic() + WAIT_SECONDS
        while not self.slots:
            if self.client.is_lost:
                raise SearchError(self._lost)
            if time.monotonic() > end:
                did = "answered" if self.roster.workers else "joined"
                raise SearchError(f"no worker of the cluster has {did} in {WAIT_SECONDS:.0f} s: {HOW_TO_JOIN}")
            time.sleep(JOIN_SECONDS)

    @property
    def slots(self) -> int:
        self.roster.look()
        return sum(self.roster.threads.values())

    @property
    def job_seconds(self) -> float:
        return max(super().job_seconds, self.slots / JOBS_A_SECOND)

    def crew(self) -> Crew:
        threads, given = self.roster.threads, list(self._given.values())
        return Crew(len(threads), sum(threads.values()), sum(each.worker in threads for each in given), self.retried)

    @property
    def dashboard(self) -> str:
        """The address of Dask's own page; empty if Bokeh, which it needs, is not installed."""
        return str(self.client.dashboard_link) if importlib.util.find_spec("bokeh") else ""

    def release(self, kit: Kit) -> None:
        self.roster.forget_kit(kit.number)
        self._release(kit.number)

    def _release(self, number: int) -> None:
        holders = self._holders.pop(number, set()) & self.roster.fit
        if holders and not self.client.is_lost:
            with contextlib.suppress(*BROKEN):
                self.client.sync(
                    self.client._run, release, self._key(number), workers=list(holders), on_error="ignore",
                    callback_timeout=FAREWELL,
                )  # fmt: skip

    def _key(self, kit: int) -> str:
        """Return what workers call a kit."""
        return f"{self._name}-{kit}"

    # Jobs -----------------------------------------------------------------------------------------------------------

    def next(self, timeout: float | None = None) -> Outcome | Report | None:
        """As for all executors.

        Raises:
            SearchError: the connection is lost, so the jobs will never come out; or there are no fit workers.
        """
        end = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            self._reconnect()
            self.roster.look()
            if self.roster.looks != self._recalled:
                self._recalled = self.roster.looks
                self._recall()
            news: Any = super().next(max(0.0, min(end - time.monotonic(), WAKE_SECONDS)))
            if isinstance(news, _Ended):
                news = self._taken(news)
            if news is not None:
                return news  # type: ignore[no-any-return]
            if time.monotonic() >= end:
                return None

    def _start(self, job: Job, attempt: int = 1) -> None:
        """Give a job to Dask, instead of what it has of this job, or keep it until there is a worker for it."""
        _ = job.kit.content, job.content  # raises if they cannot travel
        self._reconnect()
        if before := self._given.pop(job.number, None):
            self._withdraw(before)
        client = self.client
        name = name_of(job.number, next(self._tries), client.id)
        workers = self.roster.willing(job.kit.number)
        given = self._given[job.number] = _Given(job, attempt, name, workers, client)
        if workers is None or workers:
            given.future = client.submit(
                do, name, self._key(job.kit.number), interpreting(), attempt >= APART, job.content,
                key=name, pure=False, priority=-job.number, fifo_timeout="1 day",
                workers=workers and sorted(workers),
            )  # fmt: skip
            client.loop.add_callback(self._follow, given)

    def _recall(self) -> None:
        """Give the jobs whose workers are all gone to others, if there are any.

        A job that Dask had counts as an attempt: it may have killed its workers.
        """
        fit = self.roster.fit
        for given in list(self._given.values()) if fit else ():
            is_current = self._given.get(given.job.number) is given
            if is_current and given.workers is not None and fit.isdisjoint(given.workers):
                self._start(given.job, given.attempt + (given.future is not None and given.attempt < APART))

    def _cancel(self, job: Job) -> None:
        self._starts.pop(job.number, None)
        if given := self._given.pop(job.number, None):
            self._withdraw(given)

    def _withdraw(self, given: _Given) -> None:
        """Let Dask stop a job, without waiting."""
        if given.future is not None:
            given.client.loop.add_callback(self._stop, given)

    async def _stop(self, given: _Given) -> None:
        with contextlib.suppress(*BROKEN):
            await given.client.cancel([given.future], asynchronous=True, force=True)

    def _update(self, job: Job, message: Any, lasting: bool) -> None:
        if given := self._given.get(job.number):
            if not lasting and given.worker:
                given.client.loop.add_callback(given.passing.append, message)
            given.client.loop.add_callback(self._tell, given)

    # How jobs end ---------------------------------------------------------------------------------------------------

    async def _follow(self, given: _Given) -> None:
        """Wait until a job has ended, and fetch what it returned.

        Each job has a request of its own: in one for many, a worker that does not answer would hold up the results of
        others.
        """
        finished = error = None
        try:
            error = await given.future.exception()
            if error is None and not given.future.cancelled():
                found = await given.client.scheduler.gather(keys=[given.name])
                finished = found["data"][given.name] if found["status"] == "OK" else None
        except (Exception, asyncio.CancelledError) as failure:
            error = failure
        self._news.put(_Ended(given.job, given, finished, error))

    def _taken(self, ended: _Ended) -> Outcome | None:
        """Return how a job came out; None if it is done again, or was already."""
        job, given = ended.job, ended.given
        if self._given.get(job.number) is not given:
            return None
        del self._given[job.number]
        finished = self._finished(given, ended.finished, ended.error)
        if finished is None:
            return None
        if finished.error is None:
            self.roster.accepted(job.kit.number)
        del self.jobs[job.number]
        self._starts.pop(job.number, None)
        return Outcome(job, *finished, given.worker)

    def _finished(self, given: _Given, finished: Finished | None, error: BaseException | None) -> Finished | None:
        """Return how a job ended; None if it was started again."""
        job, attempt = given.job, given.attempt
        if isinstance(error, KilledWorker):  # perhaps by other jobs
            attempt = max(attempt + 1, APART)
        elif error is not None and not isinstance(error, BROKEN):
            text = f"the cluster could not do {job.label or 'a job'}: {type(error).__name__}: {error}"
            return Finished(None, SearchError(" ".join(text.split())), 0.0)
        elif finished is None or isinstance(finished.error, Stopped):
            attempt += not self.client.is_lost  # whose break is no fault of the job
        elif isinstance(finished.error, Refused):  # which is no attempt
            self._starts[job.number] -= 1
            if not self.roster.pass_over(given.worker, job.kit.number, finished.error):
                return finished._replace(error=Refused(f"the worker at {given.worker} refuses: {finished.error}"))
        elif isinstance(finished.error, Lost):
            return lost(job, "its worker died")
        else:
            return finished
        if attempt > MOST_ATTEMPTS:
            return lost(job, "its worker died")
        self._start(job, attempt)
        return None

    # What jobs report, in Dask's loop -------------------------------------------------------------------------------

    def _heard(self, event: tuple[float, dict[str, Any]]) -> None:
        """Take what a job reports, or that it begins; Dask tells of its own events, too."""
        _, news = event
        if "report" not in news:
            return
        given = self._given.get(number_of(news["job"]))
        if given is None or given.name != news["job"]:
            return  # of an earlier attempt
        message, job = pickle.loads(news["report"]), given.job
        if message != BEGUN:
            self._reported(job.number, message)
            return
        self._starts[job.number] += 1
        self.retried += self._starts[job.number] > 1
        given.worker, given.told, given.wants_kit = news["worker"], 0, False
        given.client.loop.add_callback(self._tell, given)

    def _bring(self, job: Job) -> None:
        if given := self._given.get(job.number):
            self._holders.setdefault(job.kit.number, set()).add(given.worker)
            given.wants_kit = True
            given.client.loop.add_callback(self._tell, given)

    async def _tell(self, given: _Given) -> None:
        """Send a job that has begun its kit, if it wants that, and what it has not been told.

        There is one request at a time, however much there is to tell: a worker that does not answer holds up no others.
        """
        if given.is_hearing or not given.worker:
            return
        given.is_hearing, job = True, given.job
        while self._given.get(job.number) is given:
            worker, told, wants_kit = given.worker, given.told, given.wants_kit
            lasting = job.messages[told:]
            messages = [*lasting, *given.passing]
            if not wants_kit and not messages:
                break
            given.told, given.wants_kit = told + len(lasting), False
            given.passing.clear()
            try:
                if wants_kit:
                    await given.client.call(worker, bring, self._key(job.kit.number), job.kit.content)
                if messages:
                    await given.client.call(worker, tell, given.name, messages)
            except BROKEN:
                if worker == given.worker:  # else another one has begun, and is told everything
                    given.told, given.wants_kit = told, wants_kit
                await asyncio.sleep(AGAIN_SECONDS)
            except Exception as error:
                self._news.put(_Ended(job, given, None, error))
                await self._stop(given)
        given.is_hearing = False

    def close(self) -> None:
        try:
            super().close()
            for number in list(self._holders):
                self._release(number)
        finally:
            self.client.leave()
            if self.own is not None:
                self.own.close()
