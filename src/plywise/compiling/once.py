"""A lock for each file of machine code, so that two processes that need the same code compile it once.

The system releases the lock when its process ends, however that happens.  The lock only saves work: wherever it cannot
be had, the code is compiled twice, and nothing is lost.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from plywise.compiling.cache_folder import LOCK, is_ours
from plywise.io.locks import held, is_at, try_lock

LOOK = 0.1
"""Seconds between two looks at a lock that another process holds."""

_busy: contextvars.ContextVar[bool] = contextvars.ContextVar("busy", default=False)


@contextlib.contextmanager
def made_once(path: Path | None, wait: Callable[[float], None]) -> Iterator[None]:
    """Hold the lock of ``path`` while the block makes this file.  Do nothing if it is there, or if there is no path.

    While another process or thread makes the file, wait for it, and call ``wait`` with the seconds since it began.  A
    block inside such a block does not wait, because two processes could then wait for each other.
    """
    if path is None or path.exists() or _busy.get():
        yield
        return
    token, place = _busy.set(True), _lock_of(path)
    try:
        with held(_acquired(path, place, wait), place):
            yield
    finally:
        _busy.reset(token)


def delete_lock(path: Path) -> None:
    """Delete the lock of a file that is finished, before the end of its block: its process may be killed till then."""
    with contextlib.suppress(OSError):  # Windows does not delete open files
        _lock_of(path).unlink(missing_ok=True)


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}{LOCK}")


def _acquired(path: Path, place: Path, wait: Callable[[float], None]) -> BinaryIO | None:
    """Return the locked file; None if ``path`` is there by now, or cannot be locked."""
    while not path.exists() and is_ours(path.parent):
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = open(place, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
        except OSError:  # such as a folder that cannot be written
            return None
        try:
            if try_lock(file) and is_at(file, place):
                os.utime(place)
                return file
            begun = os.fstat(file.fileno()).st_mtime
        except OSError:  # a file system without locks
            file.close()
            return None
        except BaseException:
            file.close()
            raise
        file.close()
        wait(max(0.0, time.time() - begun))
        time.sleep(LOOK)
    return None
