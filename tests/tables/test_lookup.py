"""Tables in compiled code."""

from __future__ import annotations

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.reading import call_of, prepare
from plywise.game import Game
from plywise.games import ConnectFour, Pig
from plywise.tables.lookup import NOWHERE, lookup
from tests.tables.test_tabulate import Race


def look_up(game: Game, state, table, scratch, code, rows, values) -> None:
    """Look up what follows a position, as a search would at its leaves."""
    for i, move in enumerate(game.moves(state)):
        rows[i] = table.row(game, game.play(state, move), scratch, code)
        if rows[i] != NOWHERE:
            values[i] = table.value(game, rows[i])


def found_after(table: pw.tables.Table, state) -> tuple[np.ndarray, np.ndarray]:
    arguments = (*lookup(table), np.zeros(10, dtype=np.int64), np.zeros(10))
    compiled = prepare(look_up, table.game, state, lambda: arguments)
    assert compiled is not None
    call_of(look_up, table.game, state, arguments, compiled)(*arguments)
    return arguments[-2:]


def test_compiled_code_finds_what_python_finds_and_nothing_else(tmp_path):
    game = ConnectFour(4, 4)
    table = pw.tabulate(game, "1122")
    table.save(tmp_path / "table")
    missing = 0
    for each in (table, pw.tables.load(tmp_path / "table", game)):
        for text in ("1122", "11221", "1", "3344"):
            state = game.parse(text)
            for move, row, value in zip(game.moves(state), *found_after(each, state), strict=False):
                after = game.play(state, move)
                missing += row == NOWHERE
                assert (row != NOWHERE) == (after in table)
                if row != NOWHERE:
                    assert (table.state(int(row)), table[after].value) == (after, value)
    assert missing > 0


@pytest.mark.parametrize("game", [Race(), Pig(8)], ids=repr)
def test_values_are_those_of_the_table(game):
    table = pw.tabulate(game)
    for state in list(table.positions())[::7]:
        if not game.is_terminal(state):
            values = [table[game.play(state, move)].value for move in game.moves(state)]
            assert found_after(table, state)[1][: len(values)].tolist() == values
