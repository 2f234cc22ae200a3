"""What the neighbours of a point say about it."""

from __future__ import annotations

import pytest

from plywise.games import Go
from plywise.games.go.priors import neighbourhood
from plywise.games.go.shapes import ENCLOSED, EYE, OPEN, ROOMY, SHAPE, shape_table


def facts(text: str, move: str) -> int:
    game = Go(5)
    state = game.parse(text)
    return int(shape_table()[neighbourhood(game, state, game.parse_move(game.initial(), move))])


@pytest.mark.parametrize(
    ("rows", "move", "black", "white"),
    [
        (".X.../X..../...../...../.....", "A5", True, False),
        (".X.../XO.../...../...../.....", "A5", False, False),  # false
        ("..X../.X.X./..X../...../.....", "C4", True, False),
        (".OX../.X.X./..X../...../.....", "C4", True, False),
        (".OXO./.X.X./..X../...../.....", "C4", False, False),
        ("...O./..O.O/...O./...../.....", "D4", False, True),
        (".X.../...../...../...../.....", "A5", False, False),
    ],
)
def test_eyes(rows: str, move: str, black: bool, white: bool) -> None:
    found = facts(f"{rows} black", move)
    assert (bool(found & EYE), bool(found & EYE << 1)) == (black, white)


def test_empty_neighbours() -> None:
    corner = ".X.../...../...../...../..... black"
    assert facts(corner, "A5") & (OPEN | ROOMY | ENCLOSED) == OPEN
    assert facts(corner, "C3") & (OPEN | ROOMY | ENCLOSED) == OPEN | ROOMY
    assert facts(".X.../X..../...../...../..... black", "A5") & (OPEN | ENCLOSED) == ENCLOSED


@pytest.mark.parametrize(
    ("rows", "shaped"),
    [
        (".XOX./...../...../...../.....", True),  # hane
        ("...../.X.../.X.../.X.../.....", False),
        (".XO../.O.../...../...../.....", True),  # a cut
        ("...../...../...../...../.....", False),
    ],
)
def test_shapes(rows: str, shaped: bool) -> None:
    assert bool(facts(f"{rows} black", "C4") & SHAPE) == shaped
