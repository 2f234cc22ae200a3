"""Other processes: workers that ignore Ctrl-C, so that only the parent is interrupted and ends them; other Pythons."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, NoReturn

from plywise.io.own_folder import remove_own_folder

UNGUARDED = 97
"""The exit code of a process that runs a script which, without a guard, would start others in turn."""

GUARD = "a script that starts workers must do so below: if __name__ == '__main__'"


def must_not_be_a_worker() -> None:
    """End this process if it is a new worker that runs its parent's script: it must not start workers in turn.

    Nobody would read an error here; the parent sees the exit code.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(UNGUARDED)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start(work: Callable[..., None], *arguments: Any) -> tuple[SpawnProcess, Connection]:
    """Start a process that calls ``work(connection, *arguments)``; return it and the other end of the connection.  It
    ends when this process does, even if that is killed.

    A terminal sends Ctrl-C to all processes.  A worker that received it before it could ignore it would die with a
    traceback, so it is started with the signal blocked, and inherits that.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy locks that compiled code may hold
    ours, theirs = context.Pipe()
    process = context.Process(target=_deaf, args=(work, theirs, *arguments), daemon=True)
    try:
        with unheard(), _as_parent():
            process.start()
    except BaseException:  # such as a Ctrl-C that had to wait
        if process.pid is not None:
            process.kill()
        raise
    finally:
        theirs.close()
    return process, ours


def python_command(program: str) -> list[str]:
    """Return the command that runs a program in another Python, which finds the same modules.

    ``python -m`` would look in the working folder first.

    Raises:
        OSError: there is no other Python, as in an application that was frozen into one file.
    """
    if getattr(sys, "frozen", False) or not sys.executable:
        raise FileNotFoundError("there is no Python to start")
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"]


def leave(code: int) -> NoReturn:
    """End this process at once, whatever it does.  Its own folder goes with it."""
    remove_own_folder()
    os._exit(code)


def leave_with_parent() -> None:
    """End this process when its standard input ends, and so at the latest when its parent has ended."""

    def listen() -> None:
        with contextlib.suppress(OSError):
            while sys.stdin.buffer.read(1):
                pass
        leave(0)

    threading.Thread(target=listen, daemon=True).start()


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Block Ctrl-C, here and in threads and processes started meanwhile; not on Windows, which cannot."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block has ended; if the block fails, that is enough.

    Other threads than the main one hear no Ctrl-C in any case.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    heard: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _, frame: heard.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if heard:
        usual(signal.SIGINT, heard[0])


@contextlib.contextmanager
def _as_parent() -> Iterator[None]:
    """Let a process start others although it is a daemon, as Dask's workers are; ours end with it in any case."""
    settings = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    with _starting:
        before = settings.get("daemon")
        settings["daemon"] = False
        try:
            yield
        finally:
            settings["daemon"] = before


_starting = threading.Lock()


def _deaf(work: Callable[..., None], *arguments: Any) -> None:
    threading.Thread(target=_follow_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # programs started from here may handle it
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    work(*arguments)


def _follow_parent() -> None:
    """Wait until the parent has ended, then end this process, whatever it does."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    leave(1)
