"""Stop a running search from a GUI or another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.engine.work import Work


PATIENCE = 2.0
"""Seconds that the first depth has to finish after the search was told to stop.  It rarely needs them: a position with
twenty queens does."""


class Control:
    """Stops one search, from any thread and at any time, even before it starts.

    The search finishes its first depth, so that there is a move, unless that takes more than ``PATIENCE`` seconds.
    """

    def __init__(self) -> None:
        self.stopped = False
        """Whether the search was told to stop."""
        self._works: Sequence[Work] = ()
        self._at_first: Sequence[Work] = ()
        self._timer: threading.Timer | None = None
        self._patience: threading.Timer | None = None

    def stop(self) -> None:
        """Make the search return its best result so far, at once."""
        self.stopped = True  # first: a search that calls listen() now sees it
        for work in self._works:
            work.stop()
        if self._at_first and not self._works and self._patience is None:
            self._patience = _timer(PATIENCE, self._lose_patience)

    def _lose_patience(self) -> None:
        for work in self._at_first:
            work.stop()

    @property
    def nodes(self) -> int:
        """Positions visited so far, from the second depth on."""
        return sum(work.nodes for work in self._works)

    def stop_after(self, seconds: float) -> None:
        """Stop the search ``seconds`` from now."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = _timer(seconds, self.stop)

    def begin(self, works: Sequence[Work]) -> None:
        """Watch the first depth of a search in these workspaces."""
        self._at_first = works
        if self.stopped:
            self.stop()

    def listen(self, works: Sequence[Work]) -> None:
        """Make ``stop`` act on these workspaces: the first depth is finished."""
        self._works = works
        if self.stopped:
            self.stop()

    def close(self) -> None:
        """Release the workspaces: the search is over."""
        self._works = self._at_first = ()
        for timer in (self._timer, self._patience):
            if timer is not None:
                timer.cancel()


def _timer(seconds: float, action: Callable[[], None]) -> threading.Timer:
    """Start a timer that does not keep the program alive."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer
