"""A worker on this machine for a scheduler elsewhere: what ``plywise cluster work`` runs."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.cluster.addresses import ALL_MEMORY, PROFILES, client_of, need_dask, root_cause, security
from plywise.errors import SearchError
from plywise.io.processes import unheard

LOOK_SECONDS = 0.5
"""How often to look whether the work has ended; Windows would not notice Ctrl-C while it waits for longer."""


AGAIN_SECONDS = 1.0
"""How long to wait before joining again."""


def work_for(
    scheduler: str, threads: int, host: str | None, tls: str | Path | None,
    on_join: Callable[[], None] = lambda: None,
) -> bool:  # fmt: skip
    """Work for a scheduler until it ends, which returns True, or until Ctrl-C, which returns False.

    A process of its own does the work.  If it dies, Dask's *nanny*, in a thread of this process, starts another.  Dask
    ends a worker that has lost its scheduler; if there is one at the address, it is joined again.

    Args:
        scheduler: its address.
        threads: how many jobs to do at a time.
        host: the address of this machine at which to listen; None: all of them.
        tls: the folder of certificates.
        on_join: called before each time it joins.

    Raises:
        SearchError: Dask is not installed, no scheduler answers, or the worker cannot start or is dismissed.
    """
    need_dask()
    from plywise.cluster.connection import BROKEN

    client_of(scheduler, tls).leave()  # raises if nobody is there
    try:
        while True:
            on_join()
            had = _work(scheduler, threads, host, tls)
            try:
                client = client_of(scheduler, tls)
                try:
                    events = [event for address in had for _, event in client.get_events(address)]
                finally:
                    client.leave()
            except (SearchError, *BROKEN):
                return True
            if any(event.get("expected") for event in events):  # its end was
                raise SearchError("the worker was dismissed by its scheduler")
            time.sleep(AGAIN_SECONDS)
    except KeyboardInterrupt:
        return False


def _work(scheduler: str, threads: int, host: str | None, tls: str | Path | None) -> set[str]:
    """Work until the scheduler or the worker ends; return the addresses that the worker has had.

    Raises:
        SearchError: the worker cannot start.
    """
    import dask.config

    from plywise.cluster.connection import BROKEN

    leave = concurrent.futures.Future[None]()
    with dask.config.set({PROFILES: False}), concurrent.futures.ThreadPoolExecutor(1) as pool:
        try:
            with unheard():  # a terminal sends Ctrl-C to the worker, too, which would print a traceback
                working = pool.submit(lambda: asyncio.run(_serve(scheduler, threads, host, tls, leave)))
            while not working.done():
                concurrent.futures.wait([working], timeout=LOOK_SECONDS)
        finally:
            leave.set_result(None)
    try:
        return working.result()
    except (*BROKEN, RuntimeError) as error:
        raise SearchError(f"the worker cannot start: {root_cause(error)}") from None


async def _serve(
    scheduler: str, threads: int, host: str | None, tls: str | Path | None, leave: concurrent.futures.Future[None]
) -> set[str]:
    """Work until the scheduler or the worker ends, or until we are to ``leave``, even while the worker is starting."""
    from distributed import Nanny

    from plywise.cluster import dask_worker

    had: set[str] = set()
    nanny: Any = Nanny(
        scheduler, nthreads=threads, host=host, security=security(tls), memory_limit=ALL_MEMORY,
        silence_logs=dask_worker.NO_LOG, dashboard=False, dashboard_address="127.0.0.1:0",
        preload=[dask_worker.__name__],
    )  # fmt: skip

    async def work() -> None:
        try:
            await nanny
            await nanny.finished()
        finally:
            with contextlib.suppress(Exception):  # it may be half started; its process ends with this one
                await nanny.close()

    working, left = asyncio.ensure_future(work()), asyncio.wrap_future(leave)
    while not (working.done() or left.done()):
        await asyncio.wait((working, left), timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        had |= {nanny.worker_address} - {None}
    working.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await working
    return had
