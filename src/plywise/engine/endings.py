"""What an engine knows of the end of its game: a table of positions, as an endgame database.

The engine searches a game that is over where the table begins; here its results become results for the whole game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

from plywise.engine.solving import sign_of
from plywise.errors import SearchError
from plywise.game import Game, Move, State
from plywise.inputs.positions import position
from plywise.layers import Recurrence
from plywise.result import Result
from plywise.tables.endings import with_endings
from plywise.tables.file import load
from plywise.tables.table import Table


class Endings:
    """The end of a game, as far as a table knows it; without a table, nothing is known.

    Args:
        whole: the game.
        table: the table, or its file.

    Raises:
        SearchError: the table is of another game, or made with other rules; the file is no table.
        OSError: the file cannot be read.
    """

    def __init__(self, whole: Game, table: Table | str | Path | None) -> None:
        self.whole, self.table = whole, load(table, whole) if isinstance(table, (str, Path)) else table
        self.game = whole if self.table is None else with_endings(whole, self.table)
        """The game to search: it is over where the table begins."""

    def know(self, state: State | str | None) -> bool:
        """Return whether the table holds a position."""
        return self.table is not None and position(self.whole, state) in self.table

    def looked_up(
        self, state: State | str | None, all_moves: bool, moves: Sequence[Move] = (), lines: int = 1, weak: bool = False
    ) -> Result:
        """Return what the table knows of a position that it holds; if ``weak``, only who wins."""
        assert self.table is not None
        if moves or lines > 1:
            raise SearchError("moves= and lines= are for positions that are searched; the endings know this one")
        found = self.table.search(state, all_moves)
        return dataclasses.replace(found, value=sign_of(found.value)) if weak else found

    def continued(self, result: Result) -> Result:
        """Return a result for the game itself, without its network: the line goes on with the table.  The table knows
        nothing of the path, so where it matters the result is not proven.
        """
        if result.game is self.whole:
            return result
        lines = result.lines and tuple(map(self.continued, result.lines))
        if self.table is None:
            return dataclasses.replace(result, game=self.whole, lines=lines)
        state, line = result.state, result.line
        for move in line:
            state = self.whole.play(state, move)
        if not self.whole.is_terminal(state) and state in self.table:
            line += self.table.line(state)
        return dataclasses.replace(
            result, game=self.whole, line=line, lines=lines,
            proven=result.proven and self.table.is_proof and not isinstance(self.whole, Recurrence),
        )  # fmt: skip

    def telling(self, tell: Callable[[Result], None]) -> Callable[[Result], None]:
        """Return a function that passes results on, for the whole game."""
        return lambda result: tell(self.continued(result))
