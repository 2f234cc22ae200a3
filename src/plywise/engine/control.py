"""Stop a running search from a GUI or another thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.engine.work import Work


class Control:
    """Stops one search, from any thread and at any time, even before it starts.

    The search always finishes its first depth, so that there is a move.
    """

    def __init__(self) -> None:
        self.stopped = False
        """Whether the search was told to stop."""
        self._works: Sequence[Work] = ()
        self._timer: threading.Timer | None = None

    def stop(self) -> None:
        """Make the search return its best result so far, at once."""
        self.stopped = True  # first: a search that calls listen() now sees it
        for work in self._works:
            work.stop()

    @property
    def nodes(self) -> int:
        """Positions visited so far, from the second depth on."""
        return sum(work.nodes for work in self._works)

    def stop_after(self, seconds: float) -> None:
        """Stop the search ``seconds`` from now."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self.stop)
        self._timer.daemon = True
        self._timer.start()

    def listen(self, works: Sequence[Work]) -> None:
        """Make ``stop`` act on these workspaces."""
        self._works = works
        if self.stopped:
            self.stop()

    def close(self) -> None:
        """Release the workspaces: the search is over."""
        self._works = ()
        if self._timer is not None:
            self._timer.cancel()
