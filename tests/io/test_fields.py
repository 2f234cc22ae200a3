"""Positions without their own notation are written as their fields, and can be read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from tests.cli.support import plywise

ROWS = """
from typing import Any, NamedTuple
import plywise as pw
class Position(NamedTuple):
    rows: tuple
    winner: Any
    turn: int
class Rows(pw.Game):
    def initial(self): return Position(((0, 0), (0, 0)), None, 0)
    def to_move(self, state): return state.turn
    def moves(self, state): return [i for i in range(4) if state.rows[i // 2][i % 2] == 0]
    def play(self, state, move):
        cells = [*state.rows[0], *state.rows[1]]
        cells[move] = 1 + state.turn
        rows = ((cells[0], cells[1]), (cells[2], cells[3]))
        return Position(rows, state.turn if 0 not in cells else None, 1 - state.turn)
    def is_terminal(self, state): return state.winner is not None
    def score(self, state): return 1 if state.winner == 0 else -1
"""


def test_nested_fields_and_none_are_read_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    file = tmp_path / "rows.py"
    file.write_text(ROWS)
    answer = plywise(capsys, "search", str(file), "-d", "2", "-p", "1,0/0,2 None 0")
    assert (answer.code, answer.err) == (0, "")
    assert "1,0/0,2 None 0" in answer.out
    answer = plywise(capsys, "search", str(file), "-d", "2", "-p", "1,1/1,2 1 0")
    assert "the game is over in position '1,1/1,2 1 0'" in answer.err
    answer = plywise(capsys, "search", str(file), "-d", "2", "-p", "0,0,0,0 None 0")
    assert "field rows of the position: 1 item, wanted 2, separated by '/'" in answer.err


class Inner(NamedTuple):
    one: int
    other: tuple[int, ...]


class Holder(pw.Game):
    """A game whose positions look like the one that it is given; nothing else matters here."""

    example: Any = None

    def initial(self) -> Any:
        return (self.example,)


ITEMS = st.one_of(st.none(), st.integers(-9, 9), st.booleans(), st.floats(-1, 1), st.just("x"))
FIELDS = st.recursive(
    ITEMS,
    lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), st.builds(Inner, st.integers(0, 9), st.just((1,)))),
    max_leaves=12,
)


@given(FIELDS)
def test_whatever_a_position_holds_comes_back(field: Any) -> None:
    game = Holder(field)
    text = game.format((field,))
    assert len(text.split()) == 1
    assert game.parse(text) == (field,)
    assert game.format(game.parse(text)) == text


def test_a_tuple_in_a_tuple_keeps_its_class() -> None:
    game = Holder((Inner(1, (2, 3)), 4))
    assert game.format(game.initial()) == "1/2,3;4"
    assert game.parse("7/8,9;5")[0][0].other == (8, 9)
