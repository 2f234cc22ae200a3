"""How a search is told to end while it runs, by whoever does not wait for it: a GUI, another thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.engine.work import Work


class Control:
    """The reins of one search.  They may be pulled at any time and from any thread, also before the search begins.

    Whatever happens, the search finishes its first depth, so that there is a move.
    """

    def __init__(self) -> None:
        self.stopped = False
        """Whether the search was told to end."""
        self._works: Sequence[Work] = ()
        self._timer: threading.Timer | None = None

    def stop(self) -> None:
        """Have the search return what it has found so far, at once."""
        self.stopped = True  # first: whoever begins to listen now sees it
        for work in self._works:
            work.stop()

    @property
    def nodes(self) -> int:
        """Positions visited so far, from the second depth on."""
        return sum(work.nodes for work in self._works)

    def stop_after(self, seconds: float) -> None:
        """Have the search end after so many seconds: a search without a clock gets one while it runs."""
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
