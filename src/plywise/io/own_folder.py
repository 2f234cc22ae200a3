"""A folder of this process for files that came from elsewhere.

It is removed when the process ends.  If the process is killed, the next one that makes such a folder removes it: each
process holds a lock in its own.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO

from plywise.io.locks import is_at, try_lock

PREFIX, LOCK = "plywise-received-", "lock"

_making = threading.RLock()  # a signal may come while it is held
_made: list[tuple[int, Path, BinaryIO]] = []
"""The process that made the folder (a fork has a copy of this), the folder, and the open lock."""


def own_folder() -> Path:
    """Return the folder of this process.

    >>> own_folder() == own_folder()
    True
    """
    with _making:
        if not _made or _made[0][0] != os.getpid() or not _made[0][1].is_dir():  # others may tidy up, too
            _remove_abandoned()
            _made[:] = [_locked_folder()]
            atexit.register(remove_own_folder)
        return _made[0][1]


def remove_own_folder() -> None:
    """Remove the folder of this process, if it has one."""
    with _making:
        if _made and _made[0][0] == os.getpid():
            _, folder, lock = _made.pop()
            lock.close()  # Windows deletes no open file
            shutil.rmtree(folder, ignore_errors=True)


def _locked_folder() -> tuple[int, Path, BinaryIO]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = (folder / LOCK).open("ab")
        try:
            locked = try_lock(lock)
        except OSError:  # a file system without locks: nobody else can lock it either
            locked = True
        if locked and is_at(lock, folder / LOCK):
            return os.getpid(), folder, lock
        lock.close()  # somebody took it for abandoned


def _remove_abandoned() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError), (folder / LOCK).open("r+b") as lock:
            if try_lock(lock):
                shutil.rmtree(folder, ignore_errors=True)
