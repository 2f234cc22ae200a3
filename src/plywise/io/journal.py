"""A file of numbered results that survives whatever happens to the program that writes it.

The first line says what the results are of, every other line is one result, a JSON object with its number as "line" and
a checksum of the line as "check".  Results are appended as they come; when all are there, the file is put in order.  A
program that is killed leaves at worst a torn last line, which the next one drops; then it computes what is missing.  So
the file, when it is complete, does not tell how often that happened.  A line that somebody has changed, or a bad disk,
does not have its checksum: it counts as missing too.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from plywise.errors import SearchError, shortened
from plywise.io.files import check_target, written_whole
from plywise.io.numbers import is_whole

try:
    import fcntl
except ImportError:  # Windows: nobody keeps two programs from writing to one file there
    fcntl = None  # type: ignore[assignment]

SYNC_SECONDS = 5.0
"""How much work a power failure may cost."""

LONGEST_NAME = 40
"""Letters of a name in a file's header that a message shows: our own are shorter."""

DIFFERENCES_TOLD = 2
"""Of a file that was begun with something else."""

JournalRecord = Mapping[str, Any]


CHECK = "check"
_CHECKED = re.compile(rb'(.*), "%s": "([0-9a-f]{8})"}\n?' % CHECK.encode(), re.DOTALL)


def json_line(item: Mapping[str, Any]) -> bytes:
    """Return a line of the file."""
    return json.dumps(item, ensure_ascii=False).encode() + b"\n"


def checked_line(record: JournalRecord) -> bytes:
    """Return the line of a result, which ends with its checksum.

    >>> checked_line({"line": 1})
    b'{"line": 1, "check": "5cffb582"}\\n'
    """
    content = json_line(record).removesuffix(b"}\n")
    return b'%s, "%s": "%08x"}\n' % (content, CHECK.encode(), zlib.crc32(content))


def read_line(line: bytes) -> JournalRecord | None:
    """Return the result that a line holds, without its checksum; None if it is not as it was written.

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


class Journal:
    """The file, open for more results.

    Args:
        file: where; made if it is not there.
        header: what the results are of.  A file with another one is not touched.
        fresh: forget what is in the file, whatever it is.

    Raises:
        SearchError: the file holds something else, or another program is writing to it.
    """

    def __init__(self, file: Path, header: Mapping[str, Any], fresh: bool = False) -> None:
        check_target(file)
        self.path = file
        self.damaged = 0
        """Lines that are not as they were written, when the results were last read."""
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
        """Add results; they are the operating system's when this returns, and the disk's soon after."""
        self._write(b"".join(map(checked_line, records)))
        if time.monotonic() - self.synced >= SYNC_SECONDS:
            self._sync()

    def records(self) -> Iterator[JournalRecord]:
        """Yield the results that are in the file, each number once."""
        for record, _ in self._entries():
            yield record

    def put_in_order(self) -> None:
        """Sort the results by their numbers.  The file is the old one or the new one, never half of each."""
        lines = {record["line"]: line for record, line in self._entries()}
        content = self.header + b"".join(lines[number] for number in sorted(lines))
        if content != self.path.read_bytes():
            with written_whole(self.path) as out:
                out.write(content)
        else:
            self._sync()

    def _entries(self) -> Iterator[tuple[JournalRecord, bytes]]:
        """Yield results with their lines; what is no result, after a power failure say, counts as missing."""
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
        """Keep other programs away until this one ends, however it does."""
        if fcntl is not None:
            try:
                fcntl.flock(self.raw, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SearchError(f"another program is writing to {self.path} at the moment") from None

    def _begin(self, header: Mapping[str, Any]) -> None:
        """Write the header, or check it; drop a torn last line."""
        content = self.path.read_bytes()
        if self.header.startswith(content):  # nothing, or as much of a header as there was time for
            self.raw.truncate(0)
            self._write(self.header)
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
            raise SearchError(f"{self.path} is there already and holds something else{way_out}")
        differences = [
            f"{shortened(name, LONGEST_NAME)} is {found.get(name)!r} there and {header.get(name)!r} here"
            for name in {**found, **header}
            if found.get(name) != header.get(name)
        ]
        if differences:
            told = ", ".join(differences[:DIFFERENCES_TOLD]) + ", ..." * (len(differences) > DIFFERENCES_TOLD)
            raise SearchError(f"{self.path} was begun with something else: {told}{way_out}")

    def _write(self, content: bytes) -> None:
        rest = memoryview(content)
        while rest:
            rest = rest[self.raw.write(rest) or 0 :]

    def _sync(self) -> None:
        os.fsync(self.raw.fileno())
        self.synced = time.monotonic()
