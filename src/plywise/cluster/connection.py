"""A connection to a Dask scheduler: Dask's own, except for what happens when it cannot be made, or breaks.

Dask would restore a broken connection under its old name.  What still comes for that name may then end the attempt, or
the new connection.  So here a broken connection stays broken, and its owner makes another.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Callable
from typing import Any

import distributed
from distributed import Client
from distributed.client import ClosedClientError

BROKEN = (
    OSError, asyncio.TimeoutError, ClosedClientError, asyncio.CancelledError, concurrent.futures.CancelledError,
)  # fmt: skip
"""What Dask raises if a connection breaks, or nobody answers."""

LEAVE_SECONDS = 2.0
"""How long to wait until a scheduler has what was sent to it last."""

INSIDE = ("_ensure_connected", "_handle_report", "_reconnect", "_run", "_send_to_scheduler_safe")
"""Methods of Dask's client that are not public, but used here."""

if missing := [name for name in INSIDE if not hasattr(Client, name)]:
    raise ImportError(f"plywise does not fit Dask {distributed.__version__}, which has no Client.{missing[0]}")


class Connection(Client):
    """A connection to a scheduler.

    Raises:
        OSError: none answers, or what answers is not one.
    """

    scheduler_comm: Any
    address = ""
    is_lost = False
    """Whether it is broken or closed."""

    def start(self, **options: Any) -> None:
        """Connect.  Called by Dask, which would leave a thread running if that fails."""
        try:
            super().start(**options)
            self.address = self.scheduler.address
        except Exception:
            self._loop_runner.stop()
            raise

    def hear(self, handler: Callable[[tuple[float, Any]], None]) -> None:
        """Let ``handler`` take what workers log under our name, which the scheduler forgets when we have left."""
        self.subscribe_topic(self.id, handler)

    def leave(self) -> None:
        """Close it, even if the scheduler does not answer."""
        self.is_lost = True
        try:
            with contextlib.suppress(ValueError):  # nothing was heard
                self.unsubscribe_topic(self.id)  # else the scheduler would tell us that we have left, and fail
            self.close(timeout=LEAVE_SECONDS)
        except BROKEN:  # something is not sent yet, and never will be
            if self.scheduler_comm is not None:
                self.loop.add_callback(self.scheduler_comm.abort)
            with contextlib.suppress(*BROKEN):
                self.close(timeout=LEAVE_SECONDS)

    async def call(self, worker: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns on a worker.  To be called in Dask's loop.

        Raises:
            OSError: the worker, or the scheduler, is not reached.
            Exception: whatever the function raises.
        """
        if self.scheduler is None:
            raise OSError("the connection is closed")
        answers = await self._run(function, *arguments, workers=[worker], on_error="return")
        if worker not in answers:
            raise OSError("no answer")
        if isinstance(answers[worker], Exception):
            raise answers[worker]
        return answers[worker]

    async def _ensure_connected(self, timeout: float | None = None) -> None:
        """Connect.  Dask's own method may wait for ever for what is no scheduler, or believe what it says."""
        try:
            await asyncio.wait_for(super()._ensure_connected(timeout=timeout), timeout)
        except asyncio.TimeoutError:
            raise OSError("no answer") from None
        except (OSError, ImportError):
            raise
        except Exception as error:
            raise OSError("what answers is not a scheduler") from error

    async def _handle_report(self) -> Any:
        """Hear what the scheduler says.  Called by Dask, once."""
        try:
            await super()._handle_report()
        finally:
            self.is_lost = True

    def _send_to_scheduler_safe(self, message: dict[str, Any]) -> None:
        """Called by Dask; it would print an error if the connection has just broken, which the owner will see."""
        with contextlib.suppress(OSError):
            super()._send_to_scheduler_safe(message)

    async def _reconnect(self) -> None:
        """Called by Dask when the connection breaks; without a comm it stops hearing."""
        self.scheduler_comm = None
