"""Threads that search the same position with the same depth and window, and share its moves (``sharing``).

They race: when the first of them has finished, the others stop, and its answer is everybody's.  Whatever the others
found is in the table.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from plywise.compiling.threads import SearchThread
from plywise.engine.control import Control
from plywise.engine.work import Work
from plywise.errors import Stopped

LEAST_DEPTH = 5
"""A search to a smaller depth has ended before another thread wakes up."""

SearchIn = Callable[[Work], Any]
"""A search in a given workspace."""


class _Lap:
    """One search, by all threads."""

    def __init__(self, search: SearchIn) -> None:
        self.search = search
        self.winner: Work | None = None
        self.value: Any = None


class Race:
    """The threads of one engine: the main thread, which calls ``first``, and its helpers."""

    def __init__(self, works: Sequence[Work], control: Control) -> None:
        self._main, *self._helpers = works
        self._control = control
        self._limit: int | None = None
        self._lap: _Lap | None = None
        self._over = False
        self._news = threading.Condition()

    def allow(self, limit: int | None) -> None:
        """Set the node limit of each thread; None for no limit."""
        self._limit = limit
        self._main.allow(limit)

    def first(self, search: SearchIn, depth: int) -> Any:
        """Return what ``search`` returns in the thread that finishes first; its line is then in the main workspace.

        Raises:
            Stopped: the search was stopped, or the main thread has met its limit.
        """
        if not self._helpers or depth < LEAST_DEPTH:
            return search(self._main)
        lap = _Lap(search)
        with self._news:
            self._lap = lap
            self._news.notify_all()
        try:
            with contextlib.suppress(Stopped):
                self._finish(lap, self._main, search(self._main))
        finally:
            self._stop_helpers()
        if lap.winner is None:
            raise Stopped
        if lap.winner is not self._main:
            self._main.adopt(lap.winner)
            self._main.allow(self._limit)
            if self._control.stopped:  # a stop that came before allow() counts
                raise Stopped
        return lap.value

    def _finish(self, lap: _Lap, work: Work, value: Any) -> None:
        """Record that a thread has finished; if it is the first, it stops the main thread."""
        with self._news:
            if lap.winner is None and lap is self._lap:
                lap.winner, lap.value = work, value
                if work is not self._main:
                    self._main.stop()

    def _stop_helpers(self) -> None:
        with self._news:
            self._lap = None
            for work in self._helpers:
                work.stop()

    @contextlib.contextmanager
    def with_helpers(self) -> Iterator[None]:
        """Run the helper threads in this context."""
        threads = [SearchThread(partial(self._help, work), work.stop) for work in self._helpers]
        try:
            for thread in threads:
                thread.start()
            yield
        finally:
            with self._news:
                self._over = True
                self._news.notify_all()
            interrupted = [thread.finish() for thread in threads]
            if any(interrupted):
                raise KeyboardInterrupt

    def _help(self, work: Work) -> None:
        """Take part in every lap, in a helper's thread."""
        lap = None
        while (lap := self._next_lap(lap, work)) is not None:
            with contextlib.suppress(Stopped):
                self._finish(lap, work, lap.search(work))

    def _next_lap(self, last: _Lap | None, work: Work) -> _Lap | None:
        """Wait for the lap after ``last`` and prepare a workspace for it; returns None when the race is over."""
        with self._news:
            self._news.wait_for(lambda: self._over or self._lap not in (None, last))
            if self._over:
                return None
            work.follow(self._main)
            work.allow(self._limit)
            return self._lap
