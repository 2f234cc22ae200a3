"""Worker processes for long jobs, so that the server stays responsive.

``await workers.run(function, *arguments, seconds=...)`` calls a function in a worker process.  ``workers.stream`` does
the same for a function that sends messages while it runs and stops when its client disconnects.  When all workers are
busy, a job waits for the first free one.  A worker that exceeds its time limit is killed and replaced.  A worker that
exceeds its memory limit gets a MemoryError: its client sees an error, and other clients are unaffected.

A patient job, such as an analysis without an end, gives way: it is stopped when another job waits, and is called again
when a worker is free.  Patient jobs that wait for each other take turns.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from typing import Any, NamedTuple

from plywise.compiling.progress import Compiling
from plywise.errors import GameError, PlywiseError, SearchError
from plywise.web.offered_games import Games
from plywise.web.waiting import Queue
from plywise.web.worker import COMPILING, CRASHED, DONE, MISTAKE, Worker

MOST_COMPILING = 300.0
"""The time limit for compilation in seconds.  Other time limits do not count it."""

GRACE = 2.0
"""Seconds that a search has to end after it is told to stop."""

START = 30.0
"""Seconds for a worker whose process is still starting; killing it would only start another."""

WAY = 10.0
"""Seconds that a patient job has to give way: loading machine code takes a while, and would only be begun again."""

TURN = 1.0
"""Seconds that a patient job runs before it gives way to another patient one."""

WORKER_MB = 2048
"""The memory limit of a worker in megabytes; compiling chess takes a quarter of it."""

NICE = 10
"""The niceness of workers, so that the server and other programs run first."""

COMPILE_NICE = 15
"""The niceness of workers that compile, so that searches run first."""

MOST_UNREAD = 100
"""The most messages of a patient job that are kept for a client that does not read them: each replaces those before it.
Other jobs send few, and each may matter, such as the positions of a review.
"""

ENDED = object()
"""The end of the messages of a job."""


class CompileNews(NamedTuple):
    """Sent when a compilation starts, while it runs and, with ``news`` None, when it ends."""

    news: Compiling | None


class Waiting(NamedTuple):
    """Sent when a job has to wait for a free worker."""


class WorkerCrashed(Exception):
    """A function raised an unexpected exception; the message is the traceback."""

    @property
    def reason(self) -> str:
        """The last line of the traceback: the exception."""
        return str(self).strip().splitlines()[-1]

    @property
    def sentence(self) -> str:
        """The error message for users of the page."""
        return f"The search failed: {self.reason}"


@contextlib.contextmanager
def crashes_blamed(games: Games, name: str) -> Iterator[None]:
    """Turn the crash of a job with a user's own game into a GameError that names the game."""
    try:
        yield
    except WorkerCrashed as error:
        if not games.is_own(name):
            raise
        raise GameError(f"the game {name} failed: {error.reason}") from None


class Task(NamedTuple):
    """What to do in a worker, and how; see ``Workers.stream``."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    streams: bool
    kill: bool = False
    patient: bool = False
    owner: str = ""


class Turn:
    """A patient job while it has a worker."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.ending = False
        """Whether it was told to give way."""
        self._deadline: asyncio.TimerHandle | None = None

    def end(self) -> None:
        """Make the job give way: it is told to stop, and killed if it does not."""
        self.ending = True
        self.worker.stop()
        self._deadline = asyncio.get_running_loop().call_later(WAY, self.worker.kill)

    def ended(self) -> None:
        """Do not kill it any more."""
        if self._deadline is not None:
            self._deadline.cancel()


class Workers:
    """A pool of worker processes.

    Args:
        own_games: games to load in addition to the catalogue.
        count: the most workers; each starts when it is needed.
        memory_mb: the memory limit of each worker, in megabytes.
        nice: the niceness of each worker.
    """

    def __init__(
        self, own_games: Sequence[str] = (), count: int | None = None, memory_mb: int = WORKER_MB, nice: int = NICE
    ) -> None:
        self.own_games = tuple(own_games)
        self.memory_mb, self.nice = memory_mb, nice
        self.count = count or max(2, os.cpu_count() or 1)
        self._queue = Queue(self.count)
        self._turns: list[Turn] = []  # the longest first
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._settling: set[asyncio.Task[None]] = set()

    async def run(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
        """Return ``function(*arguments)``, called in a worker process.

        Raises:
            SearchError: it exceeded the time or memory limit.
            Busy: too many jobs are waiting.
            PlywiseError: the function raised it.
        """
        task = Task(function, arguments, seconds, streams=False, kill=True)
        async with contextlib.aclosing(self._messages(task)) as messages:
            async for message in messages:
                if not isinstance(message, (Waiting, CompileNews)):
                    return message
        raise AssertionError("a job ends with an answer")

    async def last(
        self, function: Callable[..., Any], *arguments: Any, seconds: float, kill: bool = False, owner: str = ""
    ) -> Any:
        """Return the result of ``function(job, *arguments)``, as ``stream`` yields it; what it tells is ignored."""
        stream = self.stream(function, *arguments, seconds=seconds, kill=kill, owner=owner)
        async with contextlib.aclosing(stream) as messages:
            return [message async for message in messages][-1]

    def stream(
        self, function: Callable[..., Any], *arguments: Any, seconds: float, kill: bool = False, patient: bool = False,
        owner: str = "",
    ) -> AsyncGenerator[Any, None]:  # fmt: skip
        """Yield the messages that ``function(job, *arguments)`` sends with ``job.tell``, ``Waiting`` and
        ``CompileNews``, and finally its result.  Closing the generator, or cancelling its task, stops ``job.control``;
        with ``kill`` it ends the process, because a compilation cannot be stopped.

        A ``patient`` job gives way: ``job.control`` is stopped when another job waits.  What the function then returns
        is ``job.earlier`` when it is called again.

        Jobs of one ``owner`` go to the worker that did the last one, if that is free.
        """
        return self._messages(Task(function, arguments, seconds, True, kill, patient, owner))

    async def _messages(self, task: Task) -> AsyncGenerator[Any, None]:
        """Yield the messages of a job.  It goes on, and ends, even if nobody takes them: a client may be slow."""
        self._queue.check(task.patient)
        unread: asyncio.Queue[Any] = asyncio.Queue()
        working = asyncio.ensure_future(self._work(task, unread))
        working.add_done_callback(lambda _: unread.put_nowait(ENDED))
        try:
            while (message := await unread.get()) is not ENDED:
                yield message
            await working
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def _work(self, task: Task, unread: asyncio.Queue[Any]) -> None:
        """Do a job, a patient one in as many turns as it takes, and put its messages into a queue."""
        earlier = None
        while True:
            if not self._queue.free:
                unread.put_nowait(Waiting())
            worker = await self._hired(task)
            turn = Turn(worker)
            if task.patient:
                self._begin_turn(turn)
            async with contextlib.aclosing(self._done_by(worker, task, earlier, turn)) as messages:
                async for kind, what in messages:
                    if kind == DONE and turn.ending:
                        earlier = what
                        continue
                    if task.patient and unread.qsize() >= MOST_UNREAD:
                        unread.get_nowait()
                    unread.put_nowait(CompileNews(what) if kind == COMPILING else what)
            if not turn.ending:
                return

    async def _done_by(
        self, worker: Worker, task: Task, earlier: Any, turn: Turn
    ) -> AsyncGenerator[tuple[int, Any], None]:
        """Yield the messages of a job, with their kinds, and then let the worker go."""
        ended = False
        try:
            worker.begin(task.function, task.arguments, task.streams, earlier)
            async for kind, what in _within(worker, task.seconds):
                ended = kind in (DONE, MISTAKE, CRASHED)
                if kind == MISTAKE:
                    raise _error(*what)
                if kind == CRASHED and not turn.ending:
                    raise WorkerCrashed(what)
                if kind != CRASHED:  # a turn that was to end did not, and its worker was killed
                    yield kind, what
        except TimeoutError:
            raise SearchError(f"this took more than {task.seconds:g} seconds and was stopped") from None
        finally:
            self._end_turn(turn)
            if ended:
                self._dismiss(worker)
            elif task.kill:
                worker.kill()
                self._dismiss(worker)
            else:
                worker.stop()
                self._settle(worker)

    # Who comes first ------------------------------------------------------------------------------------------------

    async def _hired(self, task: Task) -> Worker:
        """Return a free worker: the one with the owner's table, or else the most recently used."""
        place = self._queue.join(task.patient)
        self._make_way(task.owner)
        await self._queue.wait(place)
        self._all -= {worker for worker in self._idle if not worker.usable}
        self._idle = [worker for worker in self._idle if worker.usable]
        self._idle.sort(key=lambda worker: task.owner in worker.owners)
        try:
            worker = self._idle.pop() if self._idle else self._started()
        except BaseException:
            self._queue.leave()
            raise
        worker.serve(task.owner)
        return worker

    def _make_way(self, owner: str = "") -> None:
        """End one turn for each job in a hurry that waits.  The worker with the owner's table comes first."""
        lasting = [turn for turn in self._turns if not turn.ending]
        lasting.sort(key=lambda turn: owner not in turn.worker.owners)
        wanted = len(self._queue.waiting[False]) - (len(self._turns) - len(lasting))
        for turn in lasting[: max(0, wanted)]:
            turn.end()

    def _begin_turn(self, turn: Turn) -> None:
        self._turns.append(turn)
        asyncio.get_running_loop().call_later(TURN, self._look_at, turn)

    def _look_at(self, turn: Turn) -> None:
        """End a turn if another patient job waits, or look again later."""
        if turn not in self._turns or turn.ending:
            return
        waiting = sum(map(len, self._queue.waiting.values()))
        if waiting > sum(each.ending for each in self._turns):
            turn.end()
        else:
            asyncio.get_running_loop().call_later(TURN / 4, self._look_at, turn)

    def _end_turn(self, turn: Turn) -> None:
        turn.ended()
        if turn in self._turns:
            self._turns.remove(turn)

    # The processes --------------------------------------------------------------------------------------------------

    def _started(self, rehearsed: bool = False) -> Worker:
        worker = Worker(self.own_games, self.memory_mb, self.nice, rehearsed)
        self._all.add(worker)
        return worker

    def _dismiss(self, worker: Worker) -> None:
        if worker.usable:
            self._idle.append(worker)
        else:
            self._all.discard(worker)
        self._queue.leave()

    def _settle(self, worker: Worker) -> None:
        """Wait for a search to stop; kill its worker if it does not."""

        async def settled() -> None:
            try:
                async for kind, _ in _within(worker, GRACE if worker.awake else START):
                    if kind in (DONE, MISTAKE, CRASHED):
                        break
            except TimeoutError:
                worker.kill()
                await asyncio.to_thread(worker.process.join, GRACE)
            finally:
                self._dismiss(worker)

        task = asyncio.get_running_loop().create_task(settled())
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    def warm_up(self) -> None:
        """Start a worker before the first job, with everything imported that a search needs."""
        if not self._all:
            self._idle.append(self._started(rehearsed=True))

    def close(self) -> None:
        """Kill all workers."""
        for task in self._settling:
            task.cancel()
        for worker in self._all:
            worker.kill()
        for worker in self._all:
            worker.process.join(GRACE)


async def _within(worker: Worker, seconds: float) -> AsyncIterator[tuple[int, Any]]:
    """Yield the messages of a worker, up to the end of its job.  Compilation does not count as time.

    Raises:
        TimeoutError: the job took more than ``seconds``.
    """
    left, clock = seconds, time.monotonic()
    compiling = False
    while True:
        allowed = MOST_COMPILING if compiling else left
        try:
            kind, what = await asyncio.wait_for(worker.inbox.get(), max(0.0, allowed - (time.monotonic() - clock)))
        except asyncio.TimeoutError:  # not the built-in TimeoutError in Python 3.10
            raise TimeoutError from None
        if kind == COMPILING and compiling != (what is not None):
            if not compiling:
                left -= time.monotonic() - clock
            compiling, clock = not compiling, time.monotonic()
        yield kind, what
        if kind in (DONE, MISTAKE, CRASHED):
            return


def _error(kind: type[PlywiseError], message: str, more: dict[str, Any]) -> PlywiseError:
    """Return an error as it was raised in the worker, with its attributes."""
    try:
        error = kind(message)
    except TypeError:
        return SearchError(message)
    vars(error).update(more)
    return error
