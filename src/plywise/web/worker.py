"""One worker process: what runs in it, and the server's side of it.

A job is a function at the top level of a module, so that it can be pickled by name.  Its arguments and its result are
pickled too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from plywise.compiling.progress import compile_notice
from plywise.errors import PlywiseError, SearchError
from plywise.io.processes import start
from plywise.web.offered_games import Games

if TYPE_CHECKING:
    from plywise.engine.control import Control

MOST_OWNERS = 4
"""How many owners of its latest jobs a worker is known by."""

TOLD, COMPILING, DONE, MISTAKE, CRASHED, AWAKE = range(6)
"""Kinds of messages from a worker: a message of the function, how far a compilation is (None: done), the result, an
error in the request, an unexpected exception, and that its process has started."""


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


# In the server ------------------------------------------------------------------------------------------------------


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
