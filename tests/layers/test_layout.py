"""Boards as text, and invalid layouts."""

from __future__ import annotations

import pytest

import plywise as pw


def test_names_stand_where_the_layout_has_them() -> None:
    pieces = [pw.Piece("X"), pw.Piece("O")]
    cells = [0, 1, 2, 0]
    assert pw.Grid(2, 2).text(cells, pieces) == ". X\nO ."
    assert pw.Grid(2, 2, left=("10", "9"), bottom="ab").text(cells, pieces) == "10 . X\n 9 O .\n   a b"
    assert pw.Points(2, 2, right="21", bottom=("a", "bb")).text(cells, pieces) == " .  X  2\n O  .  1\n a bb"


def test_columns_may_have_names_above_too() -> None:
    board = pw.Grid(2, 3, bottom="ab", top="cd")
    assert board.text([0, 1, 0, 0, 0, 0], [pw.Piece("X")]) == "c d\n. X\n. .\n. .\na b"
    assert [board.name(place) for place in range(6)] == ["c", "d", "c", "d", "a", "b"]


def test_a_sheet_has_numbers_and_dice() -> None:
    sheet = pw.Sheet(2, 1, left=["sum"], top=["Ann", "Ben"], dice=2)
    assert sheet.text([sheet.written(0), sheet.written(12), 1, 0], [pw.Piece("6")]) == "6 .\n    Ann Ben\nsum   0  12"
    assert [sheet.name(place) for place in range(4)] == ["Ann sum", "Ben sum", "die 1", "die 2"]
    assert pw.Sheet(1, 1).text([1], [pw.Piece("x")]) == "x"


def test_places_are_named_by_column_and_row() -> None:
    assert [pw.Grid(2, 2, left="21", bottom="ab").name(place) for place in range(4)] == ["a2", "b2", "a1", "b1"]
    assert pw.Grid(2, 2, bottom="ab").name(3) == "b"
    assert [pw.Pits(1, 2, left="ab", stores=True).name(place) for place in (1, 2)] == ["b", ""]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pw.Grid(0, 3), "columns and rows must be at least 1"),
        (lambda: pw.Grid(3, 3, bottom="ab"), "bottom has 2 names, but needs 3"),
        (lambda: pw.Piece("X", "pink"), "'pink' is not a colour for a piece; write #rrggbb or one of black, white"),
        (lambda: pw.Grid(3, 3, colour="lawn"), "'lawn' is not a colour for a board; write #rrggbb or one of black"),
        (lambda: pw.Piece(""), "a symbol is one or more letters without spaces"),
        (lambda: pw.Piece("a b"), "without spaces"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: object, message: str) -> None:
    with pytest.raises(pw.GameError, match=message):
        make()  # type: ignore[operator]


def test_a_board_is_sent_with_the_code_of_its_colour() -> None:
    assert [pw.Grid(1, 1, colour=colour).to_json()["colour"] for colour in ("green", "#012345", "")] == [
        "#2f8f4e", "#012345", "",
    ]  # fmt: skip


def test_a_stone_carries_its_symbol_unless_it_is_black_or_white() -> None:
    assert pw.Piece("X", "black").detail == ""
    assert pw.Piece("X", "blue").detail == "#ffffff"
    assert pw.Piece("X", "#ffff00").detail == "#1a1c20"
    assert pw.Piece("X").fill == ""
