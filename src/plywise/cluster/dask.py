"""An executor on a Dask cluster: a scheduler, and workers on any machines that reach it.

Dask distributes the jobs and gives those of a worker that has died to others.  What it cannot do is stop or talk to
compiled code; for that, each worker has a bench (``plywise.cluster.bench``).  Dask marks a job that is running but no
longer wanted, because we cancelled it or because our process has ended; a thread of the worker looks for such marks and
stops the search.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import logging
import threading
import time
import uuid
from collections import Counter
from functools import partial
from typing import Any

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, get_worker

from plywise.cluster.bench import Bench, Desk, Finished, Kit, portable
from plywise.cluster.executor import Crew, Executor, Job, Lost, Report, lost
from plywise.cluster.processes import Processes
from plywise.compiling.reading import interpreted, interpreting
from plywise.errors import PlywiseError, SearchError

LOOK_SECONDS = 0.01
"""How often a worker looks whether its jobs are still wanted."""

COUNT_SECONDS = 1.0
"""How often to ask how many workers there are."""

MOST_ATTEMPTS = 5
"""How often a job is given to Dask, which gives each up after some deaths of its worker."""

DISCONNECTED = "the connection to the cluster is lost; what is written so far is kept"

_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
_GONE = (OSError, RuntimeError, TimeoutError, asyncio.TimeoutError, *_CANCELLED)
"""What Dask raises when its scheduler is gone."""

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
        self._session = uuid.uuid4().hex[:12]
        self._futures: dict[int, Future[Any]] = {}
        self._running: dict[int, tuple[str, str]] = {}
        self._starts: Counter[int] = Counter()
        self._kits: dict[int, Kit] = {}
        self._counted = (0.0, 0, 0)
        client.subscribe_topic(self._topic, self._heard)
        try:
            client.wait_for_workers(1, timeout=WAIT_SECONDS)
        except (TimeoutError, asyncio.TimeoutError):  # in Python 3.10 they differ
            self.close()
            raise SearchError(f"no worker has joined the cluster in {WAIT_SECONDS:.0f} s: start some with 'plywise "
                              "cluster work ADDRESS' or 'dask worker ADDRESS'") from None  # fmt: skip

    @property
    def _topic(self) -> str:
        return f"plywise-{self._session}"

    @property
    def slots(self) -> int:
        return self._count()[1]

    @property
    def dashboard(self) -> str:
        """The address of Dask's own page; empty if Bokeh, which it needs, is not installed."""
        return str(self.client.dashboard_link) if importlib.util.find_spec("bokeh") else ""

    def _count(self) -> tuple[int, int]:
        """Return the number of workers and of their threads."""
        at, workers, slots = self._counted
        if time.monotonic() - at > COUNT_SECONDS:
            with contextlib.suppress(OSError, TimeoutError, asyncio.TimeoutError):
                threads = self.client.nthreads()
                workers, slots = len(threads), sum(threads.values())
            self._counted = (time.monotonic(), workers, slots)
        return workers, slots

    def crew(self) -> Crew:
        return Crew(*self._count(), len(self._running), self.retried)

    def release(self, kit: Kit) -> None:
        if self._kits.pop(kit.number, None) is not None:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self.client.unregister_worker_plugin(self._key(kit))

    # Jobs -----------------------------------------------------------------------------------------------------------

    def _start(self, job: Job, attempt: int = 1) -> None:
        """Give a job to Dask; from the second attempt on, its worker must do it in a process of its own."""
        name = f"{self._topic}-{job.number}.{attempt}"
        try:
            future = self.client.submit(
                do, name, self._topic, self._kit(job), interpreting(), attempt > 1, job.work, job.arguments,
                key=name, pure=False, priority=-job.number, fifo_timeout="1 day",
            )  # fmt: skip
        except _GONE:
            raise SearchError(DISCONNECTED) from None
        self._futures[job.number] = future
        future.add_done_callback(partial(self._came, job, attempt))

    def _kit(self, job: Job) -> str:
        """Send the kit to all workers, also to those that come later; return its name."""
        key = self._key(job.kit)
        if job.kit.number not in self._kits:
            self.client.register_plugin(Delivery(key, job.kit.packed()), name=key)
            self._kits[job.kit.number] = job.kit
        return key

    def _key(self, kit: Kit) -> str:
        return f"{self._topic}-kit-{kit.number}"

    def _came(self, job: Job, attempt: int, future: Future[Any]) -> None:
        """Take a job that has ended, in some thread of Dask."""
        _, worker = self._running.pop(job.number, ("", ""))
        if job.number not in self.jobs:
            return
        try:
            finished = self._finished(job, attempt, future)
        except PlywiseError as error:
            finished = Finished(None, error, 0.0)
        except BaseException as error:
            text = f"the cluster could not do {job.label or 'a job'}: {type(error).__name__}: {error}"
            finished = Finished(None, SearchError(text), 0.0)
        if finished is not None:
            self._futures.pop(job.number, None)
            self._ended(job, finished, worker)

    def _finished(self, job: Job, attempt: int, future: Future[Any]) -> Finished | None:
        """Return how a job ended; None if it has to be done again, because others may have killed its worker, or its
        result was lost with it.
        """
        try:
            finished: Finished = future.result()
        except KilledWorker:
            if attempt == MOST_ATTEMPTS:
                return lost(job, "its worker died")
        except _GONE:
            if attempt == MOST_ATTEMPTS or self.client.status != "running":
                raise SearchError(DISCONNECTED) from None
        else:
            return lost(job, "its worker died") if isinstance(finished.error, Lost) else finished
        self._start(job, attempt + 1)
        return None

    def _heard(self, event: tuple[float, dict[str, Any]]) -> None:
        """Take what a worker says of a job: that it begins, or what the job reports."""
        _, news = event
        number = int(news["job"].rpartition("-")[2].partition(".")[0])
        if "report" in news:
            self._reported(number, news["report"])
        elif job := self.jobs.get(number):
            self._starts[number] += 1
            self.retried += self._starts[number] > 1
            self._running[number] = (news["job"], news["worker"])
            for message in list(job.messages):  # what it has missed
                self._update(job, message)

    def _cancel(self, job: Job) -> None:
        self._running.pop(job.number, None)
        future = self._futures.pop(job.number, None)
        if future is not None:
            with contextlib.suppress(*_GONE):
                self.client.cancel([future], asynchronous=False, force=True)

    def _update(self, job: Job, message: Any) -> None:
        if job.number in self._running:
            name, worker = self._running[job.number]
            self.client.loop.add_callback(self._tell, name, message, worker)

    async def _tell(self, name: str, message: Any, worker: str) -> None:
        with contextlib.suppress(*_GONE):
            await self.client._run(tell, name, message, workers=[worker], on_error="ignore")

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the cluster may be gone
            super().close()
            for kit in list(self._kits.values()):
                self.release(kit)
        self.client.close()
        if self.own is not None:
            self.own.close()


# On a worker ----------------------------------------------------------------------------------------------------------

BENCH = "plywise_bench"


def bench_of(worker: Worker) -> Bench:
    """Return the bench of a worker."""
    if not hasattr(worker, BENCH):
        setattr(worker, BENCH, Bench(worker.state.nthreads, partial(_report, worker)))
    return getattr(worker, BENCH)  # type: ignore[no-any-return]


def _report(worker: Worker, name: str, message: Any) -> None:
    worker.log_event(name.rpartition("-")[0], {"job": name, "report": message})


class Delivery(WorkerPlugin):
    """Brings a kit to a worker."""

    def __init__(self, key: str, content: bytes) -> None:
        self.key, self.content = key, content

    def setup(self, worker: Worker) -> None:
        bench_of(worker).bring(self.key, self.content)

    def teardown(self, worker: Worker) -> None:
        bench_of(worker).release(self.key)


def do(
    name: str, topic: str, kit: str, in_python: bool, apart: bool, work: Any, arguments: tuple[Any, ...]
) -> Finished:
    """Do a job on the worker that calls this."""
    worker = get_worker()
    bench = bench_of(worker)
    bench.announce(name)
    worker.log_event(topic, {"job": name, "worker": worker.address})
    threading.Thread(target=_watch, args=(worker, bench, name), daemon=True).start()
    with interpreted() if in_python else contextlib.nullcontext():
        if apart:
            return portable(bench.do(name, kit, in_own_process, (bench.kit(kit), work, arguments)))
        return portable(bench.do(name, kit, work, arguments))


def in_own_process(desk: Desk, kit: Kit, work: Any, arguments: tuple[Any, ...]) -> Any:
    """Do a job in another process: if it dies, that is the job's fault, and nobody else suffers."""
    with Processes(1, most_kills=1) as own:
        job = own.submit(Job(kit, work, arguments))
        with desk.heeding(lambda: None, lambda message: own.update(job, message)):
            while True:
                news = own.next(timeout=LOOK_SECONDS)
                desk.check()
                if isinstance(news, Report):
                    desk.report(news.message)
                elif news is not None:
                    return news.answer()


def _watch(worker: Worker, bench: Bench, name: str) -> None:
    """Stop a job when Dask no longer wants it."""
    while name in bench.desks:
        task = worker.state.tasks.get(name)
        if task is None or task.state == "cancelled":
            bench.stop(name)
            return
        time.sleep(LOOK_SECONDS)


def tell(name: str, message: Any, dask_worker: Worker) -> None:
    """Tell a job on this worker something."""
    bench_of(dask_worker).tell(name, message)


def be_quiet() -> None:
    """Let Dask write nothing to the terminal: what concerns the user, we say."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
