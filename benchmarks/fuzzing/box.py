"""A sandbox: a forked process with its own folder, no input, resource limits and a watchdog.

A fork takes only milliseconds, because slow imports are done before it, and every run starts from the same state.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import mmap
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

HANG = 20.0
"""Seconds after which a process counts as hung."""

MEMORY = 8 << 30
"""The limit on address space, in bytes."""

LARGEST_FILE = 256 << 20
SHOWN = 1 << 20
"""How many bytes of output to read."""


class Outcome(NamedTuple):
    """How a process ended."""

    code: int
    """Its exit code; below 0: the signal that killed it."""
    out: str
    err: str
    seconds: float
    interrupted: bool
    """Whether it got Ctrl-C (SIGINT)."""
    hung: bool


def run(work: Callable[[], int], folder: Path, interrupt_after: float | None = None) -> Outcome:
    """Call ``work`` in a new process; its result is the exit code.

    Args:
        work: the function to call.
        folder: the working directory.
        interrupt_after: seconds until it gets SIGINT; None: never.
    """
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _leave(_shielded(work, folder))
    interrupted = False
    while (status := _ended(child)) is None and time.monotonic() - begun < HANG:
        if interrupt_after is not None and not interrupted and time.monotonic() - begun > interrupt_after:
            interrupted = True
            _send(child, signal.SIGINT)
        time.sleep(0.002)
    hung = status is None
    _send(child, signal.SIGKILL)  # also kills leftover child processes
    if hung:
        status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status or 0)
    out, err = (_read(folder.with_suffix(name)) for name in (".out", ".err"))
    return Outcome(code, out, err, time.monotonic() - begun, interrupted, hung)


def _ended(child: int) -> int | None:
    """Return the status of a process, or None if it still runs."""
    done, status = os.waitpid(child, os.WNOHANG)
    return status if done else None


def _send(child: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, number)


def _read(file: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        return file.open("rb").read(SHOWN).decode(errors="replace")
    return ""


def _shielded(work: Callable[[], int], folder: Path) -> int:
    """Set up the sandbox in the forked process and call ``work``."""
    try:
        os.setsid()
        os.chdir(folder)
        for number, name in ((1, ".out"), (2, ".err")):
            opened = os.open(folder.with_suffix(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
        sys.stderr = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace", line_buffering=True
        )
        faulthandler.enable(sys.__stderr__ or 2)
        for limit, most in (
            (resource.RLIMIT_AS, MEMORY),
            (resource.RLIMIT_FSIZE, LARGEST_FILE),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(limit, (most, most))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return work()
    except BaseException:
        import traceback

        traceback.print_exc()
        return 70


def _leave(code: int) -> None:
    """Exit without running the parent's exit handlers."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


# Many small cases in one process --------------------------------------------------------------------------------------


class Number:
    """An integer shared between a process and its watcher."""

    def __init__(self, value: int) -> None:
        self.memory = mmap.mmap(-1, 8)
        self.set(value)

    def set(self, value: int) -> None:
        self.memory[:8] = struct.pack("q", value)

    def get(self) -> int:
        return int(struct.unpack("q", self.memory[:8])[0])


def run_many(work: Callable[[int], Any], first: int, end: int, folder: Path) -> Iterator[tuple[int, str]]:
    """Call ``work(number)`` for each number in ``range(first, end)``; yield those that hang or end the process.

    ``work`` records other failures itself.  All run in one process; if a case ends it, a new process continues.
    """
    current = Number(first)
    while current.get() < end:
        child = os.fork()
        if child == 0:
            _leave(_shielded(lambda: _count(work, current, end), folder))
        status, hung = _watched(child, current)
        _send(child, signal.SIGKILL)
        if hung:
            os.waitpid(child, 0)
            yield current.get(), f"hangs: no answer for {HANG:.0f} s"
        elif status != 0:
            last = _read(folder.with_suffix(".err")).strip().splitlines()[-1:] or [""]
            yield current.get(), f"ends the process with status {os.waitstatus_to_exitcode(status)}: {last[0]}"
        current.set(current.get() + 1)


def _count(work: Callable[[int], Any], current: Number, end: int) -> int:
    for number in range(current.get(), end):
        current.set(number)
        work(number)
    return 0


def _watched(child: int, current: Number) -> tuple[int, bool]:
    """Return the status of a process when it ends, and whether it hung instead."""
    number, since = current.get(), time.monotonic()
    while (status := _ended(child)) is None:
        if current.get() != number:
            number, since = current.get(), time.monotonic()
        elif time.monotonic() - since > HANG:
            return 0, True
        time.sleep(0.01)
    return status, False
