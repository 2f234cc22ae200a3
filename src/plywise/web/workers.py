"""Worker processes for long jobs, so that the server stays responsive.

``await workers.run(function, *arguments, seconds=...)`` calls a function in a worker process.  ``workers.stream`` does
the same for a function that sends messages while it runs and stops when its client disconnects.  When all workers are
busy, a job waits for the first free one.  A worker that exceeds its time limit is killed and replaced.  A worker that
exceeds its memory limit gets a MemoryError: its client sees an error, and other clients are unaffected.

Functions must be at the top level of a module, so that they can be pickled by name.  Arguments and results are pickled.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
import time
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from plywise.compiling.progress import Compiling, compile_notice
from plywise.errors import PlywiseError, SearchError
from plywise.io.processes import start
from plywise.web.offered_games import Games

MOST_COMPILING = 300.0
"""The time limit for compilation in seconds.  Other time limits do not count it."""

GRACE = 2.0
"""Seconds that a search has to end after it is told to stop."""

MOST_WAITING = 100
"""The most jobs that may wait for a worker."""

WORKER_MB = 2048
"""The memory limit of a worker in megabytes; compiling chess takes a quarter of it."""

NICE = 10
"""The niceness of workers, so that the server and other programs run first."""

COMPILE_NICE = 15
"""The niceness of workers that compile, so that searches run first."""

TOLD, COMPILING, DONE, MISTAKE, CRASHED = range(5)
"""Kinds of messages from a worker: a message of the function, how far a compilation is (None: done), the result, an
error in the request, and an unexpected exception."""


class CompileNews(NamedTuple):
    """Sent when a compilation starts, while it runs and, with ``news`` None, when it ends."""

    news: Compiling | None


class Waiting(NamedTuple):
    """Sent when a job has to wait for a free worker."""


class Busy(PlywiseError):
    """Too many jobs are waiting."""


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


class Job:
    """The first argument of a streaming function: it sends messages and says when to stop."""

    def __init__(self, games: Games, tell: Callable[[Any], None], kept: dict[Any, Any]) -> None:
        from plywise.engine.control import Control

        self.games = games
        """The games that the server knows."""
        self.tell = tell
        """Sends a message to the client."""
        self.kept = kept
        """A dictionary that the worker keeps between jobs."""
        self.control = Control()
        """Stopped when the client disconnects."""


# In the worker process ----------------------------------------------------------------------------------------------


def work(connection: Connection, own_games: Sequence[str], memory_mb: int, nice: int, rehearsed: bool) -> None:
    """Run jobs one after the other, until the server is gone."""
    if hasattr(os, "nice"):
        os.nice(nice)
    limit_memory(memory_mb)
    games, kept = Games(own_games), dict[Any, Any]()
    jobs: queue.SimpleQueue[tuple[Job, Any]] = queue.SimpleQueue()
    sending = threading.Lock()

    def say(kind: int, what: Any) -> None:
        with sending:
            connection.send((kind, what))

    def listen() -> None:
        job = Job(games, lambda what: say(TOLD, what), kept)
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            except Exception as error:  # a function or an argument that cannot be unpickled here
                say(CRASHED, f"{type(error).__name__}: {error}")
                continue
            if message is None:
                job.control.stop()
            else:
                job = Job(games, lambda what: say(TOLD, what), kept)
                jobs.put((job, message))

    compile_notice.set(lambda news: say(COMPILING, news))
    threading.Thread(target=listen, daemon=True).start()
    if rehearsed:
        rehearse()
    while True:
        job, (function, arguments, streams) = jobs.get()
        try:
            answer = function(job, *arguments) if streams else function(*arguments)
        except PlywiseError as error:
            say(MISTAKE, (type(error), str(error), vars(error)))
        except MemoryError:
            kept.clear()
            say(
                MISTAKE,
                (SearchError, f"this needs more than the {memory_mb:,} MB of memory that a search may use", {}),
            )
        except Exception:
            say(CRASHED, traceback.format_exc())
        else:
            say(DONE, answer)


def rehearse() -> None:
    """Import what a search needs, so that the first job does not wait for it.  Nothing is compiled."""
    from plywise.compiling.reading import NotReady, only_ready
    from plywise.games import TicTacToe
    from plywise.warm import search_once

    with contextlib.suppress(NotReady), only_ready():
        search_once(TicTacToe(), exact=False)


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process.  This works only on Linux.

    Only writable memory counts, not code, mapped files or reserved addresses.
    """
    try:
        import resource
    except ModuleNotFoundError:  # on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = megabytes << 20
    if most == resource.RLIM_INFINITY or limit < most:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


class Worker:
    """The server's side of a worker process: sends jobs and receives messages."""

    def __init__(self, own_games: Sequence[str], memory_mb: int, nice: int, rehearsed: bool) -> None:
        self.process, self.connection = start(work, own_games, memory_mb, nice, rehearsed)
        self.usable = True
        """Whether it can take jobs."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.inbox: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...], streams: bool) -> None:
        """Start a job."""
        self.loop, self.inbox = asyncio.get_running_loop(), asyncio.Queue()
        self.connection.send((function, arguments, streams))

    def stop(self) -> None:
        """Tell it to stop the current job."""
        with contextlib.suppress(OSError):
            self.connection.send(None)

    def kill(self) -> None:
        """Kill the process."""
        self.usable = False
        self.process.kill()

    def _listen(self) -> None:
        """Forward messages from the process.  When it has ended, reap it."""
        while self.usable:
            try:
                message = self.connection.recv()
            except (EOFError, OSError):
                self.usable = False
                message = (CRASHED, "the worker process ended")
            if self.loop is not None:
                with contextlib.suppress(RuntimeError):  # the event loop is closed
                    self.loop.call_soon_threadsafe(self.inbox.put_nowait, message)
        self.process.join()


# In the server ------------------------------------------------------------------------------------------------------


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
        self.waiting = 0
        """Jobs that wait for a worker."""
        self._free = asyncio.Semaphore(self.count)
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
        async with contextlib.aclosing(self._messages(function, arguments, False, True, seconds)) as messages:
            async for message in messages:
                if not isinstance(message, (Waiting, CompileNews)):
                    return message
        raise AssertionError("a job ends with an answer")

    def stream(
        self, function: Callable[..., Any], *arguments: Any, seconds: float, kill: bool = False
    ) -> AsyncGenerator[Any, None]:
        """Yield the messages that ``function(job, *arguments)`` sends with ``job.tell``, ``Waiting`` and
        ``CompileNews``, and finally its result.  Closing the generator, or cancelling its task, stops ``job.control``;
        with ``kill`` it ends the process, because a compilation cannot be stopped.
        """
        return self._messages(function, arguments, True, kill, seconds)

    async def _messages(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], streams: bool, kill: bool, seconds: float
    ) -> AsyncGenerator[Any, None]:
        if self._free.locked():
            yield Waiting()
        worker = await self._hired()
        ended = False
        try:
            worker.begin(function, arguments, streams)
            async for kind, what in _within(worker, seconds):
                ended = kind in (DONE, MISTAKE, CRASHED)
                if kind == MISTAKE:
                    raise _error(*what)
                if kind == CRASHED:
                    raise WorkerCrashed(what)
                yield CompileNews(what) if kind == COMPILING else what
        except TimeoutError:
            raise SearchError(f"this took more than {seconds:g} seconds and was stopped") from None
        finally:
            if ended:
                self._dismiss(worker)
            elif kill:
                worker.kill()
                self._dismiss(worker)
            else:
                worker.stop()
                self._settle(worker)

    async def _hired(self) -> Worker:
        """Return a free worker: the most recently used, which may still have the table."""
        if self.waiting >= MOST_WAITING:
            raise Busy("too many searches are waiting; please try again in a moment")
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        while self._idle:
            worker = self._idle.pop()
            if worker.usable:
                return worker
            self._all.discard(worker)
        try:
            return self._started()
        except BaseException:
            self._free.release()
            raise

    def _started(self, rehearsed: bool = False) -> Worker:
        worker = Worker(self.own_games, self.memory_mb, self.nice, rehearsed)
        self._all.add(worker)
        return worker

    def _dismiss(self, worker: Worker) -> None:
        if worker.usable:
            self._idle.append(worker)
        else:
            self._all.discard(worker)
        self._free.release()

    def _settle(self, worker: Worker) -> None:
        """Wait for a search to stop; kill its worker if it does not."""

        async def settled() -> None:
            try:
                async for kind, _ in _within(worker, GRACE):
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
