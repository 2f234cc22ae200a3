"""From an address to an executor: threads, processes, a cluster that is started here, or one that is elsewhere.

A scheduler executes what it is sent.  So a connection that leaves this machine must be encrypted, and both ends must
have the same certificates (mutual TLS); an open one is refused unless the caller asks for it.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import socket
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plywise.cluster.executor import MOST_KILLS, Executor, Threads
from plywise.cluster.processes import Processes
from plywise.errors import SearchError
from plywise.inputs.limits import MOST_PORT, MOST_THREADS, check_threads
from plywise.io.files import is_file
from plywise.io.processes import GUARD, must_not_be_a_worker, processors, unheard

if TYPE_CHECKING:
    from plywise.cluster.connection import Connection
    from plywise.cluster.dask import Cluster

HERE = LOCAL, PROCESSES, THREADS = "local", "processes", "threads"
"""What can be had without an address."""

KEY, CERTIFICATE, AUTHORITY = "key.pem", "certificate.pem", "authority.pem"
"""The files of a folder of certificates."""

PATIENCE = "5s"
"""How long to try to reach a scheduler."""

PROFILES = "distributed.worker.profile.enabled"
"""Dask's setting for a profile of workers, taken 100 times a second: it sees no compiled code and costs 4 % of time."""

ALL_MEMORY = "0"
"""Dask's limit for the memory of a worker: none.  At a limit it would let the worker do nothing until memory is freed,
or kill it, but tables are needed until the work is done.
"""

SILENT = "60s"
"""After what time a scheduler gives up a worker that does not answer."""

MOST_REPORTS = 100
"""How many reports of a session's jobs, and other events, the scheduler remembers: nobody asks for them again."""

NEEDED = "a cluster needs Dask: pip install 'plywise[cluster]'"


def connect(
    address: str, *, workers: int | None = None, tls: str | Path | None = None, insecure: bool = False
) -> Executor:
    """Return an executor, to be closed when it is no longer needed (use ``with``).

    Args:
        address: ``local`` starts a cluster on this machine; else the address of a scheduler (``tcp://127.0.0.1:8786``,
            ``tls://10.0.0.5:8786``), or its scheduler file.  ``processes`` and ``threads`` are those of this machine,
            without Dask.
        workers: how many, if they are started here; default: one per core.
        tls: a folder of certificates, as ``plywise cluster keys`` makes it.
        insecure: connect to another machine without encryption.

    Raises:
        SearchError: Dask is not installed, nobody answers at the address, or the connection would not be safe.

    >>> with connect("threads", workers=2) as executor:
    ...     executor.slots
    2
    """
    must_not_be_a_worker()
    if tls is not None and address in HERE:
        raise SearchError(f"{address!r} uses no certificates: leave out --tls, or start a cluster that uses them")
    count = min(processors(), MOST_THREADS) if workers is None else workers
    check_threads(count, "workers")
    if insecure and address in HERE:
        raise SearchError(f"{address!r} needs no --insecure: nothing leaves this machine")
    if workers is not None and address not in HERE:
        raise SearchError(f"{address!r} has its own workers: leave out workers=")
    if address == THREADS:
        return Threads(count)
    if address == PROCESSES:
        return Processes(count)
    need_dask()
    if address == LOCAL:
        return _started_here(count)
    return _found(address, tls, insecure)


def need_dask() -> None:
    """Check that Dask is installed, and let it write nothing to the terminal.

    Raises:
        SearchError: it is not.
    """
    try:
        from plywise.cluster import connection, dask_worker  # noqa: F401 (also that Dask is one we know)
    except ImportError as error:
        raise SearchError(f"{NEEDED} ({error})") from None
    dask_worker.be_quiet()


def start_cluster(workers: int | None, host: str, port: int, tls: str | Path | None, insecure: bool) -> Any:
    """Start a scheduler and workers, each with one thread, that end with this process; return Dask's object for them.

    Raises:
        SearchError: Dask is not installed, the port is taken, or it would not be safe.
    """
    need_dask()
    import dask.config
    import distributed

    from plywise.cluster.connection import BROKEN
    from plywise.cluster.dask_worker import NO_LOG

    check_safe(f"{'tls' if tls else 'tcp'}://{host}:{port}", "listen at", tls, insecure)
    settings = {
        "distributed.scheduler.allowed-failures": MOST_KILLS - 2,  # the last death is that of a process of its own
        "distributed.scheduler.worker-ttl": SILENT,
        "distributed.admin.low-level-log-length": MOST_REPORTS,
        PROFILES: False,
    }
    started: Any = None
    try:
        # A terminal sends Ctrl-C to the workers, too, and they would print tracebacks.
        with unheard(), dask.config.set(settings):
            started = distributed.LocalCluster(
                n_workers=processors() if workers is None else workers, threads_per_worker=1, processes=True,
                memory_limit=ALL_MEMORY,
                host=host, scheduler_port=port, protocol="tls://" if tls else "tcp://", security=security(tls),
                silence_logs=NO_LOG,
                dashboard_address="127.0.0.1:0", worker_dashboard_address="127.0.0.1:0",
            )  # fmt: skip
    except (*BROKEN, RuntimeError) as error:
        cause = root_cause(error)
        hint = f" ({GUARD})" if isinstance(cause, RuntimeError) else ""  # a worker has ended, and Dask says no more
        raise SearchError(f"a cluster cannot start at {host}, port {port}: {cause}{hint}") from None
    except BaseException:  # such as a Ctrl-C that had to wait
        if started is not None:
            started.close()
        raise
    return started


def root_cause(error: BaseException) -> BaseException:
    """Return the first error in a chain."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _started_here(workers: int) -> Cluster:
    """Start a cluster for one connection."""
    from plywise.cluster.dask import Cluster

    cluster = start_cluster(workers, "127.0.0.1", 0, None, False)
    try:
        return Cluster(lambda: client_of(cluster.scheduler_address, None), cluster)
    except BaseException:
        cluster.close()
        raise


def _found(address: str, tls: str | Path | None, insecure: bool) -> Cluster:
    """Connect to a scheduler."""
    from plywise.cluster.dask import Cluster

    target = scheduler_address(address, f", nor {LOCAL!r}, {PROCESSES!r} or {THREADS!r}")
    check_safe(target, "connect to", tls, insecure)
    return Cluster(lambda: client_of(target, tls))


def client_of(address: str, tls: str | Path | None) -> Connection:
    """Return a connection to a scheduler.

    Raises:
        SearchError: none answers.
    """
    from plywise.cluster.connection import Connection

    certificates = security(tls)
    try:
        return Connection(address, timeout=PATIENCE, security=certificates, set_as_default=False)
    except (OSError, ValueError) as error:
        other = "without certificates it is tcp" if tls else "with certificates it is tls"
        raise SearchError(f"no scheduler answers at {address!r} ({other}://...): {_why(error)}") from None


def _why(error: Exception) -> str:
    """Return in a few words why a connection failed."""
    cause = root_cause(error)
    if isinstance(cause, ConnectionRefusedError):
        return "nobody listens there"
    if isinstance(cause, ssl.SSLError):
        return f"{cause.reason or cause}, so its certificates are others"
    if isinstance(cause, ConnectionResetError) or "closed" in str(cause).lower():
        return "it hangs up"
    return str(error).partition("\n")[0].partition(" in <")[0] or "no answer"


def scheduler_address(text: str, others: str = "") -> str:
    """Return the address in a text: itself, completed, or the one in a scheduler file.

    Raises:
        SearchError: it is neither an address nor such a file.

    >>> scheduler_address("127.0.0.1:8786")
    'tcp://127.0.0.1:8786'
    """
    if os.path.isdir(text):
        raise SearchError(f"{text!r} is a folder: name the scheduler file in it")
    if is_file(text):
        try:
            found = str(json.loads(Path(text).read_text(encoding="utf-8"))["address"])
        except (OSError, ValueError, KeyError, TypeError):
            raise SearchError(f"{text!r} is not a scheduler file of Dask") from None
    elif text.endswith(".json"):
        raise SearchError(f"there is no scheduler file {text!r}")
    else:
        found = text
    match = re.fullmatch(r"(?:(tcp|tls)://)?([^/\s]+):(\d+)", found)
    if match is None or int(match[3]) > MOST_PORT:
        what = "the address of a scheduler, such as tcp://127.0.0.1:8786, nor its file"
        raise SearchError(f"{found!r} is not {what}{others}")
    return f"{match[1] or 'tcp'}://{match[2]}:{match[3]}"


def check_safe(address: str, what: str, tls: str | Path | None, insecure: bool) -> None:
    """Check that a connection beyond this machine is encrypted.

    Raises:
        SearchError: it is not.
    """
    scheme, _, rest = address.partition("://")
    if scheme == "tls" and tls is None:
        raise SearchError(f"{address} needs certificates: --tls FOLDER ('plywise cluster keys FOLDER' makes them)")
    if scheme == "tcp" and tls is not None:
        raise SearchError(f"{address} is not encrypted: with certificates it is tls://{rest}")
    if scheme != "tls" and not insecure and not is_loopback(rest.rpartition(":")[0]):
        raise SearchError(
            f"it is not safe to {what} {address}: a scheduler executes whatever it is sent.  Use certificates (tls://"
            f"{rest} and --tls FOLDER; 'plywise cluster keys FOLDER' makes them), or --insecure in a network that you "
            "trust"
        )


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, seen from itself.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("10.0.0.5"), is_loopback("")
    (True, True, False, False)
    """
    host = host.strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        pass
    try:
        found = {info[4][0] for info in socket.getaddrinfo(host, None)} if host else set()
    except OSError:
        return False
    return bool(found) and all(ipaddress.ip_address(each).is_loopback for each in found)


def security(tls: str | Path | None) -> Any:
    """Return Dask's settings for a folder of certificates; None without one.

    Raises:
        SearchError: a file is missing.
    """
    if tls is None:
        return None
    from distributed.security import Security

    folder = Path(tls)
    if not folder.is_dir():
        raise SearchError(f"there is no folder {str(folder)!r}: 'plywise cluster keys FOLDER' makes one")
    for name in (KEY, CERTIFICATE, AUTHORITY):
        if not (folder / name).is_file():
            raise SearchError(f"{str(folder)!r} has no {name}: 'plywise cluster keys FOLDER' makes such a folder")
    try:
        ssl.create_default_context(cafile=folder / AUTHORITY).load_cert_chain(folder / CERTIFICATE, folder / KEY)
    except (OSError, ssl.SSLError) as error:
        raise SearchError(f"the certificates in {str(folder)!r} cannot be used: {error.strerror or error}") from None
    own = {"key": str(folder / KEY), "cert": str(folder / CERTIFICATE)}
    roles = {f"tls_{role}_{part}": path for role in ("client", "scheduler", "worker") for part, path in own.items()}
    return Security(tls_ca_file=str(folder / AUTHORITY), require_encryption=True, **roles)
