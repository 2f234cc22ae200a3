"""A game that is over where a table begins: what an engine needs to use a table at its leaves, as an endgame database.

The table's positions count as finished, with the table's values as scores.  Everything else is as in the game itself,
so the engine needs to know nothing of tables.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from plywise.compiling.rows import put_words
from plywise.errors import SearchError
from plywise.game import Game, State
from plywise.tables.packing import MASK, SHIFT, WORD, find, pack_row
from plywise.tables.table import Table, sooner, unlimited

NOWHERE = -1
"""The row of a position that the table does not hold."""


def with_endings(game: Game, table: Table) -> Game:
    """Return a game that is over where the table knows the rest.

    Raises:
        SearchError: the table is of another game.
    """
    if table.game != game:
        raise SearchError(f"the endings are those of {table.game!r}, not of {game!r}")
    bases, segments, bits = table.packing.plan
    given = {field.name: getattr(game, field.name) for field in dataclasses.fields(game) if field.init}
    rules: Any = _ending(type(game), table.values.dtype.kind == "f")  # type: ignore[arg-type]  # mypy: a class is not hashable
    ending: Game = rules(
        **given, ending_codes=table.codes, ending_bases=bases, ending_segments=segments, ending_bits=bits,
        ending_values=table.values, ending_distances=table.distances, ending_never=unlimited(table.distances),
    )  # fmt: skip
    return ending


@functools.cache
def _ending(rules: type[Game], real: bool) -> type[Game]:
    """Return the class of games that end earlier."""
    return type(
        rules.__name__, (rules,),
        {
            "__module__": rules.__module__, "__doc__": rules.__doc__, "__annotations__": dict.fromkeys(FIELDS, Any),
            **dict.fromkeys(FIELDS), "ending_row": ending_row, "is_over": rules.is_terminal, "is_terminal": is_terminal,
            "own_score": rules.score, "score": real_score if real else whole_score,
            "__repr__": shown,
        },
    )  # fmt: skip


FIELDS = (
    "ending_codes", "ending_bases", "ending_segments", "ending_bits", "ending_values", "ending_distances",
    "ending_never",
)  # fmt: skip


def shown(self: Any) -> str:
    """Return the game's own text."""
    names = [field.name for field in dataclasses.fields(self) if field.name not in FIELDS]
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


def ending_row(self: Any, state: State) -> int:
    """Return the row of a position in the table, or NOWHERE."""
    words, code = np.zeros((1, len(self.ending_bases)), np.int64), np.zeros((1, self.ending_codes.shape[1]), np.int64)
    put_words(words, 0, 0, self.without_history(state))
    for word in range(len(self.ending_bases)):
        left = words[0, word] - self.ending_bases[word]
        for i in range(len(self.ending_segments)):
            if self.ending_segments[i, WORD] == word:
                left &= ~(self.ending_segments[i, MASK] << self.ending_segments[i, SHIFT])
        if left != 0:
            return NOWHERE  # the packing has no room for it
    pack_row(words, 0, (self.ending_bases, self.ending_segments, self.ending_bits), code, 0)
    return find(self.ending_codes, code, 0, self.ending_bits)


def is_terminal(self: Any, state: State) -> bool:
    """Return whether the game is over, or the table knows the rest."""
    return bool(self.is_over(state) or self.ending_row(state) != NOWHERE)


def whole_score(self: Any, state: State) -> Any:
    """Return the score, or the table's value.  With ``FastestWin``, each ply to the win costs a point."""
    if self.is_over(state):
        return self.own_score(state)
    row = self.ending_row(state)
    value, distance = int(self.ending_values[row]), int(self.ending_distances[row])
    return value if distance == self.ending_never else sooner(value, distance, self.win_score)


def real_score(self: Any, state: State) -> Any:
    """Return the score, or the table's value, if one of its values is no whole number."""
    return self.own_score(state) if self.is_over(state) else float(self.ending_values[self.ending_row(state)])
