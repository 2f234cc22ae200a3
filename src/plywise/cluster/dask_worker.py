"""What runs on the workers of a Dask cluster.

Dask cannot stop or talk to compiled code, so each worker has a bench (``plywise.cluster.bench``).  Dask marks a job
that is running but no longer wanted, because it was cancelled or its client has ended; a thread of the worker looks for
such marks and stops the search.

A worker that gets a job without its kit asks for it.  It gives up kits that nobody has used for a while: their owner
may have been killed, and if not, sends them again.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import threading
import time
from functools import partial
from typing import Any

from distributed import Status, Worker, get_worker

from plywise.cluster.bench import LOOK_SECONDS, Bench, Desk, Finished, PackedKit, portable, report_warnings
from plywise.cluster.executor import Job, Report, unpacked
from plywise.cluster.processes import Processes
from plywise.compiling.reading import interpreted

IDLE_SECONDS = 60.0
"""How long a worker keeps a kit and its tools that no job uses."""

BEGUN = "begun"
"""What a job reports first."""

NO_LOG = logging.CRITICAL + 1
"""The level of Dask's log: a scheduler calls it critical that its only client leaves."""

BENCH = "plywise_bench"
_setting_up = threading.Lock()


def name_of(job: int, turn: int, client: str) -> str:
    """Return Dask's name for a job.

    >>> number_of(name_of(7, 1, "Client-c0ffee")), client_of(name_of(7, 1, "Client-c0ffee"))
    (7, 'Client-c0ffee')
    """
    return f"plywise-{job}.{turn}-{client}"


def number_of(name: str) -> int:
    """Return the number of a job."""
    return int(name.split("-", 2)[1].partition(".")[0])


def client_of(name: str) -> str:
    """Return the client that has submitted a job."""
    return name.split("-", 2)[2]


def bench_of(worker: Worker) -> Bench:
    """Return the bench of a worker."""
    with _setting_up:
        if not hasattr(worker, BENCH):
            report_warnings()
            bench = Bench(worker.state.nthreads, partial(_report, worker))
            setattr(worker, BENCH, bench)
            for task in (_stop_unwanted, _release_idle):
                threading.Thread(target=task, args=(worker, bench), daemon=True).start()
    return getattr(worker, BENCH)  # type: ignore[no-any-return]


def _report(worker: Worker, name: str, message: Any) -> None:
    news = {"job": name, "worker": worker.address, "report": pickle.dumps(message)}  # Dask's own format knows few types
    worker.log_event(client_of(name), news)


def _stop_unwanted(worker: Worker, bench: Bench) -> None:
    """Stop jobs that Dask no longer wants, as long as the worker is there."""

    def is_wanted(name: Any) -> bool:
        task = worker.state.tasks.get(name)
        return task is not None and task.state != "cancelled"

    while worker.status != Status.closed:
        bench.stop_unless(is_wanted)
        time.sleep(LOOK_SECONDS)


def _release_idle(worker: Worker, bench: Bench) -> None:
    """Release kits that nobody uses, as long as the worker is there; closing their tools may take long."""
    while worker.status != Status.closed:
        bench.release_idle(IDLE_SECONDS)
        time.sleep(1.0)


def do(name: str, kit: str, in_python: bool, apart: bool, content: bytes) -> Finished:
    """Do a job on the worker that calls this; ``content`` is the job's."""
    worker = get_worker()
    bench = bench_of(worker)
    bench.announce(name)
    _report(worker, name, BEGUN)
    with interpreted() if in_python else contextlib.nullcontext():
        if apart:
            return portable(bench.do(name, None, in_own_process, (bench, kit, content)))
        return portable(bench.do(name, kit, unpacked, (content,)))


def in_own_process(desk: Desk, bench: Bench, kit: str, content: bytes) -> Any:
    """Do a job and make its tools in another process: if it dies, that is the job's fault, and nobody else suffers."""
    with Processes(1, most_kills=1) as own:
        job = own.submit(Job(bench.kit(desk, kit), unpacked, (content,)))
        with desk.heeding(lambda: None, lambda message: own.update(job, message, lasting=False)):
            while True:
                news = own.next(timeout=LOOK_SECONDS)
                desk.check()
                if isinstance(news, Report):
                    desk.report(news.message)
                elif news is not None:
                    return news.answer()


def bring(key: str, content: bytes, dask_worker: Worker) -> None:
    """Take a kit on this worker."""
    bench_of(dask_worker).bring(key, PackedKit(content))


def release(key: str, dask_worker: Worker) -> None:
    """Give up a kit on this worker, in a thread of its own: closing its tools may take long."""
    threading.Thread(target=bench_of(dask_worker).release, args=(key,), daemon=True).start()


def tell(name: str, messages: list[Any], dask_worker: Worker) -> None:
    """Tell a job on this worker something."""
    for message in messages:
        bench_of(dask_worker).tell(name, message)


def dask_setup(worker: Worker) -> None:
    """Called by Dask in a worker that is told to load this module at its start."""
    be_quiet()


def be_quiet() -> None:
    """Let Dask write nothing to the terminal: what concerns the user, we say."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(NO_LOG)
