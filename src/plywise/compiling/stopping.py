"""Stop whatever search runs in a context, from another thread, even if it takes no ``Control``."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Iterator


class Stopper:
    """Stops searches.  One that is stopped raises ``Stopped``, or returns its best result so far, as at a deadline.

    >>> stopper, heard = Stopper(), []
    >>> with stopper, stoppable(lambda: heard.append("stop")):
    ...     stopper.stop()
    >>> heard
    ['stop']
    """

    def __init__(self) -> None:
        self.stopped = False
        """Whether it has stopped its searches; those that begin later are stopped at once."""
        self._stops: list[Callable[[], None]] = []
        self._tokens: list[contextvars.Token[Stopper | None]] = []

    def __enter__(self) -> Stopper:
        self._tokens.append(_stopper.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _stopper.reset(self._tokens.pop())

    def stop(self) -> None:
        """Stop the searches of the context; callable from any thread."""
        self.stopped = True  # first: a search that begins now sees it
        for stop in tuple(self._stops):
            stop()

    @contextlib.contextmanager
    def heard_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call ``stop`` if the context is stopped while this one lasts."""
        self._stops.append(stop)
        try:
            if self.stopped:
                stop()
            yield
        finally:
            self._stops.remove(stop)


_stopper: contextvars.ContextVar[Stopper | None] = contextvars.ContextVar("stopper", default=None)


def stoppable(stop: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """Let the ``Stopper`` of this context, if there is one, call ``stop`` while a search runs."""
    stopper = _stopper.get()
    return contextlib.nullcontext() if stopper is None else stopper.heard_by(stop)
