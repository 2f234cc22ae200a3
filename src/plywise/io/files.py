"""Atomic writing of files, and reading of text files of bounded size."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plywise.errors import SearchError

MOST_BYTES = 1 << 30
"""The most bytes of a text file; a longer one is taken for endless."""
_CHUNK = 1 << 20


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that replaces ``path`` once it is complete on disk, unless an exception is raised.

    Raises:
        SearchError: no file can have this name, or none can be written there.
    """
    _check_name(path)
    temporary = _beside(path)
    with _named(path):
        opened = temporary.open("wb")
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with _named(path):
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def is_file(path: str | Path) -> bool:
    """Return whether there is such a file; no file can have some names."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def check_target(path: Path) -> None:
    """Check that a file can be written under this name, before the work to fill it starts.

    Raises:
        SearchError: the folder does not exist, or no file can be written there, or the name belongs to a folder or a
            device, which must not be replaced.
    """
    _check_name(path)
    if not path.exists():
        probe = _beside(path)
        with _named(path):
            probe.touch()
            probe.unlink(missing_ok=True)


def _check_name(path: Path) -> None:
    if not path.absolute().parent.is_dir():
        raise SearchError(f"{str(path)!r} cannot be written: there is no folder {str(path.absolute().parent)!r}")
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or a pipe"
        raise SearchError(f"{str(path)!r} cannot be written: it is {kind}, not a file")


def _beside(path: Path) -> Path:
    """Return a temporary file in the same folder."""
    return path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """If a temporary file fails, name the file that it stands for."""
    try:
        yield
    except OSError as error:
        raise SearchError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def write_all(raw: io.FileIO, content: bytes) -> None:
    """Write to an unbuffered file, which may take several writes."""
    rest = memoryview(content)
    while rest:
        rest = rest[raw.write(rest) or 0 :]


def read_text_file(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a text file.

    Raises:
        SearchError: it is not text, or has more than ``most`` bytes, as /dev/zero does.
        OSError: it cannot be read.
    """
    with Path(path).open("rb") as file:
        return text_of(file, path, most)


def content_digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal.

    >>> content_digest(b"44")[:12]
    '71ee45a3c0db'
    """
    return hashlib.sha256(content).hexdigest()


def text_of(file: IO[bytes], name: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of an open file called ``name``, as ``read_text_file`` does."""
    chunks: list[bytes] = []
    size = 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if b"\0" in chunk:
            raise SearchError(f"{str(name)!r} is not a text file (UTF-8): it contains zero bytes")
        if size > most:
            raise SearchError(f"{str(name)!r} is too long: it has more than {most:,} bytes")
        chunks.append(chunk)
    return b"".join(chunks)
