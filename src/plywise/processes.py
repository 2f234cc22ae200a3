"""Processes that work for another one, which alone is interrupted by Ctrl-C and then ends them."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any


def start(work: Callable[..., None], *arguments: Any) -> tuple[SpawnProcess, Connection]:
    """Start a process that calls ``work(connection, *arguments)``; return it, and the connection's other end.

    A terminal sends Ctrl-C to all processes.  A new one must not hear it before it can say that it ignores it, or
    it would die with a traceback: it is started while the signal is blocked, and inherits that.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy locks that compiled code may hold
    ours, theirs = context.Pipe()
    process = context.Process(target=_deaf, args=(work, theirs, *arguments), daemon=True)
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # its own start, inside ours, would end the blocking
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        process.start()
    theirs.close()
    return process, ours


def _deaf(work: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work(*arguments)
