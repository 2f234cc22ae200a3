"""Who is there in a Dask cluster, and who can do our jobs.

A worker counts once it has answered that it has the plywise that we have: one without any could not even refuse a job,
and one that never answers holds up nobody.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import time
import warnings
from collections.abc import Iterable
from typing import Any

from distributed import Client
from distributed.client import ClosedClientError

from plywise.cluster.parcel import Refused, plywise_digest
from plywise.errors import SearchError

LOOK_SECONDS, WAITING_SECONDS = 1.0, 0.1
"""How often to ask the scheduler who is there: usually, and while there is nobody to do our jobs."""

ANSWER_SECONDS = 5.0
"""How long to wait for its answer."""

SILENCE_SECONDS = 60.0
"""A scheduler that has not answered for so long is given up."""

UNFIT_SECONDS, WAIT_SECONDS = 5.0, 60.0
"""How long to wait while all workers lack our plywise: at first, and after there was one that has it."""

DIGEST = f"__import__({plywise_digest.__module__!r}, fromlist=['*']).plywise_digest()"
"""An expression for Python's own ``eval``, which workers have even if they lack plywise."""

BROKEN = (
    OSError, TimeoutError, asyncio.TimeoutError, ClosedClientError, asyncio.CancelledError,
    concurrent.futures.CancelledError,
)  # fmt: skip
"""What Dask raises if a connection breaks."""

GONE = (*BROKEN, RuntimeError, AttributeError)
"""What the methods of a client raise if its scheduler is gone, or goes at this moment."""


class Roster:
    """The workers of a cluster.

    Args:
        client: a connection to it.
        are_ours: whether we have started them, so that they have our plywise.
    """

    def __init__(self, client: Client, are_ours: bool) -> None:
        self.client, self.are_ours = client, are_ours
        self.fit: set[str] = set()
        """Those that have our plywise."""
        self.unfit: dict[str, Refused] = {}
        """Those that have not, and what is wrong."""
        self.asked: set[str] = set()
        """Those that were asked for it."""
        self.refusing: dict[int, dict[str, Refused]] = {}
        """Those that refuse a kit, by its number, and why."""
        self._present: dict[str, int] = {}
        """How many threads each has."""
        self._named: set[str] = set()
        """Those whose refusals have been reported."""
        self._looked_at: float | None = None
        self._answered_at = self._fit_at = time.monotonic()
        self._patience = UNFIT_SECONDS

    def look(self) -> None:
        """See who is there, unless that was just done.

        Raises:
            SearchError: for a while, no worker has had our plywise, or the scheduler has not answered.
        """
        now = time.monotonic()
        if self._looked_at is not None and now - self._looked_at < (LOOK_SECONDS if self.threads else WAITING_SECONDS):
            return
        found: Any = None
        if self.client.status == "running":
            with contextlib.suppress(*GONE):
                found = self.client.sync(self.client.scheduler.ncores, callback_timeout=ANSWER_SECONDS)
        self._looked_at = time.monotonic()
        if found is None:
            self._present = {}
            if self.client.status == "running" and now - self._answered_at > SILENCE_SECONDS:
                raise SearchError(f"the scheduler of the cluster has not answered for {SILENCE_SECONDS:.0f} s")
            return
        self._answered_at = self._looked_at
        for worker in (self.asked | self.fit | self.unfit.keys()) - found.keys():
            self._forget(worker)  # another one may come to its address
        self._ask_all(found.keys() - self.asked)
        self._present = found
        self.name(self.unfit)
        if self.fit:
            self._fit_at, self._patience = self._looked_at, WAIT_SECONDS
        elif found and found.keys() <= self.unfit.keys() and now - self._fit_at > self._patience:
            worker, why = next(iter(self.unfit.items()))
            raise SearchError(f"no worker of the cluster has the plywise that is installed here: of {worker}, {why}")

    @property
    def threads(self) -> dict[str, int]:
        """How many threads each worker has that can do our jobs and refuses no kit."""
        refusing = set().union(*self.refusing.values())
        return {each: count for each, count in self._present.items() if each in self.fit and each not in refusing}

    # Refusals -------------------------------------------------------------------------------------------------------

    def willing(self, kit: int) -> set[str] | None:
        """Return the fit workers that do not refuse a kit; None if that is everybody, also those to come.

        If all refuse it, return all: one is asked again, and its refusal is the answer.
        """
        refusing = self.refusing.get(kit, {}).keys()
        if self.are_ours and not refusing:
            return None
        fit = set(self.fit)
        return fit - refusing or fit

    def pass_over(self, worker: str, kit: int, why: Refused) -> bool:
        """Give a worker no more jobs with a kit; return whether there are others."""
        refusing = self.refusing.setdefault(kit, {})
        refusing[worker] = why
        return bool(worker) and not self.fit <= refusing.keys()

    def name(self, refusing: dict[str, Refused]) -> None:
        """Say once which workers are passed over, and why."""
        for worker, why in list(refusing.items()):
            if worker not in self._named:
                self._named.add(worker)
                warnings.warn(f"the worker at {worker} is passed over: {why}", stacklevel=2)

    # Who has our plywise? -------------------------------------------------------------------------------------------

    def _ask_all(self, workers: Iterable[str]) -> None:
        for worker in workers:
            self.asked.add(worker)
            if self.are_ours:
                self.fit.add(worker)
            else:
                self.client.loop.add_callback(self._ask, worker)

    async def _ask(self, worker: str) -> None:
        """Find out, in Dask's loop, whether a worker has our plywise."""
        found: Any = None
        with contextlib.suppress(*GONE):
            found = (await self.client._run(eval, DIGEST, workers=[worker], on_error="return")).get(worker)
        if worker not in self.asked:
            return  # it has left meanwhile
        if found == plywise_digest():
            self.fit.add(worker)
        elif isinstance(found, str):
            self.unfit[worker] = Refused("it has another version of plywise")
        elif isinstance(found, Exception) and not isinstance(found, BROKEN):
            self.unfit[worker] = Refused(f"it lacks plywise ({found})")
        else:
            self._forget(worker)  # the question did not reach it, and is asked again

    def _forget(self, worker: str) -> None:
        self.asked.discard(worker)
        self.fit.discard(worker)
        self.unfit.pop(worker, None)
