"""A connection to a Dask scheduler: Dask's own, except for what happens when it cannot be made, or breaks.

Dask would restore a broken connection under its old name.  What still comes for that name may then end the attempt, or
the new connection.  So here a broken connection stays broken, and its owner makes another.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from distributed import Client


class Connection(Client):
    """A connection to a scheduler.

    Raises:
        OSError: none answers, or what answers is not one.
    """

    is_lost = False
    """Whether it is broken or closed."""

    async def _ensure_connected(self, timeout: float | None = None) -> None:
        """Connect.  Dask's own method may wait for ever for what is no scheduler, or believe what it says."""
        try:
            await asyncio.wait_for(super()._ensure_connected(timeout=timeout), timeout)
        except (OSError, ImportError):
            raise
        except (TimeoutError, asyncio.TimeoutError):
            raise OSError("no answer") from None
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
