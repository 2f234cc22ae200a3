"""Tables on disk.  A header describes the table; one that does not match is refused.

The file is one line of JSON, followed by the words of the table.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from plywise.engine.table import GENERATIONS, POLICY, SEARCHES, Table
from plywise.errors import SearchError
from plywise.game import Game
from plywise.io.files import written_whole
from plywise.io.numbers import is_whole

FORMAT = "plywise table 2"
LONGEST_HEADER = 1 << 20


def save(path: Any, game: Game, purpose: str, table: Table) -> None:
    """Write ``table`` to ``path`` atomically."""
    path = Path(path)
    with written_whole(path) as file:
        file.write(json.dumps(_header(game, purpose, table)).encode() + b"\n")
        table.slots.tofile(file)


def load(path: Any, game: Game, table: Table) -> str:
    """Fill ``table`` from ``path``; returns the purpose of its entries.

    Raises:
        SearchError: the file is not a table, is damaged, or is for another game, version, policy or size.
    """
    try:
        with Path(path).open("rb") as file:
            header = json.loads(file.readline(LONGEST_HEADER))
            purpose, searches = header["purpose"], header["searches"]
            if not (isinstance(purpose, str) and is_whole(searches) and 0 <= searches < GENERATIONS):
                raise ValueError(searches)
            for name, wanted in _header(game, purpose, table).items():
                if name != "searches" and header.get(name) != wanted:
                    raise SearchError(f"{path} is a table for another {name}: {header.get(name)!r}, not {wanted!r}")
            words = np.fromfile(file, dtype=np.int64, count=len(table.slots) + 1)  # one more, to notice a longer file
    except OSError as error:
        raise SearchError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, SearchError):
            raise
        raise SearchError(f"{path} is not a table that plywise wrote") from None
    if len(words) != len(table.slots):
        raise SearchError(f"{path} is damaged: it has {len(words)} words, its header says {len(table.slots)}")
    table.slots[:] = words
    table.settings[SEARCHES] = searches
    return purpose


def _digest(game: Game) -> str:
    """Return a digest of the game's fields, for games with the same name and repr."""
    digest = hashlib.sha256(repr(sorted(game.constants.items())).encode())
    for name, array in sorted(game.arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return digest.hexdigest()[:24]


def _header(game: Game, purpose: str, table: Table) -> dict[str, Any]:
    from plywise.compiling.native_types import native_type

    return {
        "format": FORMAT, "game": repr(game), "rules": native_type(game).name, "contents": _digest(game),
        "policy": int(table.settings[POLICY]), "size": table.slots.nbytes, "purpose": purpose,
        "searches": int(table.settings[SEARCHES]) % GENERATIONS,
    }  # fmt: skip
