"""Tables in compiled code."""

from __future__ import annotations

import plywise as pw
from plywise.compiling.reading import call_of, prepare
from plywise.game import Game
from plywise.games import ConnectFour
from plywise.tables.lookup import NOWHERE, lookup


def rows_after(game: Game, state, table, scratch, code, rows) -> None:
    for i, move in enumerate(game.moves(state)):
        rows[i] = table.row(game, game.play(state, move), scratch, code)


def test_compiled_code_finds_what_python_finds_and_nothing_else():
    import numpy as np

    game = ConnectFour(4, 4)
    table = pw.tabulate(game, "1122")
    arguments = (*lookup(table), np.zeros(4, dtype=np.int64))
    for text in ("1122", "11221", "1", "3344"):
        state = game.parse(text)
        compiled = prepare(rows_after, game, state, lambda: arguments)
        assert compiled is not None
        call_of(rows_after, game, state, arguments, compiled)(*arguments)
        for move, row in zip(game.moves(state), arguments[-1], strict=True):
            after = game.play(state, move)
            if after in table:
                assert table.state(int(row)) == after
            else:
                assert row == NOWHERE
    assert NOWHERE in arguments[-1]
