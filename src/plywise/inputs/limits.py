"""Limits of a search: plies, seconds, positions, megabytes, threads.  Each is checked once, on input."""

from __future__ import annotations

import math
import os
from typing import Any

from plywise.errors import SearchError
from plywise.io.numbers import is_whole
from plywise.layers.fastest_win import LONGEST_LINE as LONGEST_LINE  # where others look for limits

TOO_LONG_A_LINE = f"a line of play did not end within {LONGEST_LINE} plies"

MOST_MOVES = 4096
"""A check lists at most this many moves of a position, because wrong rules may yield forever."""

MOST_NODES = 1 << 62
"""Compiled code counts in signed 64-bit integers."""
MOST_THREADS = 256
MOST_PORT = 65535
LEAST_MB = 0.0001
"""About a hundred bytes: an entry or two."""


def check_limits(depth: int | None, seconds: float | None, nodes: int | None) -> None:
    """Check the limits of a search.

    Raises:
        SearchError: a limit is invalid; the message says which.
    """
    if depth is not None:
        check_whole("depth", depth, 1, LONGEST_LINE)
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise SearchError(f"seconds={_shown(seconds)} must be a number above zero")
    if nodes is not None:
        check_whole("nodes", nodes, 1, MOST_NODES)


def check_compile(when: str) -> None:
    """Check when to compile.

    Raises:
        SearchError: neither ``first`` nor ``later``.

    >>> check_compile("never")
    Traceback (most recent call last):
    ...
    plywise.errors.SearchError: compile='never' must be 'first' or 'later'
    """
    if when not in ("first", "later"):
        raise SearchError(f"compile={_shown(when)} must be 'first' or 'later'")


def check_whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Check a whole number, given as the argument ``name``.

    Raises:
        SearchError: it is not a whole number from ``least`` to ``most``.

    >>> check_whole("threads", 0, 1, 256)
    Traceback (most recent call last):
    ...
    plywise.errors.SearchError: threads=0 must be a whole number from 1 to 256
    """
    if not (is_whole(value) and least <= value and (most is None or value <= most)):
        end = "up" if most is None else "to 2^62" if most == MOST_NODES else f"to {most}"
        raise SearchError(f"{name}={_shown(value)} must be a whole number from {least} {end}")


def check_seconds(name: str, seconds: float) -> None:
    """Check a time in seconds, zero or more, given as the argument ``name``.

    Raises:
        SearchError: it is not such a number.
    """
    if not (is_number(seconds) and seconds >= 0):
        raise SearchError(f"{name}={_shown(seconds)} must be a number of seconds, 0 or more")


def check_megabytes(name: str, megabytes: float) -> None:
    """Check a size in megabytes, given as the argument ``name``.

    Raises:
        SearchError: it is not a number, too small, or more than this machine has.
    """
    if not (is_number(megabytes) and megabytes >= LEAST_MB):
        raise SearchError(f"{name}={_shown(megabytes)} must be a number of megabytes, {LEAST_MB:g} or more")
    if (most := memory_mb()) is not None and megabytes > most:
        raise SearchError(f"{name}={_shown(megabytes)} is more than this machine has: {most:,.0f} MB of memory")


def check_threads(threads: int, name: str = "threads") -> None:
    """Check a number of threads.

    Raises:
        SearchError: it is not a whole number from 1 to ``MOST_THREADS``.
    """
    check_whole(name, threads, 1, MOST_THREADS)


def check_executor(executor: Any, **others: Any) -> None:
    """Check an argument ``executor=``, and that others are left out which say who does the work here.

    Raises:
        SearchError: it is an address, or one of the others is given as well.

    >>> check_executor("local")
    Traceback (most recent call last):
    ...
    plywise.errors.SearchError: executor='local' is an address: write executor=plywise.cluster.connect('local')
    """
    if isinstance(executor, str):
        raise SearchError(f"executor={executor!r} is an address: write executor=plywise.cluster.connect({executor!r})")
    if wrong := [name for name, value in others.items() if value is not None and executor is not None]:
        raise SearchError(f"with executor=, leave out {wrong[0]}=: it has its own workers")


def memory_mb() -> float | None:
    """Return how much memory this machine has; None if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 20)
    except (AttributeError, ValueError, OSError):  # Windows
        return None


def _shown(value: Any) -> str:
    """Return a value as it was given; Python refuses to print integers of several thousand digits."""
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"(an integer of {value.bit_length():,} bits)"
    return repr(value)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number that fits a float, and not True or False."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False
