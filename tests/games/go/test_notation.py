"""Positions of Go as text: rows, or a list of moves."""

from __future__ import annotations

import pytest

import plywise as pw
from plywise.games import Go
from tests.games.support import check_texts


@pytest.mark.parametrize("size", [(2, 2), (4, 3), (5, 5)])
def test_texts_are_read_as_what_they_were_written_from(size: tuple[int, int]) -> None:
    check_texts(Go(*size), seed=size[0])


def test_moves_and_rows_are_the_same_position() -> None:
    game = Go(9)
    assert game.parse("") == game.initial()
    assert game.format(game.parse("E5 pass")) == "/".join(["." * 9] * 4 + ["....X...."] + ["." * 9] * 4) + " black pass"
    assert game.parse("e5 J9") == game.parse("E5 J9")
    names = [game.format_move(game.initial(), move) for move in (0, 7, 8, 72, 80, 81)]
    assert names == ["A9", "H9", "J9", "A1", "J1", "pass"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("B2 b2", "'B2 b2' is not a position: move 2: 'b2' is not a legal move here: there is a stone already; legal "),
        ("A2 B3 B1 C2 C3", "'C3' is not a legal move here: suicide, the stone would have no liberty; legal"),
        ("I3", "'I3' is not a legal move"),
        ("pass pass A1", "move 3: 'A1' is not a legal move here: the game is over"),
        ("..X/.O. black", "it needs 3 rows of 3 points, each X, O or a point"),
        (".../.../..Z black", "it needs 3 rows"),
        (".../.../...", "'black' or 'white', who is to move, must follow"),
        (".../.../... green", "'black' or 'white'"),
        (".../.../... white A1", "the move before, A1, is not one of the black stones"),
        (".../.../... white A1 A2", "only the move before and 'ko' with a point may follow"),
        (".../.../... white pass pass pass", "one or two passes"),
        (".../.../... white ko D9", "'D9' is not a point; points are A1 to C3"),
        (".../.../... white ko B2", "B2 is no ko: it is not surrounded by black stones"),
        (".X./XXX/.X. white ko B2", "B2 is no ko: it is not empty"),
        ("XO./O../... black", "the stones at A3 have no liberty"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        Go(3).parse(text)


def test_a_ko_that_is_retaken_at_once_is_explained() -> None:
    game = Go(4)
    state = game.parse("B4 C4 A3 D3 B2 C2 C3 B3")  # White takes the stone on C3
    assert game.marked(state) == [game.layout.place("c3")]
    with pytest.raises(pw.PositionError, match="'c3' is not a legal move here: a ko may not be retaken at once; legal"):
        game.parse_move(state, "c3")
