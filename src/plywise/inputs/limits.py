"""What a search may use: plies, seconds, positions, megabytes.  Each is checked once, where it comes in."""

from __future__ import annotations

import math
import os
from typing import Any

from plywise.errors import SearchError
from plywise.io.numbers import is_whole
from plywise.layers.fastest_win import LONGEST_LINE as LONGEST_LINE  # where others look for limits

MOST_NODES = 1 << 62
"""Compiled code counts in signed words of 64 bits."""
LEAST_MB = 0.0001
"""About a hundred bytes: an entry or two."""


def check_limits(depth: int | None, seconds: float | None, nodes: int | None) -> None:
    """Check the limits of a search.

    Raises:
        SearchError: one makes no sense; the message says which.
    """
    if depth is not None and not (is_whole(depth) and 1 <= depth <= LONGEST_LINE):
        raise SearchError(f"depth={_shown(depth)} must be a whole number from 1 to {LONGEST_LINE}")
    if seconds is not None and not (_is_number(seconds) and seconds > 0):
        raise SearchError(f"seconds={_shown(seconds)} must be a number above zero")
    if nodes is not None and not (is_whole(nodes) and 1 <= nodes <= MOST_NODES):
        raise SearchError(f"nodes={_shown(nodes)} must be a whole number from 1 to 2^62")


def check_megabytes(name: str, megabytes: float) -> None:
    """Check a size in megabytes, given as the argument ``name``.

    Raises:
        SearchError: it is none, holds nothing, or is more than this machine has.
    """
    if not (_is_number(megabytes) and megabytes >= LEAST_MB):
        raise SearchError(f"{name}={_shown(megabytes)} must be a number of megabytes, {LEAST_MB:g} or more")
    if (most := memory_mb()) is not None and megabytes > most:
        raise SearchError(f"{name}={_shown(megabytes)} is more than the {most:,.0f} MB of memory that this machine has")


def memory_mb() -> float | None:
    """Return how much memory this machine has; None where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 20)
    except (AttributeError, ValueError, OSError):  # Windows
        return None


def _shown(value: Any) -> str:
    """Return a value as it was given; Python does not write integers of more than some thousand digits."""
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"(an integer of {value.bit_length():,} bits)"
    return repr(value)


def _is_number(value: Any) -> bool:
    """Return whether a value is a finite number that a float can hold, and not True or False."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False
