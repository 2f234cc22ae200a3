"""Small boards: every piece is at its place, and the page draws them with the same measures."""

from __future__ import annotations

import re
from importlib import resources

import pytest

import plywise as pw
from plywise.explain import miniature
from plywise.explain.miniature import CELL, Miniature
from plywise.layers.view import cells_of

SCRIPT = (resources.files("plywise") / "web" / "static" / "view" / "miniature.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["CELL", "STONE", "LETTER", "BASELINE"])
def test_the_page_has_the_same_measures(name: str) -> None:
    found = re.search(rf"^const {name} = ([\d.]+);", SCRIPT, re.MULTILINE)
    assert found is not None
    assert float(found[1]) == getattr(miniature, name)


def test_a_stone_is_in_the_middle_of_its_cell_and_carries_its_symbol() -> None:
    game = pw.games.ConnectFour()
    board = Miniature(game.layout, game.pieces, cells_of(game, game.parse("44")))
    stones = [mark for mark in board.marks() if mark.radius]
    assert [stone.points for stone in stones] == [((3.5 * CELL, 4.5 * CELL),), ((3.5 * CELL, 5.5 * CELL),)]
    assert [stone.fill for stone in stones] == [game.pieces[1].fill, game.pieces[0].fill]
    assert [mark.text for mark in board.marks() if mark.text] == ["O", "X"]
    assert board.size == (7 * CELL, 6 * CELL)


def test_a_glyph_has_a_letter_for_formats_without_its_font() -> None:
    game = pw.games.Chess()
    board = Miniature(game.layout, game.pieces, cells_of(game, game.initial()))
    letters = [mark for mark in board.marks() if mark.text]
    assert (letters[0].text, letters[0].plain) == ("♜", "r")
    assert len(letters) == 32


def test_stores_stand_beside_the_pits() -> None:
    board = Miniature(pw.Pits(3, 2, stores=True), (), (1, 2, 3, 4, 5, 6, 7, 8))
    middles = [mark.points[0] for mark in board.marks() if mark.radius]
    assert middles[0] == (1.5 * CELL, 0.5 * CELL)
    assert middles[-2:] == [(0.5 * CELL, CELL), (4.5 * CELL, CELL)]
    assert board.size == (5 * CELL, 2 * CELL)


def test_a_coloured_board_has_its_colour() -> None:
    grounds = [
        next(Miniature(board, (), (0, 0)).marks()).fill for board in (pw.Grid(2, 1, colour="green"), pw.Grid(2, 1))
    ]
    assert grounds == ["#2f8f4e", "paper"]
