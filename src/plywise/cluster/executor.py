"""Executors: one interface to the threads of this process, the processes of this machine, and a cluster.

>>> from plywise.cluster.executor import Threads
>>> from plywise.cluster.bench import Kit
>>> from plywise.games import Nim
>>> kit = Kit(Nim(), lambda game, share: game)
>>> with Threads(2) as executor:
...     job = executor.submit(Job(kit, lambda desk, a, b: a + b, (1, 2)))
...     executor.next().value
3
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import functools
import itertools
import pickle
import queue
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from types import TracebackType
from typing import Any, NamedTuple

from plywise.cluster.bench import WANTED, Bench, Desk, Finished, Kit, PackedKit, Warned
from plywise.compiling.threads import start_thread
from plywise.errors import SearchError
from plywise.game import Game
from plywise.inputs.limits import check_threads
from plywise.io.processes import uninterrupted

MOST_KILLS = 3
"""How often a job may lose its worker before it is given up."""

AHEAD = 2
"""How many jobs a slot may have, one running and the others waiting, so that it never waits for us."""


@dataclasses.dataclass(eq=False)
class Job:
    """Something to be done: ``work(desk, *arguments)``, with the tools of a kit."""

    kit: Kit | PackedKit
    work: Callable[..., Any]
    """A function of a module of plywise."""
    arguments: tuple[Any, ...]
    label: str = ""
    """What to call it in messages."""
    number: int = dataclasses.field(default_factory=itertools.count(1).__next__, init=False)
    messages: list[Any] = dataclasses.field(default_factory=list, init=False)
    """What it was told (``Executor.update``), for workers that come to it later."""

    @functools.cached_property
    def content(self) -> bytes:
        """What is to be done, for ``unpacked`` in another process.

        Raises:
            SearchError: it cannot travel.
        """
        try:
            return pickle.dumps((self.work, self.arguments))
        except Exception as error:
            raise SearchError(f"{self.label or 'a job'} cannot be sent to other processes: {error}") from None


def unpacked(desk: Desk, content: bytes) -> Any:
    """Do a job that came from another process."""
    work, arguments = pickle.loads(content)
    return work(desk, *arguments)


class Lost(SearchError):
    """A job's workers were killed so often that it was given up."""


class Outcome(NamedTuple):
    """How a job ended: with a value or an error."""

    job: Job
    value: Any
    error: BaseException | None
    seconds: float
    prepared: float
    worker: str = ""

    def answer(self) -> Any:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value


class Report(NamedTuple):
    """What a running job reports."""

    job: Job
    message: Any


class Crew(NamedTuple):
    """Who is at work, for a progress display."""

    workers: int
    slots: int
    running: int
    retried: int


class Executor(abc.ABC):
    """Does jobs, in any order.  Jobs come in by ``submit`` and go out by ``next``; a cancelled one never comes out.  It
    serves one caller at a time, because ``next`` returns whatever comes out.

    A job whose worker dies is given to another; after ``MOST_KILLS`` deaths it comes out with the error ``Lost``.
    """

    def __init__(self) -> None:
        self.retried = 0
        """How many times a job was given to another worker."""
        self.jobs: dict[int, Job] = {}
        """The jobs that have not come out yet, by number."""
        self.on_wait: Callable[[], None] = lambda: None
        """Called at least once a second while ``done_in_turn`` waits, so that a display tells what is going on."""
        self.is_closed = False
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        """Outcomes, reports, and what else an executor has to tell itself of a ``job``."""
        self._reserved = threading.Lock()

    @property
    @abc.abstractmethod
    def slots(self) -> int:
        """How many jobs can run at a time; 0 while there are no workers."""

    @property
    def job_seconds(self) -> float:
        """How long a job should take: long enough that sending it is cheap, short enough that losing it is, too."""
        return 0.5

    @contextlib.contextmanager
    def reserved(self) -> Iterator[None]:
        """Refuse other callers meanwhile.

        Raises:
            SearchError: there is another caller.
        """
        if not self._reserved.acquire(blocking=False):
            raise SearchError("this executor is at work for another call: wait for it, or use another executor")
        try:
            yield
        finally:
            self._reserved.release()

    def submit(self, job: Job) -> Job:
        """Take a job and return it.  If that fails, the job is cancelled.

        Raises:
            SearchError: the executor is closed, or the job cannot travel.
        """
        if self.is_closed:
            raise SearchError("this executor is closed: connect again, or use it inside its 'with' block")
        self.jobs[job.number] = job
        try:
            self._start(job)
        except BaseException:
            self.cancel(job)
            raise
        return job

    def cancel(self, job: Job) -> None:
        """Stop a job, if it has not come out: a running search ends at once."""
        if self.jobs.pop(job.number, None) is not None:
            self._cancel(job)

    def update(self, job: Job, message: Any, lasting: bool = True) -> None:
        """Tell a running job something, such as a better bound.  One that has not started, or has to start again, hears
        it when it does, if the message is ``lasting``.
        """
        if job.number in self.jobs:
            if lasting:
                job.messages.append(message)
            self._update(job, message, lasting)

    def next(self, timeout: float | None = None) -> Outcome | Report | None:
        """Return how some job ended, or what one reports, after waiting for it; None if ``timeout`` seconds pass."""
        while True:
            try:
                news = self._news.get(timeout=timeout)
            except queue.Empty:
                return None
            if self._is_wanted(news):
                return news  # type: ignore[no-any-return]

    def _is_wanted(self, news: Any) -> bool:
        """Return whether a job was not cancelled; one that has ended comes out, and is then forgotten.

        What a job warns of, we warn of, too.
        """
        if isinstance(news, Report) and isinstance(news.message, Warned):
            warnings.warn(news.message.text, news.message.category, stacklevel=3)
            return False
        if isinstance(news, Outcome):
            return self.jobs.pop(news.job.number, None) is not None
        return bool(news.job.number in self.jobs)

    def _ended(self, job: Job, finished: Finished, worker: str = "") -> None:
        self._news.put(Outcome(job, *finished, worker))

    def _reported(self, number: int, message: Any) -> None:
        job = self.jobs.get(number)
        if job is not None and message == WANTED:
            self._bring(job)
        elif job is not None:
            self._news.put(Report(job, message))

    @abc.abstractmethod
    def _start(self, job: Job) -> None: ...

    @abc.abstractmethod
    def _cancel(self, job: Job) -> None: ...

    @abc.abstractmethod
    def _update(self, job: Job, message: Any, lasting: bool) -> None: ...

    @abc.abstractmethod
    def _bring(self, job: Job) -> None:
        """Send a running job its kit, which its worker does not have."""

    def kit(self, game: Game, make: Callable[..., Any], *arguments: Any) -> Kit:
        """Return a kit (``plywise.cluster.bench``): for callers that know no executor but this one."""
        return Kit(game, make, *arguments)

    def each(
        self, kit: Kit, work: Callable[..., Any], items: Iterable[tuple[Any, ...]], label: str = ""
    ) -> Generator[tuple[int, Outcome], None, None]:
        """Do ``work(desk, *item)`` for every item, and yield its place among the items, and how it ended, in any
        order.
        """
        places: dict[int, int] = {}

        def jobs() -> Iterator[Job]:
            for place, item in enumerate(items):
                job = Job(kit, work, item, label)
                places[job.number] = place
                yield job

        with contextlib.closing(done_in_turn(self, jobs())) as outcomes:
            for outcome in outcomes:
                yield places.pop(outcome.job.number), outcome

    @abc.abstractmethod
    def release(self, kit: Kit) -> None:
        """Let the workers give up the tools of a kit whose jobs have all ended or been cancelled."""

    @abc.abstractmethod
    def crew(self) -> Crew:
        """Return who is at work."""

    def close(self) -> None:
        """Stop all jobs and let the workers go."""
        self.is_closed = True
        for job in list(self.jobs.values()):
            self.cancel(job)

    def __enter__(self) -> Executor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with uninterrupted():
            self.close()


class InProcess(Executor):
    """Does jobs in this process."""

    def __init__(self, slots: int) -> None:
        super().__init__()
        self.bench = Bench(slots, self._reported)

    @property
    def slots(self) -> int:
        return self.bench.slots

    @property
    def job_seconds(self) -> float:
        return 0.25

    def _start(self, job: Job) -> None:
        self.bench.bring(job.kit.number, job.kit)
        self.bench.announce(job.number)
        self._enqueue(job)

    @abc.abstractmethod
    def _enqueue(self, job: Job) -> None: ...

    def _do(self, job: Job) -> None:
        """Do a job in the thread that calls this."""
        self._ended(job, self.bench.do(job.number, job.kit.number, job.work, job.arguments))

    def _cancel(self, job: Job) -> None:
        self.bench.stop(job.number)

    def _update(self, job: Job, message: Any, lasting: bool) -> None:
        self.bench.tell(job.number, message)

    def _bring(self, job: Job) -> None:
        self.bench.bring(job.kit.number, job.kit)

    def release(self, kit: Kit) -> None:
        self.bench.release(kit.number)

    def crew(self) -> Crew:
        return Crew(1, self.slots, min(self.slots, len(self.bench.desks)), 0)


class Threads(InProcess):
    """Threads of this process: compiled searches release Python's global lock."""

    def __init__(self, threads: int) -> None:
        check_threads(threads)
        super().__init__(threads)
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads = [start_thread(self._serve) for _ in range(threads)]

    def _serve(self) -> None:
        while (job := self._waiting.get()) is not None:
            self._do(job)

    def _enqueue(self, job: Job) -> None:
        self._waiting.put(job)

    def close(self) -> None:
        super().close()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()
        self.bench.close()


class Here(InProcess):
    """The calling thread: jobs run while it waits for the next to end.  For plain Python, which gains nothing from
    threads, and which Ctrl-C interrupts only here.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self._waiting: deque[Job] = deque()

    def next(self, timeout: float | None = None) -> Outcome | Report | None:
        while self._news.empty() and self._waiting:
            self._do(self._waiting.popleft())
        return super().next(0.0)

    def _enqueue(self, job: Job) -> None:
        self._waiting.append(job)

    def close(self) -> None:
        super().close()
        self.bench.desks.clear()
        self.bench.close()


def done_in_turn(
    executor: Executor, jobs: Iterable[Job], ahead: int = AHEAD,
    on_report: Callable[[Report | None], None] = lambda report: None,
) -> Generator[Outcome, None, None]:  # fmt: skip
    """Do jobs, as many at a time as there are slots, and yield how they end; ``jobs`` is asked only when there is room.
    ``on_report`` is called with what they report, and with None after each second without news.

    If the generator is closed before its end, the jobs that have been started are cancelled; until then, the executor
    is reserved.  So use it with ``contextlib.closing``.
    """
    waiting: Iterator[Job] = iter(jobs)
    mine: dict[int, Job] = {}
    empty = False
    with executor.reserved():
        try:
            while True:
                while not empty and len(mine) < max(1, ahead * executor.slots):
                    job = next(waiting, None)
                    if job is None:
                        empty = True
                    else:
                        mine[job.number] = job  # first: Ctrl-C may come in between
                        executor.submit(job)
                if not mine:
                    return
                news = executor.next(timeout=1.0)  # now and then: there may be more slots
                if news is not None and news.job.number not in mine:
                    continue  # of an earlier caller's, who was interrupted
                if isinstance(news, Outcome):
                    del mine[news.job.number]
                    yield news
                else:
                    on_report(news)
                    executor.on_wait()
        finally:
            for job in mine.values():
                executor.cancel(job)


def lost(job: Job, how: str) -> Finished:
    """Return the end of a job that was given up."""
    return Finished(None, Lost(f"{job.label or 'a job'}: {how} again and again; it is left out"), 0.0)
