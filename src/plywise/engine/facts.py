"""Facts for other machines: large entries of one table are noted, and learnt by others that search the same game.

A large entry has cost much work, and there are few of them: a thousandth of the entries saves most of what a shared
table would.
"""

from __future__ import annotations

from typing import Any

from plywise.bits import shift_left
from plywise.compiling.atomic import publish
from plywise.compiling.hashing import HashedKey, bucket, signature
from plywise.compiling.native import inlined
from plywise.engine.table import Table
from plywise.engine.work import NOTED, NOTES, Work
from plywise.game import Game, State

CHECK = 0x5DEECE66D
"""Makes an empty note a wrong one."""

KEPT_BITS = 62
"""How many bits of a hash go into a note: ``bucket`` scales by a positive number."""


def note(key: Any, salt: int, entry: int, work: Work) -> None:
    """Note an entry of the table, which has it for this key and salt."""
    count = work.count[NOTED]
    place = count % NOTES
    where, mark = bucket(key, 1 << KEPT_BITS), signature(key) ^ salt
    work.notes[place, 0], work.notes[place, 1], work.notes[place, 2] = where, mark, entry
    work.notes[place, 3] = check_of(where, mark, entry)
    publish(work.count, NOTED, count + 1)


def learn_notes(game: Game, state: State, rows: Any, table: Table) -> None:
    """Put the notes in ``rows`` into the table; another thread may be searching with it."""
    for index in range(len(rows)):
        where, mark, entry = rows[index, 0], rows[index, 1], rows[index, 2]
        if rows[index, 3] == check_of(where, mark, entry):  # else it was read while it was written
            table.keep(HashedKey(shift_left(where, 64 - KEPT_BITS), mark), 0, entry)


@inlined
def check_of(where: int, mark: int, entry: int) -> int:
    """Return the check word of a note."""
    return where ^ mark ^ entry ^ CHECK
