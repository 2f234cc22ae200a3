"""Files that are written whole or not at all, and files that are read only as far as they are text."""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plywise.errors import SearchError

MOST_BYTES = 1 << 30
"""What is read of a text file: beyond that, it is taken for endless."""
_CHUNK = 1 << 20


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes the name ``path`` when it is on the disk, if nothing goes wrong before.

    Raises:
        SearchError: there can be no file of this name.
    """
    check_target(path)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def check_target(path: Path) -> None:
    """Check that a file can be written under this name, before the work that is to go into it.

    Raises:
        SearchError: there is no such folder, or what is there is a folder or a device, which a file would replace.
    """
    if not path.absolute().parent.is_dir():
        raise SearchError(f"{str(path)!r} cannot be written: there is no folder {str(path.absolute().parent)!r}")
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or a pipe"
        raise SearchError(f"{str(path)!r} cannot be written: it is {kind}, not a file")


def read_text_file(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return what a text file holds.

    Raises:
        SearchError: it holds something else, or more than ``most`` bytes; nobody waits for the end of /dev/zero.
        OSError: it cannot be read.
    """
    with Path(path).open("rb") as file:
        return text_of(file, path, most)


def content_digest(content: bytes) -> str:
    """Return what tells the contents of files apart: the hexadecimal digits of their SHA-256.

    >>> content_digest(b"44")[:12]
    '71ee45a3c0db'
    """
    return hashlib.sha256(content).hexdigest()


def text_of(file: IO[bytes], name: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return what an open file called ``name`` holds; as ``read_text_file`` does."""
    chunks: list[bytes] = []
    size = 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if b"\0" in chunk:
            raise SearchError(f"{str(name)!r} is not a text file (UTF-8): there are zero bytes in it")
        if size > most:
            raise SearchError(f"{str(name)!r} is too long: it has more than {most:,} bytes")
        chunks.append(chunk)
    return b"".join(chunks)
