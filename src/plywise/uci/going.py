"""One ``go`` command, from its arrival to ``bestmove``, and the means to stop it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from plywise.engine.control import Control
from plywise.uci.protocol import Go

if TYPE_CHECKING:
    from plywise.engine.clock import TimeManager


class Going:
    """A search that a GUI asked for.  Its clock runs from its creation, when the line is read."""

    def __init__(self, go: Go) -> None:
        self.go = go
        self.received = self.counted_from = time.perf_counter()
        self.control = Control()
        self.pondering = go.ponder
        self.released = threading.Event()
        """Set when ``bestmove`` may be sent: at once, or for ponder and infinite searches on request."""
        self.done = threading.Event()
        """Set when ``bestmove`` has been sent."""
        if not (go.ponder or go.infinite):
            self.released.set()
        self._clock: TimeManager | None = None
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Stop the search: the GUI wants the best move now."""
        self.released.set()
        self.control.stop()

    def ponderhit(self) -> None:
        """The expected move was played: the clock counts from now on, and the time so far was free."""
        with self._lock:
            if not self.pondering:
                return
            self.pondering = False
            self.counted_from = time.perf_counter()
            if not self.go.infinite:
                self.released.set()
            if self._clock is not None:
                if self._clock.elapsed >= self._clock.limit:
                    self.control.stop()
                else:
                    self.control.stop_after(self._clock.hard)

    def start_clock(self, clock: TimeManager | None) -> float | None:
        """Return after how many seconds to stop, or None if there is no clock or it does not run yet."""
        with self._lock:
            self._clock = clock
            if clock is None or self.pondering:
                return None
            return max(0.001, clock.hard - self.waited)

    @property
    def waited(self) -> float:
        """Seconds that the clock has run."""
        return time.perf_counter() - self.counted_from
