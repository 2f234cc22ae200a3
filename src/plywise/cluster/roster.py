"""Who is there in a Dask cluster, and who can do our jobs.

A worker counts once it has answered that it has the plywise that we have: one without any could not even refuse a job,
and one that never answers holds up nobody.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import math
import time
import warnings
from collections.abc import Iterable
from typing import Any

from distributed.client import ClosedClientError

from plywise.cluster.connection import Connection
from plywise.cluster.parcel import Refused, plywise_digest
from plywise.errors import SearchError

LOOK_SECONDS, WAITING_SECONDS = 1.0, 0.1
"""How often to ask the scheduler who is there: usually, and while there is nobody to do our jobs."""

ANSWER_SECONDS = 5.0
"""How long to wait for its answer."""

SILENCE_SECONDS = 60.0
"""A scheduler that has not answered for so long is given up."""

UNFIT_SECONDS, WAIT_SECONDS = 5.0, 60.0
"""How long to wait for a worker that can do our jobs, if there are others: at first, and after there was one."""

HOW_TO_JOIN = "start some with 'plywise cluster work ADDRESS' or 'dask worker ADDRESS'"

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

    def __init__(self, client: Connection, are_ours: bool) -> None:
        self.client, self.are_ours = client, are_ours
        self.fit: set[str] = set()
        """Those that have our plywise."""
        self.unfit: dict[str, Refused] = {}
        """Those that have not, and what is wrong."""
        self.asked: set[str] = set()
        """Those that were asked for it."""
        self.refusing: dict[int, dict[str, Refused]] = {}
        """Those that refuse a kit, by its number, and why."""
        self._accepted: dict[int, float] = {}
        """The kits that a worker has accepted, and when one that does was last there."""
        self._present: dict[str, int] = {}
        """How many threads each has."""
        self._named: set[str] = set()
        """Those whose refusals have been reported."""
        self.looked_at: float | None = None
        """When the scheduler was last asked who is there."""
        self._trouble, self._troubled_at = "", 0.0
        """What is wrong, and since when."""
        self._patience = UNFIT_SECONDS

    def use(self, client: Connection) -> None:
        """Go on with another connection; what was asked over the old one, and not answered, is asked again."""
        self.client = client
        self.asked &= self.fit | self.unfit.keys()

    def look(self) -> None:
        """See who is there, unless that was just done.

        Raises:
            SearchError: for a while, the scheduler has not answered, no worker has had our plywise, or the cluster that
                we have started has had none.
        """
        now = time.monotonic()
        if self.looked_at is not None and now - self.looked_at < (LOOK_SECONDS if self.threads else WAITING_SECONDS):
            return
        found: Any = None
        if not self.client.is_lost:
            with contextlib.suppress(*GONE):
                found = self.client.sync(self.client.scheduler.ncores, callback_timeout=ANSWER_SECONDS)
        self.looked_at = time.monotonic()
        self._present = found or {}
        if found is not None:
            for worker in self.asked.union(self.fit, self.unfit, *self.refusing.values()) - found.keys():
                self._forget(worker)
            self._ask_all(found.keys() - self.asked)
            self.name(self.unfit)
            self._patience = WAIT_SECONDS if self.fit else self._patience
            for kit in self._accepted:
                if self.fit - self.refusing.get(kit, {}).keys():
                    self._accepted[kit] = self.looked_at
        if not self.client.is_lost:
            self._check(now, found)

    def _check(self, now: float, found: dict[str, int] | None) -> None:
        """Warn of what is wrong at a time, or raise an error if that lasts."""
        if found is None:
            if self._lasts("silence", now, SILENCE_SECONDS):
                raise SearchError(f"the scheduler of the cluster has not answered for {SILENCE_SECONDS:.0f} s")
        elif self.are_ours and not found:
            if self._lasts("the end", now, WAIT_SECONDS):
                raise SearchError(f"the workers have ended, and none could be started again in {WAIT_SECONDS:.0f} s")
        elif found and found.keys() <= self.unfit.keys():
            if self._lasts("unfit", now, self._patience):
                worker, why = next(iter(self.unfit.items()))
                raise SearchError(f"no worker of the cluster has the plywise that is here: of {worker}, {why}")
        elif not self.threads:
            if self._lasts("absence", now, UNFIT_SECONDS):
                warnings.warn(f"the work waits for a worker that can do it: {HOW_TO_JOIN}", stacklevel=2)
                self._troubled_at = math.inf  # say it once
        else:
            self._trouble = ""

    def _lasts(self, trouble: str, now: float, seconds: float) -> bool:
        """Return whether something has been wrong for so long."""
        if trouble != self._trouble:
            self._trouble, self._troubled_at = trouble, now
        return now - self._troubled_at > seconds

    @property
    def threads(self) -> dict[str, int]:
        """How many threads each worker has that can do our jobs and refuses no kit."""
        refusing = set().union(*self.refusing.values())
        return {each: count for each, count in self._present.items() if each in self.fit and each not in refusing}

    # Refusals -------------------------------------------------------------------------------------------------------

    def willing(self, kit: int) -> set[str] | None:
        """Return the fit workers that do not refuse a kit; None if that is everybody, also those to come.

        If all refuse it, return all: one is asked again, and its refusal is the answer.  But if one that has accepted
        it was there not long ago, return nobody: it may come back.
        """
        refusing = self.refusing.get(kit, {}).keys()
        if self.are_ours and not refusing:
            return None
        fit = set(self.fit)
        return fit - refusing or (set() if self._is_awaited(kit) else fit)

    def accepted(self, kit: int) -> None:
        """Take note that a worker has accepted a kit, and say who refuses it."""
        self._accepted.setdefault(kit, time.monotonic())
        self.name(self.refusing.get(kit, {}))

    def _is_awaited(self, kit: int) -> bool:
        """Return whether a worker that has accepted a kit may come back."""
        return time.monotonic() - self._accepted.get(kit, -math.inf) < WAIT_SECONDS

    def pass_over(self, worker: str, kit: int, why: Refused) -> bool:
        """Give a worker no more jobs with a kit; return whether there are others, or may be again."""
        refusing = self.refusing.setdefault(kit, {})
        refusing[worker] = why
        return bool(worker) and (not self.fit <= refusing.keys() or self._is_awaited(kit))

    def forget_kit(self, kit: int) -> None:
        """Take note that a kit is no longer used."""
        self.refusing.pop(kit, None)
        self._accepted.pop(kit, None)

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
                self.client.loop.add_callback(self._ask, self.client, worker)

    async def _ask(self, client: Connection, worker: str) -> None:
        """Find out, in Dask's loop, whether a worker has our plywise."""
        found: Any = None
        with contextlib.suppress(*GONE):
            found = (await client._run(eval, DIGEST, workers=[worker], on_error="return")).get(worker)
        if worker not in self.asked:
            return  # it has left meanwhile
        if found == plywise_digest():
            self.fit.add(worker)
        elif isinstance(found, str):
            self.unfit[worker] = Refused("it has another version of plywise")
        elif isinstance(found, Exception) and not isinstance(found, BROKEN):
            self.unfit[worker] = Refused(f"it lacks plywise ({found})")
        else:
            self.asked.discard(worker)  # the question did not reach it, and is asked again

    def _forget(self, worker: str) -> None:
        """Take note that a worker is gone; another one may come to its address."""
        self.asked.discard(worker)
        self.fit.discard(worker)
        self.unfit.pop(worker, None)
        self._named.discard(worker)
        for refusing in self.refusing.values():
            refusing.pop(worker, None)
