"""Progress of a solve: the proven bounds of the value, which every question narrows."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from plywise.compiling.native import WHOLE_INFINITY
from plywise.compiling.scores import number_kind
from plywise.engine.work import Work
from plywise.game import MAX, Game, State

TELL_SECONDS = 0.2
"""The interval between progress reports."""


class Progress(NamedTuple):
    """The bounds proven so far.

    >>> print(Progress(1, 18, 1000, 0.5)), print(Progress(-math.inf, 0, 1000, 0.5))
    from 1 to 18
    at most 0
    (None, None)
    """

    low: Any
    """Max gets at least this; -inf if nothing is known."""
    high: Any
    """Max gets at most this; inf if nothing is known."""
    nodes: int
    seconds: float
    prepared: float = 0.0
    """With other workers: the seconds that they needed, or have needed so far, to compile."""

    @property
    def is_proven(self) -> bool:
        """Whether the bounds have met, at the value."""
        return bool(self.low == self.high)

    def __str__(self) -> str:
        if self.is_proven:
            return str(self.low)
        if math.isinf(self.low) and math.isinf(self.high):
            return "unknown"
        if math.isinf(self.low) or math.isinf(self.high):
            return f"at most {self.high}" if math.isinf(self.low) else f"at least {self.low}"
        return f"from {self.low} to {self.high}"


Tell = Callable[[Progress], None]


class Narrowing:
    """Reads, from another thread, the bounds that a running search of ``state`` has proven (``Work.known``)."""

    def __init__(self, game: Game, state: State, works: Sequence[Work], compiled: bool) -> None:
        self.game, self.works, self.compiled = game, works, compiled
        self.is_max = game.to_move(state) == MAX
        self.begun = time.perf_counter()
        self._bounds = np.array([-WHOLE_INFINITY, WHOLE_INFINITY])

    def freeze(self) -> None:
        """Keep the current bounds: the search is about to go on to other positions."""
        self._bounds = self._bounds.copy()

    def progress(self) -> Progress:
        """Return the current progress."""
        low, high = self._bounds.tolist()
        low = -math.inf if low <= -WHOLE_INFINITY else low
        high = math.inf if high >= WHOLE_INFINITY else high
        bounds = (low, high) if self.is_max else (-high, -low)
        return Progress(*bounds, sum(work.nodes for work in self.works), time.perf_counter() - self.begun)

    def _watch(self) -> None:
        """Start with infinite bounds, and restart the clock: finding the type of the bounds may take a while."""
        known = self.works[0].known[0]
        self._bounds = known.view(number_kind(self.game)) if self.compiled else known
        self._bounds[:] = (-WHOLE_INFINITY, WHOLE_INFINITY)
        self.begun = time.perf_counter()

    @contextlib.contextmanager
    def told(self, tell: Tell | None) -> Iterator[None]:
        """Call ``tell`` at intervals from a separate thread, and once more if Ctrl-C ends the search."""
        if tell is None:
            yield
            return
        self._watch()
        over = threading.Event()
        failures: list[BaseException] = []

        def go_on() -> None:
            try:
                while not over.wait(TELL_SECONDS):
                    tell(self.progress())
            except BaseException as failure:
                failures.append(failure)

        thread = threading.Thread(target=go_on, name="plywise progress", daemon=True)
        thread.start()
        try:
            yield
        except KeyboardInterrupt:
            tell(self.progress())
            raise
        finally:
            over.set()
            thread.join()
        if failures:
            raise failures[0]
