"""A file of positions to learn from: it can grow, be resumed and be shared.

A line of JSON and its checksum say which game the positions are of.  Chunks follow, each compressed and with a checksum
of its own, and nothing that is written is ever changed.  So a killed program loses at most the chunk that it was
writing: the next one drops it.  A chunk that a disk error has damaged is skipped.

Positions of a game differ little from each other.  A chunk holds each as its difference from the last one of the game
(exclusive or), the bytes of the same place together, which compresses well.  Hashes do not, and follow from the rest:
a file may leave out words, which are read as 0.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import lzma
import mmap
import os
import struct
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from plywise.errors import SearchError
from plywise.io.files import check_target, write_all
from plywise.io.journal import SYNC_SECONDS, json_line
from plywise.io.locks import try_lock

KIND = "positions 1"
MARK = b"\x93chunk\r\n"
"""What a chunk begins with."""
CHECK = struct.Struct("<I")
"""What follows the mark: the checksum of the body."""
HEAD = struct.Struct("<II2s2x")
"""What a body begins with: the length of the rest; the number of positions; the types of values and results."""
LONGEST_HEADER = 1 << 20
MANY = 256
"""As many positions show whether a word is a hash."""
HASH_BYTES = 7
"""A word that takes this many bytes a position looks random: it is a hash of the others."""
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0}]
"""How to compress: where bytes of one place follow each other, neither the last byte nor the address tells much."""
TYPES = ("i1", "i2", "i4", "f4")
"""The types of numbers in a chunk: the first that holds all of them."""

MIN_MOVES, FIRST, PROVEN, BESIDE = 1, 2, 4, 8
"""Flags of a position: MIN is to move; it is the first of its game; its value is proven, or a win in sight; it lies
beside its game, at the end of a walk."""


@dataclasses.dataclass(frozen=True)
class Positions:
    """Positions, those of one game together and in order.  All arrays have the same length."""

    rows: np.ndarray
    """The machine words of each position (int64), as ``compiling.rows`` writes them."""
    values: np.ndarray
    """The value that a search found, for MAX (float32)."""
    results: np.ndarray
    """The score that the game ended with, for MAX (float32); NaN if it is unknown or the position is beside it."""
    plies: np.ndarray
    """Plies since the start of the game (uint16)."""
    flags: np.ndarray
    """Bits: MIN_MOVES, FIRST, PROVEN, BESIDE (uint8)."""

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def none(cls, words: int) -> Positions:
        """Return no positions, of this many words."""
        numbers = np.zeros(0, dtype=np.float32)
        return cls(np.zeros((0, words), np.int64), numbers, numbers, np.zeros(0, np.uint16), np.zeros(0, np.uint8))

    @property
    def players(self) -> np.ndarray:
        """The player to move: MAX (0) or MIN (1)."""
        return self.flags & MIN_MOVES

    @property
    def games(self) -> np.ndarray:
        """The number of each position's game, from 0."""
        return np.cumsum(self._has(FIRST)) - 1

    @property
    def proven(self) -> np.ndarray:
        """Whether the value is proven, or a win in sight."""
        return self._has(PROVEN)

    @property
    def beside(self) -> np.ndarray:
        """Whether a position lies beside its game, at the end of a walk."""
        return self._has(BESIDE)

    def _has(self, flag: int) -> np.ndarray:
        found: np.ndarray = self.flags & flag != 0
        return found

    def __getitem__(self, chosen: Any) -> Positions:
        """Return some of the positions: a slice, indices or a mask."""
        return Positions(*(array[chosen] for array in _arrays(self)))


def _arrays(positions: Positions) -> list[np.ndarray]:
    return [getattr(positions, field.name) for field in dataclasses.fields(positions)]


def joined(parts: Iterable[Positions]) -> Positions:
    """Return all positions of some parts, of which there is at least one."""
    return Positions(*map(np.concatenate, zip(*map(_arrays, parts), strict=True)))


# Chunks ---------------------------------------------------------------------------------------------------------------


def packed(positions: Positions, words: Sequence[int]) -> bytes:
    """Return a chunk with these words of the positions."""
    kinds, numbers = zip(*map(_shortest, (positions.values, positions.results)), strict=True)
    rows = np.column_stack((positions.rows[:, words], positions.plies))
    deltas = rows ^ _references(rows, positions.beside)
    rest = lzma.compress(b"".join(map(_planes, (positions.flags, *numbers, deltas))), lzma.FORMAT_RAW, filters=FILTERS)
    body = HEAD.pack(len(rest), len(positions), bytes(kinds)) + rest
    return MARK + CHECK.pack(zlib.crc32(body)) + body


def _references(rows: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """Return for each row the last one before it that is not beside a game; zeros if there is none."""
    last = np.maximum.accumulate(np.where(beside, -1, np.arange(len(rows))))
    last = np.concatenate(([-1], last[:-1]))
    return np.where((last >= 0)[:, None], rows[last], 0)


def _restored(deltas: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """Return the rows that differ this much from their references."""
    rows: np.ndarray = deltas.copy()
    rows[~beside] = np.bitwise_xor.accumulate(deltas[~beside], axis=0)
    rows[beside] ^= _references(rows, beside)[beside]
    return rows


def _planes(numbers: np.ndarray) -> bytes:
    """Return the first bytes of all rows, then the second bytes, and so on."""
    little = numbers.astype(numbers.dtype.newbyteorder("<"), copy=False)
    planes: np.ndarray = np.ascontiguousarray(little).view(np.uint8).reshape(len(numbers), -1).T
    return planes.tobytes()


def _shortest(numbers: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the number of the shortest type, and the numbers as such; the least whole number stands for NaN."""
    for kind, name in enumerate(TYPES[:-1]):
        kept = np.nan_to_num(numbers, nan=int(np.iinfo(name).min))
        with np.errstate(invalid="ignore"):
            short = kept.astype(f"<{name}")
        if np.array_equal(_long(short), numbers, equal_nan=True):
            return kind, short
    return len(TYPES) - 1, numbers.astype(f"<{TYPES[-1]}")


def _long(numbers: np.ndarray) -> np.ndarray:
    """Return numbers as they were before ``_shortest``."""
    if numbers.dtype.kind == "f":
        return numbers
    return np.where(numbers == np.iinfo(numbers.dtype).min, np.nan, numbers).astype(np.float32)


def unpacked(body: bytes, words: Sequence[int], width: int) -> Positions:
    """Return the positions in the body of a chunk that has these of ``width`` words; the others are 0."""
    _, count, kinds = HEAD.unpack_from(body)
    content = lzma.decompress(body[HEAD.size :], lzma.FORMAT_RAW, filters=FILTERS)
    planes = np.frombuffer(content, dtype=np.uint8).reshape(-1, count)
    end = 0

    def column(name: str, width: int = 1) -> np.ndarray:
        nonlocal end
        begin, end = end, end + np.dtype(name).itemsize * width
        return np.ascontiguousarray(planes[begin:end].T).view(f"<{name}")

    flags = column("u1")[:, 0]
    values, results = (_long(column(TYPES[kind])[:, 0]) for kind in kinds)
    found = _restored(column("i8", len(words) + 1), flags & BESIDE != 0)
    rows = np.zeros((count, width), dtype=np.int64)
    rows[:, words] = found[:, :-1]
    return Positions(rows, values, results, found[:, -1].astype(np.uint16), flags)


def hashes_in(positions: Positions) -> tuple[int, ...]:
    """Return the words of positions that look random, so that they must be hashes of the others; none of few."""
    if len(positions) < MANY:
        return ()
    deltas = positions.rows ^ _references(positions.rows, positions.beside)
    sizes = [len(zlib.compress(_planes(column))) for column in deltas.T]
    return tuple(word for word, size in enumerate(sizes) if size > HASH_BYTES * len(positions))


def _bodies(content: Any, begin: int) -> Iterator[tuple[int, int]]:
    """Yield where the bodies of chunks begin and end that are complete and undamaged."""
    while (begin := content.find(MARK, begin)) >= 0:
        begin += len(MARK)
        first = begin + CHECK.size
        if first + HEAD.size <= len(content):
            end = first + HEAD.size + HEAD.unpack_from(content, first)[0]
            if end <= len(content) and CHECK.unpack_from(content, begin)[0] == zlib.crc32(content[first:end]):
                yield first, end
                begin = end


# Files ----------------------------------------------------------------------------------------------------------------


class PositionFile:
    """A file of positions, open for more of them.

    Args:
        path: the file; it is created if it does not exist.
        game: the game and its parameters as text, for people.
        fingerprint: of whatever the positions depend on, such as the rules.
        words: the number of machine words of a position.
        left_out: the words to leave out, such as ``hashes_in`` finds; a file that exists has its own.
        settings: how the positions are made, for people; those that a file was begun with stay in it.

    Raises:
        SearchError: the file has other content, or another program is writing to it.
    """

    def __init__(
        self, path: Path, game: str, fingerprint: str, words: int, *, left_out: Sequence[int] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        check_target(path)
        self.path = path
        self._raw = path.open("ab", buffering=0)
        try:
            if not try_lock(self._raw):
                raise SearchError(f"another program is writing to {str(path)!r}: wait for it, or choose another file")
            facts = {"plywise": KIND, "fingerprint": fingerprint, "words": words}
            notes = {"game": game, "left_out": list(left_out), "settings": dict(settings or {})}
            self._begin(facts, _header({**facts, **notes}))
        except BaseException:
            self._raw.close()
            raise
        self._synced = time.monotonic()

    def __enter__(self) -> PositionFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and let others write to it."""
        if not self._raw.closed:
            os.fsync(self._raw.fileno())
            self._raw.close()

    def append(self, positions: Positions) -> None:
        """Add positions.  On return the operating system has them; they reach the disk soon after."""
        if len(positions) == 0:
            return
        write_all(self._raw, packed(positions, self._words))
        self.count += len(positions)
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            os.fsync(self._raw.fileno())
            self._synced = time.monotonic()

    def _begin(self, facts: Mapping[str, Any], header: bytes) -> None:
        """Write the header, or check it; drop a torn chunk."""
        with self.path.open("rb") as file:
            begun = file.read(len(header))
        if len(begun) < len(header) and header.startswith(begun):  # empty, or a torn header
            self._raw.truncate(0)
            write_all(self._raw, header)
        with _opened(self.path) as (found, content, begin):
            _check(self.path, found, facts)
            places = list(_bodies(content, begin))
            self._words = _words(found)
            self.count = sum(HEAD.unpack_from(content, first)[1] for first, _ in places)
            """The number of positions in the file."""
        self._raw.truncate(places[-1][1] if places else begin)


def read_chunks(path: Path, game: str | None = None, fingerprint: str | None = None) -> Iterator[Positions]:
    """Yield the positions in a file, chunk by chunk.

    Raises:
        SearchError: the file is not one of positions, or, if they are given, of another game or fingerprint.
        OSError: it cannot be read.
    """
    wanted = {"game": game, "fingerprint": fingerprint}
    with _opened(path) as (found, content, begin):
        _check(path, found, {name: value for name, value in wanted.items() if value is not None})
        for first, end in _bodies(content, begin):
            yield unpacked(content[first:end], _words(found), found["words"])


def read_positions(path: Path, game: str | None = None, fingerprint: str | None = None) -> Positions:
    """Return all positions in a file; raises what ``read_chunks`` does."""
    return joined([Positions.none(read_header(path)["words"]), *read_chunks(path, game, fingerprint)])


def read_header(path: Path) -> dict[str, Any]:
    """Return what a file says of its positions: ``game``, ``fingerprint``, ``words``, ``left_out``, ``settings``."""
    with _opened(path) as (found, _, _):
        return found


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[tuple[dict[str, Any], Any, int]]:
    """Map a file into memory; gives its header, its content, and where the chunks begin."""
    with path.open("rb") as file:
        head, check = file.readline(LONGEST_HEADER), file.readline(LONGEST_HEADER)
        begin = file.tell()
        try:
            facts = json.loads(head)
            known = facts["plywise"] == KIND and int(check, 16) == zlib.crc32(head)
        except (ValueError, TypeError, KeyError, RecursionError):
            known = False
        if not known:
            raise SearchError(f"{str(path)!r} is not a file of positions of this version, or its header is damaged")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            yield facts, content, begin


def _check(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for name, value in wanted.items():
        if found.get(name) != value:
            whose = f"those of {found.get('game')}, or of earlier rules"
            raise SearchError(f"{str(path)!r} has other positions, {whose}: choose another file ({name} differs)")


def _words(facts: Mapping[str, Any]) -> list[int]:
    """Return the words of a position that a file holds."""
    return [word for word in range(facts["words"]) if word not in facts["left_out"]]


def _header(facts: Mapping[str, Any]) -> bytes:
    line = json_line(facts)
    return line + b"%08x\n" % zlib.crc32(line)
