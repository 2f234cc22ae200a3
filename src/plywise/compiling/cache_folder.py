"""The cache folder for machine code, and for tables that games make for themselves: its location, permissions and size.

Its files are pickles, and reading a pickle can run any code that its author chose.  So plywise creates the folder with
access for its owner only, and refuses a folder that other users may write to.

When the folder grows too large, the least recently used files are deleted.  That never harms a running process, which
has its code in memory; at worst the code is compiled again.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from plywise.io.numbers import read_real

FOLDER_VARIABLE = "PLYWISE_CACHE_DIR"
SIZE_VARIABLE = "PLYWISE_CACHE_MB"
USUAL_SIZE_MB = 1000.0

RECENT = 3600.0
"""In seconds.  Files used more recently are kept, however large the folder: a running process may start others soon."""

ROOT_USER = 0
LOCK = ".lock"
"""The end of the name of a lock, after the name of its file."""

_LEFT_OVER = (".tmp", LOCK)
_TRIM_SECONDS = 60.0
_last_trim: dict[Path, float] = {}
_used: set[Path] = set()  # by this process


def cache_directory() -> Path:
    """Return the folder for machine code: ``$PLYWISE_CACHE_DIR``, or ``plywise`` in the user's cache folder."""
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home: nothing is cached
        return Path(os.devnull, "plywise")
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "plywise"


def clear_cache() -> int:
    """Delete all machine code and tables from disk; return the number of files."""
    files = [file for file, _ in _files(cache_directory())]
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


# ---------------------------------------------------------------------------------------------------------------------
# Permissions
# ---------------------------------------------------------------------------------------------------------------------


def complaints() -> list[str]:
    """Return a sentence for each problem with the folder or with the variables that configure it."""
    found = [_objection(cache_directory())]
    if _size_limit_mb() is None:
        found.append(
            f"{SIZE_VARIABLE} is {os.environ[SIZE_VARIABLE]!r}, but must be a positive number of megabytes: "
            f"plywise uses {USUAL_SIZE_MB:,.0f}"
        )
    return [complaint for complaint in found if complaint]


def is_ours(folder: Path) -> bool:
    """Return whether the folder may be used, or does not exist yet."""
    return not _objection(folder)


def _objection(folder: Path) -> str:
    """Return why ``folder`` must not be used; empty if it may be used or does not exist."""
    try:
        status = folder.stat()
    except OSError:
        return ""
    if _only_owner_writes(status):
        return ""
    consequence = "so plywise does not use the machine code in it and compiles in every process"
    if not _owner_is_trusted(status):
        return (
            f"{folder} belongs to another user (number {status.st_uid}), {consequence}: "
            f"set {FOLDER_VARIABLE} to a folder of your own"
        )
    return (
        f"other users may write to {folder}, {consequence}: delete the folder, "
        f"or run 'chmod 700 {folder}' if you trust its files"
    )


def _only_owner_writes(status: os.stat_result) -> bool:
    if os.name != "posix":  # elsewhere modes mean nothing, and a user's folders are private by default
        return True
    return _owner_is_trusted(status) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _owner_is_trusted(status: os.stat_result) -> bool:
    """Return whether a file belongs to this user or to root, who has full access anyway."""
    return status.st_uid in (os.geteuid(), ROOT_USER)


def read(path: Path) -> bytes | None:
    """Return the content of a file in the folder; None if it is missing or another user may have written it."""
    if _objection(path.parent):
        return None
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if not _only_owner_writes(status):
                return None
            content = file.read()
    except OSError:  # missing or unreadable
        return None
    _used.add(path)
    if time.time() - status.st_mtime > RECENT / 2:
        with contextlib.suppress(OSError):  # a read-only folder
            os.utime(path)
    return content


def has(path: Path) -> bool:
    """Return whether ``read`` may find this file in the folder."""
    return path.exists() and not _objection(path.parent)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically, readable by its owner only, and keep the folder within its size limit.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _objection(path.parent):
        return
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    _used.add(path)
    _trim_now_and_then(path.parent)


# ---------------------------------------------------------------------------------------------------------------------
# Size
# ---------------------------------------------------------------------------------------------------------------------


def size_limit_mb() -> float:
    """Return the size limit of the folder in megabytes: ``$PLYWISE_CACHE_MB``, or a thousand."""
    return _size_limit_mb() or USUAL_SIZE_MB


def _size_limit_mb() -> float | None:
    """Return the size limit, or None if the variable is invalid."""
    text = os.environ.get(SIZE_VARIABLE) or str(USUAL_SIZE_MB)
    try:
        return size if (size := read_real(text)) > 0 else None
    except ValueError:
        return None


def cache_size_mb() -> float:
    """Return the size of the folder in megabytes."""
    return sum(status.st_size for _, status in _files(cache_directory())) / 1e6


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files of machine code, the tables of games, and unfinished ones and locks left by killed processes."""
    for kind in ("*.machinecode", "*.table"):
        for pattern in (kind, *(f"{kind}{rest}" for rest in (".*.tmp", LOCK))):
            for file in folder.glob(pattern):
                with contextlib.suppress(OSError):  # another process has just deleted it
                    yield file, file.stat()


def _trim_now_and_then(folder: Path) -> None:
    if time.monotonic() - _last_trim.get(folder, -_TRIM_SECONDS) >= _TRIM_SECONDS:
        _last_trim[folder] = time.monotonic()
        trim(folder)


def trim(folder: Path) -> None:
    """Delete unfinished files and old locks, then the least recently used ones until the rest fit."""
    files = sorted(_files(folder), key=lambda found: (found[0].suffix not in _LEFT_OVER, found[1].st_mtime))
    excess = sum(status.st_size for _, status in files) - size_limit_mb() * 1e6
    for file, status in files:
        wanted = time.time() - status.st_mtime < RECENT or file in _used
        if not wanted and (excess > 0 or file.suffix in _LEFT_OVER):
            with contextlib.suppress(OSError):  # some systems do not delete files in use
                file.unlink(missing_ok=True)
                excess -= status.st_size
