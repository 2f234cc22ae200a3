"""Locks on files that the system releases when their process ends, however that happens."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from plywise.errors import SearchError

if os.name == "nt":
    import msvcrt

    def try_lock(file: BinaryIO) -> bool:
        """Lock an open file; return False if another program or thread has locked it."""
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def try_lock(file: BinaryIO) -> bool:
        """Lock an open file; return False if another program or thread has locked it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def is_at(file: BinaryIO, place: Path) -> bool:
    """Return whether an open file is still the one at ``place``: who held the lock before deletes it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), place.stat())
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def in_turn(path: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Wait until no other program or thread is in this block for the same file, which is made if it is not there.

    ``wait`` is called again and again meanwhile: it lets some time pass, or raises.  Where files cannot be locked, or
    none can be written, the block runs without a lock.
    """
    with contextlib.ExitStack() as stack:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = stack.enter_context(path.open("ab"))
            locked = try_lock(file)
        except OSError:
            locked = True
        while not locked:
            wait()
            locked = try_lock(file)
        yield


@contextlib.contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Keep other programs and threads from this block for the same ``path``, by a locked file beside it.

    Where files cannot be locked, or none can be written, the block runs without a lock.

    Raises:
        SearchError: another one is in this block.
    """
    place = path.with_name(f"{path.name}.lock")
    with held(_locked(path, place), place):
        yield


@contextlib.contextmanager
def held(file: BinaryIO | None, place: Path) -> Iterator[None]:
    """Delete and release a locked file after the block; None if there is none."""
    try:
        yield
    finally:
        if file is not None:
            with contextlib.suppress(OSError):
                place.unlink(missing_ok=True)
            file.close()  # and so release it


def _locked(path: Path, place: Path) -> BinaryIO | None:
    """Return the locked file at ``place``; None if there can be none."""
    while True:
        try:
            file = place.open("ab")
        except OSError:
            return None
        try:
            locked = try_lock(file)
        except OSError:  # a file system without locks
            file.close()
            return None
        if locked and is_at(file, place):
            return file
        file.close()
        if not locked:
            raise SearchError(f"another program is writing to {str(path)!r}: wait for it, or choose another file")
