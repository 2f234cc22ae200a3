"""A worker on this machine for a scheduler elsewhere: what ``plywise cluster work`` runs."""

from __future__ import annotations

import asyncio
import concurrent.futures
from pathlib import Path
from typing import Any

from plywise.cluster.addresses import ALL_MEMORY, PROFILES, client_of, need_dask, security
from plywise.io.processes import unheard

LOOK_SECONDS = 0.5
"""How often to look whether the work has ended; Windows would not notice Ctrl-C while it waits for longer."""


def work_for(scheduler: str, threads: int, host: str | None, tls: str | Path | None) -> bool:
    """Work for a scheduler until it ends, which returns True, or until Ctrl-C.

    A process of its own does the work.  If it dies, Dask's *nanny*, in a thread of this process, starts another.

    Args:
        scheduler: its address.
        threads: how many jobs to do at a time.
        host: the address of this machine at which to listen; None: all of them.
        tls: the folder of certificates.

    Raises:
        SearchError: Dask is not installed, or no scheduler answers.
    """
    need_dask()
    import dask.config

    client_of(scheduler, tls).close()  # raises if nobody is there
    leave = concurrent.futures.Future[None]()
    with dask.config.set({PROFILES: False}), concurrent.futures.ThreadPoolExecutor(1) as pool:
        with unheard():  # a terminal sends Ctrl-C to the worker, too, which would print a traceback
            working = pool.submit(lambda: asyncio.run(_work(scheduler, threads, host, tls, leave)))
        try:
            while not working.done():
                concurrent.futures.wait([working], timeout=LOOK_SECONDS)
        except KeyboardInterrupt:
            leave.set_result(None)
    working.result()
    return not leave.done()


async def _work(
    scheduler: str, threads: int, host: str | None, tls: str | Path | None, leave: concurrent.futures.Future[None]
) -> None:
    from distributed import Nanny

    from plywise.cluster import dask

    nanny: Any = Nanny(
        scheduler, nthreads=threads, host=host, security=security(tls), memory_limit=ALL_MEMORY,
        silence_logs=dask.SILENT, dashboard=False, dashboard_address="127.0.0.1:0", preload=[dask.__name__],
    )  # fmt: skip
    async with nanny:
        ends = asyncio.ensure_future(nanny.finished()), asyncio.wrap_future(leave)
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        ends[0].cancel()
