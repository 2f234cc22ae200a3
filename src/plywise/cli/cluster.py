"""``plywise cluster``: start a cluster, join one, or make the certificates for it."""

from __future__ import annotations

import importlib.util
import signal
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.on_cluster import InsecureOption, TlsOption
from plywise.cli.screen import output
from plywise.errors import SearchError
from plywise.inputs.limits import MOST_PORT

START, WORK, KEYS = "start", "work", "keys"
TAKEN = {
    START: {"--workers", "--host", "--port", "--tls", "--insecure"},
    WORK: {"TARGET", "--threads", "--tls", "--insecure"},
    KEYS: {"TARGET"},
}
"""What each action takes."""

LOOK_SECONDS = 1.0
"""How often to look which workers have come or gone."""

HOST, PORT = "127.0.0.1", 8786
"""Where a scheduler listens: here only, at Dask's usual port."""


def cluster(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="start, work or keys.")],
    target: Annotated[
        str | None, typer.Argument(metavar="TARGET", help="work: the scheduler's address.  keys: a new folder.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-n", min=0, metavar="N", help="start: how many. Default: one per core.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", min=1, metavar="N", help="work: how many. Default: one per core.")
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            metavar="HOST",
            help=f"start: listen at this address; 0.0.0.0 for all networks. Default: {HOST}.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=MOST_PORT, metavar="N", help=f"start: its port; 0 for a free one. Default: {PORT}."
        ),
    ] = None,
    tls: TlsOption = None,
    insecure: InsecureOption = False,
) -> None:
    """Start a Dask cluster, join one, or make certificates.

    'start' runs a scheduler and workers on this machine until Ctrl-C.  Other machines join with 'work', one worker a
    machine, and need plywise of the same version.  A scheduler executes whatever it is sent, so beyond this machine it
    wants certificates, the same for all: 'keys' makes them, and --tls names their folder.

    Any other Dask cluster will do as well (SLURM, Kubernetes, SSH, clouds): see docs/cluster.md.

    \b
    plywise cluster start --workers 2
    plywise analyse connect-four positions.txt --out results.jsonl --cluster 127.0.0.1:8786

    \b
    plywise cluster keys certificates
    plywise cluster start --host 10.0.0.5 --tls certificates
    plywise cluster work tls://10.0.0.5:8786 --tls certificates
    """
    if action not in TAKEN:
        raise SearchError(f"there is no {action!r}: choose {START}, {WORK} or {KEYS}")
    given = {
        "TARGET": target, "--workers": workers, "--threads": threads, "--host": host, "--port": port, "--tls": tls,
        "--insecure": insecure or None,
    }  # fmt: skip
    for name, value in given.items():
        if value is not None and name not in TAKEN[action]:
            raise SearchError(f"'plywise cluster {action}' takes no {name}: see plywise cluster --help")
    if action == START:
        _start(workers, host or HOST, PORT if port is None else port, tls, insecure)
    elif action == WORK:
        _work(_needed(target, "the address of a scheduler"), threads, tls, insecure)
    else:
        from plywise.cluster.keys import make_keys

        folder = Path(_needed(target, "a folder"))
        make_keys(folder)
        output().print(f"The folder {folder} has the certificates. Copy it to every machine, and keep it secret:")
        output().print("whoever has it can run code on all of them.")


def _needed(target: str | None, what: str) -> str:
    if target is None:
        raise SearchError(f"give {what}: see plywise cluster --help")
    return target


def _start(workers: int | None, host: str, port: int, tls: Path | None, insecure: bool) -> None:
    from plywise.cluster.addresses import start_cluster

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end as by Ctrl-C
    running = start_cluster(workers, host, port, tls, insecure)
    try:
        address, count = running.scheduler_address, len(running.workers)
        output().print(f"A cluster of {count} worker{'s' if count != 1 else ''} is at {address}. Use it with")
        certificates = f" --tls {tls}" if tls else " --insecure" if insecure else ""
        output().print(f"  --cluster {address}{certificates}")
        output().print(f"Other machines join with\n  plywise cluster work {address}{certificates}")
        if importlib.util.find_spec("bokeh"):  # which its page needs
            output().print(f"Dask shows what it does at {running.dashboard_link}")
        output().print("Ctrl-C ends it.")
        sys.stdout.flush()
        known = set(running.scheduler.workers)
        while True:
            time.sleep(LOOK_SECONDS)
            known = _told_who_is_there(known, set(running.scheduler.workers))
    except KeyboardInterrupt:
        pass
    finally:
        running.close()


def _told_who_is_there(known: set[str], found: set[str]) -> set[str]:
    """Say which workers have come and which are gone; return who is there."""
    for who, what in ((found - known, "has joined"), (known - found, "is gone")):
        for worker in sorted(who):
            output().print(f"The worker at {worker} {what}: {len(found)} now.")
    sys.stdout.flush()
    return found


def _work(address: str, threads: int | None, tls: Path | None, insecure: bool) -> None:
    from plywise.cluster.addresses import check_safe, need_dask, scheduler_address
    from plywise.cluster.joining import work_for
    from plywise.io.processes import processors

    need_dask()
    target = scheduler_address(address)
    check_safe(target, "join", tls, insecure)
    # A worker executes whatever it is sent, too, and would listen to all networks.
    host = None if tls or insecure else target.partition("://")[2].rpartition(":")[0]
    count = threads or processors()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end as by Ctrl-C

    def tell() -> None:
        output().print(f"Working for {target} with {count} thread{'s' if count != 1 else ''}. Ctrl-C ends it.")
        sys.stdout.flush()

    if work_for(target, count, host, tls, tell):
        output().print("The scheduler has ended.")
