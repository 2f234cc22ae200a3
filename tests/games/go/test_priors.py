"""What looks good at a glance."""

from __future__ import annotations

import pytest

from plywise.games import Go
from plywise.games.go.priors import EVEN, PASSED, prior
from tests.games.support import compiled


def share(game: Go, text: str, move: str) -> float:
    """Return the share of playouts that a move seems to have won."""
    state = game.parse(text)
    won, played = prior(game, state, game.parse_move(state, move))
    assert 0 <= won <= played
    return won / played


@pytest.mark.parametrize(
    ("rows", "better", "worse"),
    [
        (".XO../..X../...../...../.....", "D5", "A1"),  # captures a stone
        (".OX../..O../...../...../.....", "D5", "A1"),  # saves one
        (".O.../...../...../...../.....", "E1", "A5"),  # is not in atari
        ("..X../.X.X./..X../...../.....", "E1", "C4"),  # fills no eye
    ],
)
def test_one_move_looks_better_than_another(rows: str, better: str, worse: str) -> None:
    game = Go(5)
    assert share(game, f"{rows} black", better) > share(game, f"{rows} black", worse)


def test_on_the_empty_board_the_third_line_looks_best() -> None:
    game = Go(9)
    looks = [share(game, "", name) for name in ("A1", "B2", "C3", "D4")]
    assert looks[2] > looks[3] == 0.5 > looks[1] == looks[0]
    assert prior(game, game.initial(), game.size) == (0, PASSED)
    assert prior(game, game.initial(), 40) == (EVEN / 2, EVEN)


def test_a_move_near_the_one_before_looks_better() -> None:
    game = Go(9)
    assert share(game, "E5", "F5") > share(game, "E5", "E7") > share(game, "E5", "J5")


def total(game, state, weight):
    won = played = 0.0
    for move in game.moves(state):
        one, all_of_it = game.prior(state, move)
        won += weight * one
        played += all_of_it
        weight += 1
    return won + 1000 * played


def test_compiled_and_interpreted_priors_agree() -> None:
    game = Go(9)
    state = game.parse("E5 E6 F6 D5 F5 E4 D6 F4 C3 G5 G6 pass")
    assert compiled(total, game, state, 1) == total(game, state, 1)
