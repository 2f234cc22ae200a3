"""Tables in files: written whole or not at all, and read through a memory map.

A file begins with a line that names its kind, a line of JSON that describes the rest, and a checksum of both.  The
codes, the values, the distances and, with dice on cycles, the moves follow, each array on a page of its own.

The description names the game and has a digest of its rules and one of the arrays.  Opening a file checks everything
but the arrays, whose digest would take as long as reading them all; ``verify`` checks that, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import SearchError
from plywise.game import Game
from plywise.io.files import written_whole
from plywise.tables.packing import Envelope, Packing
from plywise.tables.table import Table

KIND = b"plywise table "
MAGIC = KIND + b"2\n"
PAGE = 4096
LONGEST_HEADER = 1 << 24
ARRAYS = ("codes", "values", "distances", "choices")
"""The arrays of a table in their order in a file; the last one is left out where the table has none."""
FACTS = ("meaning", "method", "tolerance", "rules", "summary")
SPOTS_VERIFIED = 1000
"""Positions whose values ``verify`` checks by the rules."""


def write_table(table: Table, path: Path) -> None:
    """Write a table to a file."""
    with written_whole(path) as file:
        head = header_of(table)
        file.write(head)
        for array in arrays_of(table).values():
            file.write(b"\0" * (-file.tell() % PAGE))
            for piece in _pieces(array):
                file.write(piece)


def arrays_of(table: Table) -> dict[str, np.ndarray]:
    """Return the arrays of a table by their names in a file."""
    named = {name: getattr(table, name) for name in ARRAYS}
    return {name: array for name, array in named.items() if array is not None}


def _pieces(array: np.ndarray) -> Iterator[bytes]:
    """Yield the content of an array as it is written."""
    array = np.ascontiguousarray(array)
    for first in range(0, len(array), PAGE * PAGE):
        yield array[first : first + PAGE * PAGE].astype(_stored(array.dtype), copy=False).tobytes()


def digest_of(arrays: Iterable[np.ndarray]) -> str:
    """Return a hash of the content of arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        for piece in _pieces(array):
            digest.update(piece)
    return digest.hexdigest()


def header_of(table: Table) -> bytes:
    """Return what a file of this table begins with."""
    arrays = arrays_of(table)
    facts = {
        "game": repr(table.game),
        "positions": len(table),
        "packing": table.packing.envelope.to_json(),
        "arrays": {name: [_stored(array.dtype).str, array.shape] for name, array in arrays.items()},
        "digest": digest_of(arrays.values()),
        **table.facts,
    }
    head = MAGIC + json.dumps(facts).encode() + b"\n"
    return head + b"%08x\n" % zlib.crc32(head)


def load(path: str | Path, game: Game, check: bool = True) -> Table:
    """Open a table of this game that ``Table.save`` or ``plywise tabulate`` wrote.  It is read as it is needed.

    Args:
        path: the file.
        game: the game; it must be the one that the table was made for.
        check: whether to check the digest of the rules, and some of the values by the rules.

    Raises:
        SearchError: the file is no table, incomplete, of another game, or made with other rules.
        OSError: it cannot be read.

    >>> import tempfile, plywise as pw
    >>> file = Path(tempfile.mkdtemp()) / "tic-tac-toe.table"
    >>> pw.tabulate(pw.games.TicTacToe()).save(file)
    >>> pw.tables.load(file, pw.games.TicTacToe())["X../.O./..."].value
    0
    """
    path = Path(path)
    facts, start = read_header(path)
    if facts["game"] != repr(game):
        raise SearchError(f"{str(path)!r} is a table of {facts['game']}, not of {game!r}")
    packing = Packing.of(Envelope.from_json(facts["packing"]))
    table = Table(game, packing, **_arrays_in(path, facts, start), facts={name: facts[name] for name in FACTS})
    if check:
        with _named(path):
            table.check()
    return table


def verify(path: str | Path, game: Game | None = None) -> dict[str, Any]:
    """Check the content of a file by its digest; with a game, also the values of a thousand positions by the rules.

    Returns:
        What the file says about its table.

    Raises:
        SearchError: the file is no table, damaged or altered, or made with other rules.
        OSError: it cannot be read.

    >>> import tempfile, plywise as pw
    >>> file = Path(tempfile.mkdtemp()) / "tic-tac-toe.table"
    >>> pw.tabulate(pw.games.TicTacToe()).save(file)
    >>> pw.tables.verify(file)["positions"]
    5478
    """
    path = Path(path)
    facts, start = read_header(path)
    if digest_of(_arrays_in(path, facts, start).values()) != facts["digest"]:
        raise SearchError(f"{str(path)!r} is damaged: the checksum of its content is wrong")
    if game is not None:
        with _named(path):
            load(path, game, check=False).check(SPOTS_VERIFIED)
    return facts


def _arrays_in(path: Path, facts: dict[str, Any], start: int) -> dict[str, np.ndarray]:
    """Return the arrays of a file, by name, through a memory map."""
    arrays: dict[str, np.ndarray] = {}
    for name, (kind, shape) in facts["arrays"].items():
        start += -start % PAGE
        arrays[name] = np.memmap(path, dtype=kind, mode="r", offset=start, shape=tuple(shape))
        start += arrays[name].nbytes
    return arrays


def is_table(path: Path) -> bool:
    """Return whether a file begins as one of a table does, of this version or another."""
    try:
        with path.open("rb") as file:
            return file.read(len(KIND)) == KIND
    except OSError:
        return False


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the description in a file, and where it ends.

    Raises:
        SearchError: the file is no table, or incomplete.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise SearchError(f"{str(path)!r} is not a table of plywise (version 2)")
        line = file.readline(LONGEST_HEADER)
        check = file.read(9)
    if check != b"%08x\n" % zlib.crc32(MAGIC + line):
        raise SearchError(f"{str(path)!r} is damaged: the checksum of its first lines is wrong")
    facts = json.loads(line)
    start = end = len(MAGIC) + len(line) + len(check)
    for kind, shape in facts["arrays"].values():
        end += -end % PAGE + np.dtype(kind).itemsize * int(np.prod(shape))
    if (size := path.stat().st_size) != end:
        raise SearchError(f"{str(path)!r} is damaged: it has {size:,} bytes instead of {end:,}")
    return facts, start


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Say in errors which file has the table."""
    try:
        yield
    except SearchError as error:
        raise SearchError(f"{str(path)!r}: {error}") from None


def _stored(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return how numbers of this type are written: the lowest byte first, on every machine."""
    return np.dtype(f"<{kind.str[1:]}")
