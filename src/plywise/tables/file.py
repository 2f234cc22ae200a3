"""Tables in files: written whole or not at all, and read through a memory map.

A file begins with a line that names its kind, a line of JSON that describes the rest, and a checksum of both.  The
codes, the values and the distances follow, each array on a page of its own.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import SearchError
from plywise.game import Game
from plywise.io.files import written_whole
from plywise.tables.packing import Envelope, Packing
from plywise.tables.table import Table

MAGIC = b"plywise table 1\n"
PAGE = 4096
LONGEST_HEADER = 1 << 24
ARRAYS = ("codes", "values", "distances")
FACTS = ("meaning", "method", "tolerance", "summary")


def write_table(table: Table, path: Path) -> None:
    """Write a table to a file."""
    with written_whole(path) as file:
        head = header_of(table)
        file.write(head)
        for name in ARRAYS:
            file.write(b"\0" * (-file.tell() % PAGE))
            array = np.ascontiguousarray(getattr(table, name))
            for first in range(0, len(array), PAGE * PAGE):
                file.write(array[first : first + PAGE * PAGE].astype(_stored(array.dtype), copy=False).tobytes())


def header_of(table: Table) -> bytes:
    """Return what a file of this table begins with."""
    facts = {
        "game": repr(table.game),
        "positions": len(table),
        "packing": table.packing.envelope.to_json(),
        "arrays": {name: [_stored(getattr(table, name).dtype).str, getattr(table, name).shape] for name in ARRAYS},
        **table.facts,
    }
    head = MAGIC + json.dumps(facts).encode() + b"\n"
    return head + b"%08x\n" % zlib.crc32(head)


def load(path: str | Path, game: Game, check: bool = True) -> Table:
    """Open a table of this game that ``Table.save`` or ``plywise tabulate`` wrote.  It is read as it is needed.

    Args:
        path: the file.
        game: the game; it must be the one that the table was made for.
        check: whether to check some of the values by the rules.

    Raises:
        SearchError: the file is no table, incomplete, or of another game.
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
    arrays: dict[str, Any] = {}
    for name in ARRAYS:
        kind, shape = facts["arrays"][name]
        start += -start % PAGE
        arrays[name] = np.memmap(path, dtype=kind, mode="r", offset=start, shape=tuple(shape))
        start += arrays[name].nbytes
    packing = Packing.of(Envelope.from_json(facts["packing"]))
    table = Table(game, packing, **arrays, facts={name: facts[name] for name in FACTS})
    if check:
        with _named(path):
            table.check()
    return table


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the description in a file, and where it ends.

    Raises:
        SearchError: the file is no table, or incomplete.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise SearchError(f"{str(path)!r} is not a table of plywise (version 1)")
        line = file.readline(LONGEST_HEADER)
        check = file.read(9)
    if check != b"%08x\n" % zlib.crc32(MAGIC + line):
        raise SearchError(f"{str(path)!r} is damaged: the checksum of its first lines is wrong")
    facts = json.loads(line)
    start = end = len(MAGIC) + len(line) + len(check)
    for name in ARRAYS:
        kind, shape = facts["arrays"][name]
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
