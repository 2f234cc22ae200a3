"""A worker on this machine for a scheduler elsewhere: what ``plywise cluster work`` runs."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from pathlib import Path
from typing import Any

from plywise.cluster.addresses import ALL_MEMORY, PROFILES, client_of, need_dask, root_cause, security
from plywise.errors import SearchError
from plywise.io.processes import unheard

LOOK_SECONDS = 0.5
"""How often to look whether the work has ended; Windows would not notice Ctrl-C while it waits for longer."""


def work_for(scheduler: str, threads: int, host: str | None, tls: str | Path | None) -> bool:
    """Work for a scheduler until it ends, which returns True, or until Ctrl-C, which returns False.

    A process of its own does the work.  If it dies, Dask's *nanny*, in a thread of this process, starts another.

    Args:
        scheduler: its address.
        threads: how many jobs to do at a time.
        host: the address of this machine at which to listen; None: all of them.
        tls: the folder of certificates.

    Raises:
        SearchError: Dask is not installed, no scheduler answers, or the worker cannot start or ends before the
            scheduler.
    """
    need_dask()
    import dask.config

    client_of(scheduler, tls).close()  # raises if nobody is there
    leave = concurrent.futures.Future[None]()
    with dask.config.set({PROFILES: False}), concurrent.futures.ThreadPoolExecutor(1) as pool:
        try:
            with unheard():  # a terminal sends Ctrl-C to the worker, too, which would print a traceback
                working = pool.submit(lambda: asyncio.run(_work(scheduler, threads, host, tls, leave)))
            while not working.done():
                concurrent.futures.wait([working], timeout=LOOK_SECONDS)
        except KeyboardInterrupt:
            return False
        finally:
            leave.set_result(None)
    try:
        working.result()
    except (OSError, RuntimeError, TimeoutError, asyncio.TimeoutError) as error:
        raise SearchError(f"the worker cannot start: {root_cause(error)}") from None
    try:
        client_of(scheduler, tls).close()
    except SearchError:
        return True
    raise SearchError("the worker has ended before its scheduler: it was dismissed, or could not be started again")


async def _work(
    scheduler: str, threads: int, host: str | None, tls: str | Path | None, leave: concurrent.futures.Future[None]
) -> None:
    """Work until the scheduler or the worker ends, or until we are to ``leave``, even while the worker is starting."""
    from distributed import Nanny

    from plywise.cluster import dask_worker

    nanny: Any = Nanny(
        scheduler, nthreads=threads, host=host, security=security(tls), memory_limit=ALL_MEMORY,
        silence_logs=dask_worker.SILENT, dashboard=False, dashboard_address="127.0.0.1:0",
        preload=[dask_worker.__name__],
    )  # fmt: skip

    async def serve() -> None:
        try:
            await nanny
            await nanny.finished()
        finally:
            with contextlib.suppress(Exception):  # it may be half started; its process ends with this one
                await nanny.close()

    serving = asyncio.ensure_future(serve())
    await asyncio.wait((serving, asyncio.wrap_future(leave)), return_when=asyncio.FIRST_COMPLETED)
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving
