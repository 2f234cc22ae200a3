"""One ``go``: from the line of the GUI to ``bestmove``, and the reins in between."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from plywise.engine.control import Control
from plywise.uci.protocol import Go

if TYPE_CHECKING:
    from plywise.engine.clock import TimeManager


class Going:
    """A search that a GUI wants.  Made when its line is read: the clock runs from then on."""

    def __init__(self, go: Go) -> None:
        self.go = go
        self.received = self.counted_from = time.perf_counter()
        self.control = Control()
        self.pondering = go.ponder
        self.released = threading.Event()
        """Set when the best move may be told: at once, or, pondering or without an end, when the GUI asks for it."""
        self.done = threading.Event()
        """Set when the best move has been told."""
        if not (go.ponder or go.infinite):
            self.released.set()
        self._clock: TimeManager | None = None
        self._lock = threading.Lock()

    def stop(self) -> None:
        """The GUI wants the best move now."""
        self.released.set()
        self.control.stop()

    def ponderhit(self) -> None:
        """The move that was expected has been played: from now on the clock counts.  Thinking so far was for free."""
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
        """Return the seconds after which to stop, if that is known yet."""
        with self._lock:
            self._clock = clock
            if clock is None or self.pondering:
                return None
            return max(0.001, clock.hard - self.waited)

    @property
    def waited(self) -> float:
        """Seconds for which its clock has run."""
        return time.perf_counter() - self.counted_from
