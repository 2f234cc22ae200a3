"""How a GUI or another thread tells a running search to end."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.engine.work import Work


class Control:
    """Controls one search, at any time and from any thread, also before the search begins.

    The search always finishes its first depth, so that there is a move.
    """

    def __init__(self) -> None:
        self.stopped = False
        """Whether the search was told to end."""
        self._works: Sequence[Work] = ()
        self._timer: threading.Timer | None = None

    def stop(self) -> None:
        """Have the search return what it has found so far, at once."""
        self.stopped = True  # first: a search that begins to listen now sees it
        for work in self._works:
            work.stop()

    @property
    def nodes(self) -> int:
        """Positions visited so far, from the second depth on."""
        return sum(work.nodes for work in self._works)

    def stop_after(self, seconds: float) -> None:
        """Have the search end after so many seconds, counted from now."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self.stop)
        self._timer.daemon = True
        self._timer.start()

    def listen(self, works: Sequence[Work]) -> None:
        """From now on, these workspaces are stopped."""
        self._works = works
        if self.stopped:
            self.stop()

    def close(self) -> None:
        """The search is over."""
        self._works = ()
        if self._timer is not None:
            self._timer.cancel()
