"""Processes that do what takes long, so that the server always has time to answer.

``await workers.run(function, *arguments, seconds=...)`` calls a function in another process.  ``workers.stream`` does
so with a function that has something to tell while it runs, and that stops when nobody listens any more.  There are
few processes; who comes when all are at work waits for the first that is free.  A process that does not end in time
is killed, and another one takes its place.  A process that wants more memory than it may have is refused it: whoever
asked is told, and the others notice nothing.

Functions stand at the top level of a module, so that they can be found by name; arguments and answers are pickled.
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

from plywise.errors import PlywiseError, SearchError
from plywise.io.processes import start
from plywise.web.offered_games import Games

MOST_COMPILING = 300.0
"""Seconds that compiling may take, which no limit counts."""

GRACE = 2.0
"""Seconds in which a search that is told to stop must have ended."""

MOST_WAITING = 100
"""Jobs that may wait for a process."""

WORKER_MB = 2048
"""Megabytes of memory for one process; compiling chess takes a quarter of it."""

NICE = 10
"""How much a search lets the server, and everybody else on the machine, go first."""

TOLD, COMPILING, DONE, MISTAKE, CRASHED = range(5)
"""What a process says: something of the function's, what it compiles (None: no more), the answer, an error that is
somebody's mistake, and one that is ours."""


class Compiling(NamedTuple):
    """Told while something is compiled, which happens once; ``what`` is None when that is done."""

    what: str | None


class Waiting(NamedTuple):
    """Told when a job has to wait until a process is free."""


class Busy(PlywiseError):
    """Too many are waiting."""


class WorkerCrashed(Exception):
    """A function failed in a way that nobody foresaw; the message is the traceback."""

    @property
    def reason(self) -> str:
        """The last line of the traceback: what went wrong."""
        return str(self).strip().splitlines()[-1]

    @property
    def sentence(self) -> str:
        """What to say to somebody who cannot mend it."""
        return f"The search failed: {self.reason}"


class Job:
    """What a function that streams is given: whom to tell, and how it learns that it should stop."""

    def __init__(self, games: Games, tell: Callable[[Any], None], kept: dict[Any, Any]) -> None:
        from plywise.engine.control import Control

        self.games = games
        """The games that the server knows."""
        self.tell = tell
        """Sends something to whoever listens."""
        self.kept = kept
        """A dictionary that this process keeps from job to job."""
        self.control = Control()
        """Stopped when nobody listens any more."""


# In the other process -----------------------------------------------------------------------------------------------


def work(connection: Connection, own_games: Sequence[str], memory_mb: int) -> None:
    """Do one job after the other, until the server is gone."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    limit_memory(memory_mb)
    from plywise.compiling.cache import compile_notice

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
            except Exception as error:  # a function or an argument that cannot be had here
                say(CRASHED, f"{type(error).__name__}: {error}")
                continue
            if message is None:
                job.control.stop()
            else:
                job = Job(games, lambda what: say(TOLD, what), kept)
                jobs.put((job, message))

    compile_notice.set(lambda what: say(COMPILING, what))
    threading.Thread(target=listen, daemon=True).start()
    while True:
        job, (function, arguments, streams) = jobs.get()
        try:
            answer = function(job, *arguments) if streams else function(*arguments)
        except PlywiseError as error:
            say(MISTAKE, (type(error), str(error)))
        except MemoryError:
            kept.clear()
            say(MISTAKE, (SearchError, f"this needs more memory than the {memory_mb:,} MB that a search may have here"))
        except Exception:
            say(CRASHED, traceback.format_exc())
        else:
            say(DONE, answer)


def limit_memory(megabytes: int) -> None:
    """Let this process have no more memory than this; Linux alone can.

    What is counted is what the process may write to: code, files and mere addresses are free.
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
    """Another process, as the server sees it: something that messages are sent to and come from."""

    def __init__(self, own_games: Sequence[str], memory_mb: int) -> None:
        self.process, self.connection = start(work, own_games, memory_mb)
        self.usable = True
        """Whether it can be given something to do."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.inbox: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...], streams: bool) -> None:
        """Have it do something."""
        self.loop, self.inbox = asyncio.get_running_loop(), asyncio.Queue()
        self.connection.send((function, arguments, streams))

    def stop(self) -> None:
        """Tell it that nobody listens any more."""
        with contextlib.suppress(OSError):
            self.connection.send(None)

    def kill(self) -> None:
        """End the process."""
        self.usable = False
        self.process.kill()

    def _listen(self) -> None:
        """Pass on what the process says; when it has ended, let the system forget it."""
        while self.usable:
            try:
                message = self.connection.recv()
            except (EOFError, OSError):
                self.usable = False
                message = (CRASHED, "the process ended")
            if self.loop is not None:
                with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there any more
                    self.loop.call_soon_threadsafe(self.inbox.put_nowait, message)
        self.process.join()


# In the server ------------------------------------------------------------------------------------------------------


class Workers:
    """The processes.

    Args:
        own_games: games that they load besides the catalogue's.
        count: how many there may be; they are started when they are needed.
        memory_mb: megabytes that each may use.
    """

    def __init__(self, own_games: Sequence[str] = (), count: int | None = None, memory_mb: int = WORKER_MB) -> None:
        self.own_games = tuple(own_games)
        self.memory_mb = memory_mb
        self.count = count or max(2, os.cpu_count() or 1)
        self.waiting = 0
        """Jobs without a process."""
        self._free = asyncio.Semaphore(self.count)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._settling: set[asyncio.Task[None]] = set()

    async def run(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
        """Return ``function(*arguments)``, called in another process.

        Raises:
            SearchError: it took more than so many seconds, or more memory than it may.
            Busy: too many are waiting.
            PlywiseError: the function did.
        """
        async with contextlib.aclosing(self._messages(function, arguments, False, seconds)) as messages:
            async for message in messages:
                if not isinstance(message, (Waiting, Compiling)):
                    return message
        raise AssertionError("a job ends with an answer")

    def stream(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> AsyncGenerator[Any, None]:
        """Yield what ``function(job, *arguments)`` tells by ``job.tell``, ``Waiting`` and ``Compiling``, and at last
        what it returns.  Who stops listening (``aclose``, or a cancelled task) stops ``job.control``.
        """
        return self._messages(function, arguments, True, seconds)

    async def _messages(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], streams: bool, seconds: float
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
                yield Compiling(what) if kind == COMPILING else what
        except TimeoutError:
            raise SearchError(f"this took more than {seconds:g} seconds and was ended") from None
        finally:
            if ended:
                self._dismiss(worker)
            elif streams:
                worker.stop()
                self._settle(worker)
            else:
                worker.kill()
                self._dismiss(worker)

    async def _hired(self) -> Worker:
        """Return a process that has nothing to do; of those the last, which may remember something."""
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
        return self._started()

    def _started(self) -> Worker:
        worker = Worker(self.own_games, self.memory_mb)
        self._all.add(worker)
        return worker

    def _dismiss(self, worker: Worker) -> None:
        if worker.usable:
            self._idle.append(worker)
        else:
            self._all.discard(worker)
        self._free.release()

    def _settle(self, worker: Worker) -> None:
        """Wait until a search that was told to stop has done so, or end it."""

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
        """Start a process ahead of the first job."""
        if not self._all:
            self._idle.append(self._started())

    def close(self) -> None:
        """End all processes."""
        for task in self._settling:
            task.cancel()
        for worker in self._all:
            worker.kill()
        for worker in self._all:
            worker.process.join(GRACE)


async def _within(worker: Worker, seconds: float) -> AsyncIterator[tuple[int, Any]]:
    """Yield what a process says, up to the end of its job.  Time in which it compiles does not count.

    Raises:
        TimeoutError: it did not end within so many seconds.
    """
    left, clock = seconds, time.monotonic()
    compiling = False
    while True:
        allowed = MOST_COMPILING if compiling else left
        try:
            kind, what = await asyncio.wait_for(worker.inbox.get(), max(0.0, allowed - (time.monotonic() - clock)))
        except asyncio.TimeoutError:  # in Python 3.10 not the built-in one
            raise TimeoutError from None
        if kind == COMPILING and compiling != (what is not None):
            if not compiling:
                left -= time.monotonic() - clock
            compiling, clock = not compiling, time.monotonic()
        yield kind, what
        if kind in (DONE, MISTAKE, CRASHED):
            return


def _error(kind: type[PlywiseError], message: str) -> PlywiseError:
    """Return an error as it was raised in the other process."""
    try:
        return kind(message)
    except TypeError:
        return SearchError(message)
