"""Worker processes for long jobs, so that the server stays responsive.

``await workers.run(function, *arguments, seconds=...)`` calls a function in a worker process.  ``workers.stream`` does
the same for a function that sends messages while it runs and stops when its client disconnects.  When all workers are
busy, a job waits for the first free one.  A worker that exceeds its time limit is killed and replaced.  A worker that
exceeds its memory limit gets a MemoryError: its client sees an error, and other clients are unaffected.

A patient job, such as an analysis without an end, gives way: it is stopped when another job waits, and is called again
when a worker is free.  Patient jobs that wait for each other take turns.

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
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from plywise.compiling.progress import Compiling, compile_notice
from plywise.errors import GameError, PlywiseError, SearchError
from plywise.io.processes import start
from plywise.web.offered_games import Games

if TYPE_CHECKING:
    from plywise.engine.control import Control

MOST_COMPILING = 300.0
"""The time limit for compilation in seconds.  Other time limits do not count it."""

GRACE = 2.0
"""Seconds that a search has to end after it is told to stop."""

START = 30.0
"""Seconds for a worker whose process is still starting; killing it would only start another."""

MOST_WAITING = 100
"""The most jobs of each kind, patient or not, that may wait for a worker."""

WAY = 10.0
"""Seconds that a patient job has to give way: loading machine code takes a while, and would only be begun again."""

TURN = 1.0
"""Seconds that a patient job runs before it gives way to another patient one."""

MOST_OWNERS = 4
"""How many owners of its latest jobs a worker is known by."""

WORKER_MB = 2048
"""The memory limit of a worker in megabytes; compiling chess takes a quarter of it."""

NICE = 10
"""The niceness of workers, so that the server and other programs run first."""

COMPILE_NICE = 15
"""The niceness of workers that compile, so that searches run first."""

MOST_UNREAD = 100
"""The most messages that are kept for a client that does not read them; then the oldest is dropped."""

ENDED = object()
"""The end of the messages of a job."""

TOLD, COMPILING, DONE, MISTAKE, CRASHED, AWAKE = range(6)
"""Kinds of messages from a worker: a message of the function, how far a compilation is (None: done), the result, an
error in the request, an unexpected exception, and that its process has started."""


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


@contextlib.contextmanager
def crashes_blamed(games: Games, name: str) -> Iterator[None]:
    """Turn the crash of a job with a user's own game into a GameError that names the game."""
    try:
        yield
    except WorkerCrashed as error:
        if not games.is_own(name):
            raise
        raise GameError(f"the game {name} failed: {error.reason}") from None


class Job:
    """The first argument of a streaming function: it sends messages and says when to stop."""

    def __init__(self, games: Games, tell: Callable[[Any], None], kept: dict[Any, Any], earlier: Any = None) -> None:
        self.games = games
        """The games that the server knows."""
        self.tell = tell
        """Sends a message to the client."""
        self.kept = kept
        """A dictionary that the worker keeps between jobs."""
        self.earlier = earlier
        """What a patient job returned when it last had to give way; None at first."""
        self.left = False
        """Whether the client has disconnected, or a patient job has to give way."""
        self.control = _new_control()
        """Stopped together with the job, and by a search whose time is up."""

    def next_control(self) -> Control:
        """Return the control of another search; a job with several gives each its own."""
        self.control = _new_control()
        if self.left:
            self.control.stop()
        return self.control

    def stop(self) -> None:
        """Stop the search."""
        self.left = True
        self.control.stop()


def _new_control() -> Control:
    from plywise.engine.control import Control

    return Control()


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
                job.stop()
            else:
                *call, earlier = message
                job = Job(games, lambda what: say(TOLD, what), kept, earlier)
                jobs.put((job, call))

    compile_notice.set(lambda news: say(COMPILING, news))
    threading.Thread(target=listen, daemon=True).start()
    if rehearsed:
        rehearse()
    say(AWAKE, None)
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
        self.awake = False
        """Whether its process has started."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.inbox: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        self.owners: list[str] = []
        """Whose jobs it did lately, the latest last: it may still have their tables."""
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], streams: bool, earlier: Any = None
    ) -> None:
        """Start a job; ``earlier`` is what it returned when it last gave way."""
        self.loop, self.inbox = asyncio.get_running_loop(), asyncio.Queue()
        self.connection.send((function, arguments, streams, earlier))

    def serve(self, owner: str) -> None:
        """Note whose job it does; nobody's is not worth noting."""
        if owner:
            self.owners = [*(each for each in self.owners if each != owner), owner][-MOST_OWNERS:]

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
            self.awake = True
            if message[0] != AWAKE and self.loop is not None:
                with contextlib.suppress(RuntimeError):  # the event loop is closed
                    self.loop.call_soon_threadsafe(self.inbox.put_nowait, message)
        self.process.join()


# In the server ------------------------------------------------------------------------------------------------------


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


class Queue:
    """Places, such as workers, and who waits for one: first those in a hurry, then the patient, each in order."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.waiting: dict[bool, list[asyncio.Future[None]]] = {False: [], True: []}
        """By patience."""

    def check(self, patient: bool) -> None:
        """Refuse one more if too many are waiting.

        Raises:
            Busy: too many are.
        """
        if len(self.waiting[patient]) >= MOST_WAITING:
            raise Busy("too many searches are waiting; please try again in a moment")

    def join(self, patient: bool) -> asyncio.Future[None]:
        """Stand in line; the future is done when a place is taken."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting[patient].append(place)
        self._serve()
        return place

    async def wait(self, place: asyncio.Future[None]) -> None:
        """Wait until a place is taken."""
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # it was taken meanwhile
                self.leave()
            raise
        finally:
            for line in self.waiting.values():
                if place in line:
                    line.remove(place)

    def leave(self) -> None:
        """Give the place to the next."""
        self.free += 1
        self._serve()

    def _serve(self) -> None:
        for line in (self.waiting[False], self.waiting[True]):
            while self.free and line:
                place = line.pop(0)
                if not place.cancelled():
                    self.free -= 1
                    place.set_result(None)


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
                    if unread.qsize() >= MOST_UNREAD:
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
                if kind != CRASHED:  # else it did not heed, and was killed
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
        """End as many turns as others in a hurry are waiting, first that of the worker with the owner's table."""
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
