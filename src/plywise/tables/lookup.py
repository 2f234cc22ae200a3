"""Looking a position up from compiled code: what an engine needs to use a table at its leaves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from plywise.compiling.native import Native
from plywise.compiling.rows import put
from plywise.game import Game, State
from plywise.tables.packing import MASK, SHIFT, WORD, find, pack_row
from plywise.tables.table import Table, unlimited

NOWHERE = -1
"""The row of a position that the table does not hold."""


class Lookup(Native):
    """The arrays of a table, for compiled code.  Tables with arrays of the same types share their machine code."""

    OPEN: ClassVar[bool] = True

    bits: int
    """The bits of the first word of a code."""
    endless: int
    """What stands for an unlimited distance."""
    codes: np.ndarray
    bases: np.ndarray
    segments: np.ndarray
    values: np.ndarray
    distances: np.ndarray

    def row(self, game: Game, state: State, scratch: np.ndarray, code: np.ndarray) -> int:
        """Return the row of a position, or NOWHERE; ``value`` gives its value.

        ``scratch`` has room for the words of a position, ``code`` for a code; each thread needs its own.
        """
        put(scratch, 0, 0, game.without_history(state))
        plan = (self.bases, self.segments, self.bits)
        for word in range(len(self.bases)):
            left = scratch[0, word] - self.bases[word]
            for i in range(len(self.segments)):
                if self.segments[i, WORD] == word:
                    left &= ~(self.segments[i, MASK] << self.segments[i, SHIFT])
            if left != 0:
                return NOWHERE  # the packing has no room for it
        pack_row(scratch, 0, plan, code, 0)
        return find(self.codes, code, 0, self.bits)

    def value(self, game: Game, row: int) -> Any:
        """Return the value in a row for Max.  With ``FastestWin``, each ply to the win costs a point."""
        value, distance = self.values[row] + 0, int(self.distances[row])
        if distance == self.endless or abs(value) < game.win_score:
            return value
        return value - distance if value > 0 else value + distance


def lookup(table: Table) -> tuple[Lookup, np.ndarray, np.ndarray]:
    """Return the arrays of a table for compiled code, and the room that ``Lookup.row`` needs."""
    bases, segments, bits = table.packing.plan
    endless = unlimited(table.distances)
    made = Lookup(bits, endless, table.codes, bases, segments, table.values, table.distances)
    return made, *scratch_for(table)


def scratch_for(table: Table) -> tuple[Any, Any]:
    """Return room for the words of a position and for a code."""
    return np.zeros((1, len(table.packing.bases)), np.int64), np.zeros((1, table.packing.words), np.int64)
