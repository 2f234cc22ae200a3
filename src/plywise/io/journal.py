"""A file of numbered results that survives a crash of the program that writes it.

The first line is a header; every other line is one result, a JSON object with its number as "line" and a checksum of
the line as "check".  Results are appended as they come; when all are there, the file is sorted.  A killed program
leaves at worst a torn last line; the next run drops it and computes what is missing.  So a complete file does not
depend on interruptions.  A line with a wrong checksum, after an edit or a disk error, counts as missing too.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from plywise.errors import SearchError, shortened
from plywise.io.files import check_target, write_all, written_whole
from plywise.io.numbers import is_whole

try:
    import fcntl
except ImportError:  # Windows: no lock, so two programs may write to one file there
    fcntl = None  # type: ignore[assignment]

SYNC_SECONDS = 5.0
"""The interval between writes to disk: how much work a power failure may cost."""

LONGEST_NAME = 40
"""The most letters of a header's field name in a message; our own names are shorter."""

DIFFERENCES_TOLD = 2
"""The most differences between two headers in a message."""

JournalRecord = Mapping[str, Any]


CHECK = "check"
_CHECKED = re.compile(rb'(.*), "%s": "([0-9a-f]{8})"}\n?' % CHECK.encode(), re.DOTALL)


def json_line(item: Mapping[str, Any]) -> bytes:
    """Return an item as a line of JSON."""
    return json.dumps(item, ensure_ascii=False).encode() + b"\n"


def checked_line(record: JournalRecord) -> bytes:
    """Return the line of a result, with its checksum at the end.

    >>> checked_line({"line": 1})
    b'{"line": 1, "check": "5cffb582"}\\n'
    """
    content = json_line(record).removesuffix(b"}\n")
    return b'%s, "%s": "%08x"}\n' % (content, CHECK.encode(), zlib.crc32(content))


def read_line(line: bytes) -> JournalRecord | None:
    """Return the result in a line, without its checksum; None if the line is damaged.

    >>> read_line(checked_line({"line": 1})), read_line(b'{"line": 2, "check": "5cffb582"}\\n')
    ({'line': 1}, None)
    """
    found = _CHECKED.fullmatch(line)
    if found is None or int(found[2], 16) != zlib.crc32(found[1]):
        return None
    try:
        record = json.loads(found[1] + b"}")
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and is_whole(record.get("line")) else None


def header_in(file: str | Path | None) -> Mapping[str, Any]:
    """Return the header of a file; an empty one if there is none."""
    try:
        with open(file or "", "rb") as content:
            found = json.loads(content.readline())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@contextlib.contextmanager
def journal_at(out: str | Path | None, header: Mapping[str, Any], fresh: bool = False) -> Iterator[Journal]:
    """Open a file of results; a temporary one if ``out`` is None."""
    with contextlib.ExitStack() as stack:
        if out is None:
            out = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "results.jsonl"
        yield stack.enter_context(Journal(Path(out), header, fresh))


class Journal:
    """The file, open for more results.

    Args:
        file: the path; the file is created if it does not exist.
        header: a description of the results.  A file with another header is not touched.
        fresh: discard the content of the file, whatever it is.

    Raises:
        SearchError: the file has other content, or another program is writing to it.
    """

    def __init__(self, file: Path, header: Mapping[str, Any], fresh: bool = False) -> None:
        check_target(file)
        self.path = file
        self.damaged = 0
        """The number of damaged lines when the results were last read."""
        self.header = json_line(header)
        self.raw = file.open("ab", buffering=0)
        try:
            self._lock()
            if fresh:
                self.raw.truncate(0)
            self._begin(header)
        except BaseException:
            self.raw.close()
            raise
        self.synced = time.monotonic()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.raw.close()

    def append(self, records: Iterable[JournalRecord]) -> None:
        """Add results.  On return the operating system has them; they reach the disk soon after."""
        write_all(self.raw, b"".join(map(checked_line, records)))
        if time.monotonic() - self.synced >= SYNC_SECONDS:
            self._sync()

    def records(self) -> Iterator[JournalRecord]:
        """Yield the results in the file, each number once."""
        for record, _ in self._entries():
            yield record

    def put_in_order(self) -> None:
        """Sort the results by number, atomically."""
        lines = {record["line"]: line for record, line in self._entries()}
        content = self.header + b"".join(lines[number] for number in sorted(lines))
        if content != self.path.read_bytes():
            with written_whole(self.path) as out:
                out.write(content)
        else:
            self._sync()

    def _entries(self) -> Iterator[tuple[JournalRecord, bytes]]:
        """Yield results with their lines; a damaged line counts as missing."""
        seen: set[int] = set()
        self.damaged = 0
        with self.path.open("rb") as file:
            file.readline()
            for line in file:
                record = read_line(line)
                if record is None:
                    self.damaged += 1
                elif record["line"] not in seen:
                    seen.add(record["line"])
                    yield record, line

    def _lock(self) -> None:
        """Lock the file against other programs until this one ends, even by a crash."""
        if fcntl is not None:
            try:
                fcntl.flock(self.raw, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SearchError(f"another program is writing to {self.path}") from None

    def _begin(self, header: Mapping[str, Any]) -> None:
        """Write the header, or check it; drop a torn last line."""
        content = self.path.read_bytes()
        if self.header.startswith(content):  # empty, or a torn header
            self.raw.truncate(0)
            write_all(self.raw, self.header)
            return
        self._check_header(content.partition(b"\n")[0], header)
        if not content.endswith(b"\n"):
            self.raw.truncate(content.rfind(b"\n") + 1)

    def _check_header(self, line: bytes, header: Mapping[str, Any]) -> None:
        way_out = "; choose another file, or start over with --fresh (fresh=True)"
        try:
            found = json.loads(line)
            known = found["plywise"] == header["plywise"]
        except (ValueError, TypeError, KeyError, RecursionError):
            known = False
        if not known:
            raise SearchError(f"{self.path} already exists and has other content{way_out}")
        differences = [
            f"{shortened(name, LONGEST_NAME)} is {found.get(name)!r} there and {header.get(name)!r} here"
            for name in {**found, **header}
            if found.get(name) != header.get(name)
        ]
        if differences:
            told = ", ".join(differences[:DIFFERENCES_TOLD]) + ", ..." * (len(differences) > DIFFERENCES_TOLD)
            raise SearchError(f"{self.path} was started with other settings: {told}{way_out}")

    def _sync(self) -> None:
        os.fsync(self.raw.fileno())
        self.synced = time.monotonic()
