"""Who is there in a Dask cluster, and who can do our jobs.

A worker counts once it has answered that it has the plywise that we have: one without any could not even refuse a job,
and one that never answers holds up nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import math
import time
import warnings

from plywise.cluster.connection import BROKEN, Connection
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


@dataclasses.dataclass(eq=False)
class _Worker:
    """What is known of a worker."""

    threads: int
    is_fit: bool = False
    """Whether it has our plywise."""
    unfit: Refused | None = None
    """What is wrong with its plywise."""
    is_asked: bool = False
    """Whether it was asked for its plywise."""
    refuses: dict[int, Refused] = dataclasses.field(default_factory=dict)
    """The kits that it refuses, by number, and why."""
    is_named: bool = False
    """Whether the user has been told what is wrong."""


class Roster:
    """The workers of a cluster.

    Questions go out and come back in Dask's loop.  ``look``, and all else, is for one other thread.

    Args:
        client: a connection to it.
        are_ours: whether we have started them, so that they have our plywise.
    """

    def __init__(self, client: Connection, are_ours: bool) -> None:
        self.are_ours = are_ours
        self.workers: dict[str, _Worker] = {}
        """Who is there, by address."""
        self.looks = 0
        """How often we have looked who is there."""
        self._said: dict[str, int] | None = None
        """The scheduler's latest answer: the threads of each worker; None if it gave none."""
        self._silent_since: float | None = None
        """When it first gave none."""
        self._seen: dict[str, int] | None = None
        """The answer that we have looked at."""
        self._accepted: dict[int, float] = {}
        """The kits that a worker has accepted, and when one that does was last there."""
        self._trouble, self._troubled_at = "", 0.0
        """What is wrong, and since when."""
        self._patience = UNFIT_SECONDS
        self.use(client)

    def use(self, client: Connection) -> None:
        """Go on with another connection; what was asked over the old one, and not answered, is asked again."""
        self.client, self._said, self._silent_since = client, None, None
        for worker in self.workers.values():
            worker.is_asked = worker.is_fit or worker.unfit is not None
        client.loop.add_callback(self._watch, client)

    def look(self) -> None:
        """See what the scheduler has said of who is there.

        Raises:
            SearchError: for a while, the scheduler has not answered, no worker has had our plywise, or the cluster that
                we have started has had none.
        """
        said = self._said
        if said is not None and said is not self._seen:
            self._update(said)
            self.looks += 1
        self._seen = said
        if not self.client.is_lost:
            self._check(said, time.monotonic())

    def _update(self, said: dict[str, int]) -> None:
        """Take note of who has come and who is gone; another one may come to the same address."""
        for address in self.workers.keys() - said.keys():
            del self.workers[address]
        for address, threads in said.items():
            worker = self.workers.setdefault(address, _Worker(threads, self.are_ours, is_asked=self.are_ours))
            worker.threads = threads
            if not worker.is_asked:
                worker.is_asked = True
                self.client.loop.add_callback(self._ask, self.client, address, worker)
            if worker.unfit is not None:
                _name(address, worker, worker.unfit)
        if self.fit:
            self._patience = WAIT_SECONDS
        for kit in self._accepted:
            if self._accepting(kit):
                self._accepted[kit] = time.monotonic()

    def _check(self, said: dict[str, int] | None, now: float) -> None:
        """Warn of what is wrong at a time, or raise an error if that lasts."""
        if said is None:
            if self._silent_since is not None and now - self._silent_since > SILENCE_SECONDS:
                raise SearchError(f"the scheduler of the cluster has not answered for {SILENCE_SECONDS:.0f} s")
        elif self.are_ours and not said:
            if self._lasts("the end", now, WAIT_SECONDS):
                raise SearchError(f"the workers have ended, and none could be started again in {WAIT_SECONDS:.0f} s")
        elif said and all(worker.unfit for worker in self.workers.values()):
            if self._lasts("unfit", now, self._patience):
                address, worker = next(iter(self.workers.items()))
                why = f"for example {address}: {worker.unfit}"
                raise SearchError(f"no worker of the cluster has the plywise that is here ({why})")
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
    def fit(self) -> set[str]:
        """The workers that have our plywise."""
        return {address for address, worker in self.workers.items() if worker.is_fit}

    @property
    def threads(self) -> dict[str, int]:
        """How many threads each worker has that can do our jobs and refuses no kit; none if the scheduler is silent."""
        if self.client.is_lost or self._said is None:
            return {}
        workers = list(self.workers.items())  # at once: Dask's loop asks, too
        return {address: worker.threads for address, worker in workers if worker.is_fit and not worker.refuses}

    # Refusals -------------------------------------------------------------------------------------------------------

    def willing(self, kit: int) -> set[str] | None:
        """Return the fit workers that do not refuse a kit; None if that is everybody, also those to come.

        If all refuse it, return all: one is asked again, and its refusal is the answer.  But if one that has accepted
        it was there not long ago, return nobody: it may come back.
        """
        fit, accepting = self.fit, self._accepting(kit)
        if self.are_ours and accepting == fit:
            return None
        return accepting or (set() if self._is_awaited(kit) else fit)

    def accepted(self, kit: int) -> None:
        """Take note that a worker has accepted a kit, and say who refuses it."""
        self._accepted.setdefault(kit, time.monotonic())
        for address, worker in self.workers.items():
            if kit in worker.refuses:
                _name(address, worker, worker.refuses[kit])

    def pass_over(self, address: str, kit: int, why: Refused) -> bool:
        """Give a worker no more jobs with a kit; return whether there are others, or may be again."""
        if address in self.workers:
            self.workers[address].refuses[kit] = why
        return bool(address) and (bool(self._accepting(kit)) or self._is_awaited(kit))

    def forget_kit(self, kit: int) -> None:
        """Take note that a kit is no longer used."""
        self._accepted.pop(kit, None)
        for worker in self.workers.values():
            worker.refuses.pop(kit, None)

    def _accepting(self, kit: int) -> set[str]:
        """Return the fit workers that do not refuse a kit."""
        return {address for address in self.fit if kit not in self.workers[address].refuses}

    def _is_awaited(self, kit: int) -> bool:
        """Return whether a worker that has accepted a kit may come back."""
        return time.monotonic() - self._accepted.get(kit, -math.inf) < WAIT_SECONDS

    # In Dask's loop -------------------------------------------------------------------------------------------------

    async def _watch(self, client: Connection) -> None:
        """Ask the scheduler all the time who is there."""
        while not client.is_lost:
            said: dict[str, int] | None = None
            with contextlib.suppress(*BROKEN):
                said = await asyncio.wait_for(client.scheduler.ncores(), ANSWER_SECONDS)
            if client is not self.client:
                return
            self._said = said
            self._silent_since = None if said is not None else self._silent_since or time.monotonic()
            await asyncio.sleep(LOOK_SECONDS if self.threads else WAITING_SECONDS)

    async def _ask(self, client: Connection, address: str, worker: _Worker) -> None:
        """Find out whether a worker has our plywise."""
        try:
            found = await client.call(address, eval, DIGEST)
        except BROKEN:
            worker.is_asked = False  # the question did not reach it, and is asked again
        except Exception as error:
            worker.unfit = Refused(f"it lacks plywise ({error})")
        else:
            worker.is_fit = found == plywise_digest()
            worker.unfit = None if worker.is_fit else Refused("it has another version of plywise")


def _name(address: str, worker: _Worker, why: Refused) -> None:
    """Say once that a worker is passed over, and why."""
    if not worker.is_named:
        worker.is_named = True
        warnings.warn(f"the worker at {address} is passed over: {why}", stacklevel=2)
