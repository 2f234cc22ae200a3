"""Threads for compiled searches, with a stack for deep recursion and the caller's context variables.

Starting a thread takes longer than a small search, so a thread that has finished one waits for the next.
"""

from __future__ import annotations

import contextvars
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

_STACK_BYTES = 64 << 20  # only used pages cost memory
_stack_size = threading.Lock()  # Python has one for all threads


def start_thread(body: Callable[..., Any], *arguments: Any) -> threading.Thread:
    """Start a thread that ends with ``body``."""
    return _started(contextvars.copy_context().run, body, *arguments)


def _started(body: Callable[..., Any], *arguments: Any) -> threading.Thread:
    with _stack_size:
        usual = threading.stack_size(_STACK_BYTES)
        try:
            thread = threading.Thread(target=body, args=arguments, name="plywise search", daemon=True)
            thread.start()
        finally:
            threading.stack_size(usual)
    return thread


class _Waiting:
    """The threads that wait for a search.

    ``searches`` may hold no more searches than threads wait, so that none waits for another to end.  A thread that
    waits puts a token into ``tokens``; a caller takes one before it adds a search.  If Ctrl-C comes between, a token is
    lost and another thread will start: one too many, never one too few.
    """

    def __init__(self) -> None:
        self.tokens: deque[None] = deque()
        self.searches: SimpleQueue[tuple[contextvars.Context, SearchThread]] = SimpleQueue()

    def take(self, search: SearchThread) -> None:
        """Run a search in one of the threads, or in a new one."""
        try:
            self.tokens.pop()
        except IndexError:
            _started(self._serve)
        self.searches.put((contextvars.copy_context(), search))

    def _serve(self) -> None:
        while True:
            context, search = self.searches.get()
            context.run(search.run)
            self.tokens.append(None)  # before the caller goes on, who may search again
            search.done.set()
            del context, search  # they hold the engine's table


_waiting = [_Waiting()]
if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=lambda: _waiting.__setitem__(0, _Waiting()))


class SearchThread:
    """A search in its own thread.  It never outlives ``finish``, whenever Ctrl-C comes."""

    def __init__(self, body: Callable[[], Any], stop: Callable[[], None]) -> None:
        self.body, self.stop = body, stop
        self.began = self.cancelled = False
        self.done = threading.Event()
        self.result: Any = None
        self.failure: BaseException | None = None

    def start(self) -> None:
        """Start the search."""
        _waiting[0].take(self)

    def run(self) -> None:
        """Search, in the thread."""
        self.began = True
        try:
            if not self.cancelled:
                self.result = self.body()
        except BaseException as error:
            self.failure = error

    def wait(self, deadline: float | None) -> None:
        """Wait until the search ends, and stop it at ``deadline``."""
        if deadline is not None and not self.done.wait(seconds_until(deadline)):
            self.stop()
        self.done.wait()

    def finish(self) -> bool:
        """Stop the search, wait for its end, and return whether Ctrl-C was pressed meanwhile."""
        interrupted = False
        while True:
            try:
                self.cancelled = True  # if it has not started, it never will
                if self.done.is_set() or not self.began:
                    return interrupted
                self.stop()
                self.done.wait()
            except KeyboardInterrupt:
                interrupted = True


def in_thread(body: Callable[[], Any], stop: Callable[[], None], deadline: float | None) -> Any:
    """Run ``body`` in a thread.  Call ``stop`` at ``deadline`` and on Ctrl-C."""
    search = SearchThread(body, stop)
    interrupted = False
    try:
        search.start()
        search.wait(deadline)
    except KeyboardInterrupt:
        interrupted = True
    if search.finish() or interrupted:
        raise KeyboardInterrupt
    if search.failure is not None:
        failure, search.failure = search.failure, None
        try:
            raise failure
        finally:
            del failure  # its traceback leads to this frame: held here too, it would keep the search's memory alive
    return search.result


def seconds_until(deadline: float) -> float:
    """Return how long to wait, at most the timeout that Python's threads accept."""
    return min(max(0.0, deadline - time.perf_counter()), threading.TIMEOUT_MAX)
