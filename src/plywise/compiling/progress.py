"""Progress of a compilation: what is done of what is known to come.

The compiler compiles the functions of an entry in the same order every time.  So the times at which they were finished
are remembered in the cache folder, and the next compilation of that entry is measured against them.
"""

from __future__ import annotations

import contextlib
import contextvars
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import event

from plywise.compiling import cache_folder

PULSE = 0.25
"""Seconds between two notices about one compilation."""

MOST_REMEMBERED = 200
"""How many entries to remember."""

NEARLY = 0.99
"""The largest share before the end."""


class Compiling(NamedTuple):
    """What is being compiled, and how far it is."""

    what: str
    """For users, such as ``memo for ConnectFour``."""
    done: float
    """The share that is done, from 0 to 1: an estimate."""
    left: float
    """The seconds left: an estimate."""
    elsewhere: bool = False
    """Whether another process compiles it, and this one waits."""


Notice = Callable[[Compiling | None], None]

compile_notice: contextvars.ContextVar[Notice] = contextvars.ContextVar("compile_notice", default=lambda news: None)
"""Called when a compilation begins, again several times a second, from another thread, and with None when it has
succeeded or failed."""


def average(many: Sequence[Compiling]) -> Compiling:
    """Return the progress of compilations that run at the same time, as one: the last to end decides the time left.

    >>> average([Compiling("a", 0.5, 3.0), Compiling("b", 0.1, 9.0)])
    Compiling(what='b', done=0.3, left=9.0, elsewhere=False)
    """
    last = max(many, key=lambda each: each.left)
    return last._replace(done=sum(each.done for each in many) / len(many))


class Timetable(NamedTuple):
    """When the functions of an entry were finished, in seconds from the start.  The last one is the entry itself."""

    times: tuple[float, ...]

    def place(self, finished: int, since: float, whole: bool = False) -> float:
        """Return the second in the timetable at which a compilation is.

        Args:
            finished: how many functions are finished.
            since: the seconds since the last of them.
            whole: whether nothing is known about single functions.

        >>> table = Timetable((1.0, 2.0, 6.0))
        >>> table.place(0, 0.5), table.place(2, 1.0), table.place(2, 60.0)
        (0.5, 3.0, 6.0)
        """
        finished = len(self.times) - 1 if whole else min(finished, len(self.times) - 1)
        before = self.times[finished - 1] if finished and not whole else 0.0
        return min(before + since, self.times[finished])

    def progress(self, what: str, place: float, passed: float, elsewhere: bool = False) -> Compiling:
        """Return the progress at a place that was reached after ``passed`` seconds."""
        total = max(self.times[-1], 1e-9)
        pace = (passed + 1.0) / (place + 1.0)  # about 1 at the beginning
        return Compiling(what, min(NEARLY, place / total), (total - place) * pace, elsewhere)


USUAL = Timetable((*(8.0 * number / 120 for number in range(1, 120)), 12.0))
"""For an entry that was never compiled here: 120 functions, and a third of the time for the machine code of all."""


class Watched:
    """A compilation under way.  It gives notice until ``end``."""

    def __init__(self, what: str, known: Timetable, notice: Notice) -> None:
        self.what, self.known, self.notice = what, known, notice
        self.begun = self.latest = time.monotonic()
        self.times: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True, name="plywise compile notice")
        notice(self.progress())
        self._thread.start()

    def progress(self) -> Compiling:
        """Return how far it is."""
        now = time.monotonic()
        return self.known.progress(self.what, self.known.place(len(self.times), now - self.latest), now - self.begun)

    def step(self) -> None:
        """Count a finished function."""
        self.latest = time.monotonic()
        self.times.append(self.latest - self.begun)

    def end(self) -> None:
        """Give notice of the end."""
        self._over.set()
        self._thread.join()
        self.notice(None)

    def _tell(self) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more
            while not self._over.wait(PULSE):
                self.notice(self.progress())


class _Listener(event.Listener):
    """Watches the compilation of one entry, which begins when Numba says so: before that it may load from disk."""

    def __init__(self, entry: str, what: str) -> None:
        self.entry, self.what = entry, what
        self.watched: Watched | None = None
        self._thread = threading.get_ident()

    def on_start(self, begun: Any) -> None:
        if self.watched is None and threading.get_ident() == self._thread:
            self.watched = Watched(self.what, timetable(self.entry), compile_notice.get())

    def on_end(self, ended: Any) -> None:
        if self.watched is not None and threading.get_ident() == self._thread:
            self.watched.step()


_watching: contextvars.ContextVar[_Listener | None] = contextvars.ContextVar("watching", default=None)


def is_told() -> bool:
    """Return whether somebody is told already how far it is."""
    listener = _watching.get()
    return listener is not None and listener.watched is not None


@contextlib.contextmanager
def watched(entry: str, what: str) -> Iterator[None]:
    """Give notice while the block compiles ``entry``, known to users as ``what``.  Remember how long it took, unless
    ``entry`` is empty.

    A block inside such a block counts as a part of it.
    """
    if _watching.get() is not None:
        yield
        return
    listener = _Listener(entry, what)
    token = _watching.set(listener)
    try:
        with event.install_listener("numba:compile", listener):
            yield
        if entry and listener.watched is not None:
            listener.watched.step()  # the end, for which it may have waited
            _remember(entry, listener.watched.times)
    finally:
        _watching.reset(token)
        if listener.watched is not None:
            listener.watched.end()


# ---------------------------------------------------------------------------------------------------------------------
# What was seen before
# ---------------------------------------------------------------------------------------------------------------------


def timetable(entry: str) -> Timetable:
    """Return the times of the last compilation of an entry, such as ``at_depth for Chess``; else of the same function
    for another game; else the usual ones.
    """
    known = _known()
    function = entry.partition(" ")[0]
    alike = (times for name, times in reversed(known.items()) if name.partition(" ")[0] == function)
    return Timetable(tuple(known.get(entry) or next(alike, ()) or USUAL.times))


def _remember(entry: str, times: list[float]) -> None:
    known = _known()
    known.pop(entry, None)
    kept = dict(itertools.islice(known.items(), max(0, len(known) + 1 - MOST_REMEMBERED), None))
    kept[entry] = [round(each, 2) for each in times]
    with contextlib.suppress(OSError):  # only an estimate depends on it
        cache_folder.write(_file(), json.dumps(kept).encode())


def _known() -> dict[str, list[float]]:
    try:
        known = json.loads(cache_folder.read(_file()) or b"{}")
        return {str(name): [float(each) for each in times] for name, times in known.items()}
    except (ValueError, TypeError, AttributeError):  # damaged
        return {}


def _file() -> Path:
    return cache_folder.cache_directory() / "compile-times.json"
