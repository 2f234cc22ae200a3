"""The simple evaluations are symmetric, the same compiled and interpreted, and know what they say."""

from __future__ import annotations

import pytest

from plywise.errors import GameError
from plywise.games import Chess
from tests.games.chess.support import GAME, assert_compiled_evaluations_equal, random_boards, random_positions

SEED = 12
SHARE, SQUARES = Chess(share=True), Chess(squares=True)
BOTH = pytest.mark.parametrize("game", [SHARE, SQUARES], ids=["share", "squares"])


def worth(game: Chess, fen: str) -> int:
    """Return the value of a position without castling."""
    return game.evaluate(game.parse(f"{fen} w - - 0 1"))


@BOTH
def test_a_position_with_colours_exchanged_is_worth_as_much_for_the_other_player(game: Chess) -> None:
    for board in random_boards(SEED, games=6):
        fen, mirrored = board.fen(), board.mirror().fen()
        assert game.evaluate(game.parse(fen)) == -game.evaluate(game.parse(mirrored)), fen


@BOTH
def test_compiled_and_interpreted_evaluations_are_equal(game: Chess) -> None:
    assert_compiled_evaluations_equal(game, list(random_positions(SEED, games=4)))


def test_the_share_of_the_material_is_that_of_the_course() -> None:
    assert SHARE.evaluate(SHARE.initial()) == 0
    assert worth(SHARE, "4k3/p7/8/8/8/8/PPP5/4K3") == 8000 * 3 // 4 - 8000 * 1 // 4
    assert worth(SHARE, "3qk3/8/8/8/8/8/8/RNB1K3") == 8000 * 1150 // 2050 - 8000 * 900 // 2050
    assert worth(SHARE, "4k3/8/8/8/8/8/8/4K3") == 0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/4N3/8/8/4K3", "4k3/8/8/8/8/8/8/N3K3"),  # a knight in the centre
        ("4k3/8/8/8/4B3/8/8/4K3", "4k3/8/8/8/8/8/8/B3K3"),  # a bishop
        ("4k3/8/8/8/4P3/8/8/4K3", "4k3/8/8/8/P7/8/8/4K3"),  # a pawn
        ("4k3/P7/8/8/8/8/8/4K3", "4k3/8/8/P7/8/8/8/4K3"),  # an advanced pawn
        ("4k3/R7/8/8/8/8/8/4K3", "4k3/8/R7/8/8/8/8/4K3"),  # a rook on the seventh rank
        ("q3k3/8/8/8/8/8/8/6K1", "q3k3/8/8/8/8/8/8/4K3"),  # a castled king, if the opponent has a queen
        ("q3k3/8/8/8/8/8/8/4K3", "q3k3/8/8/8/5K2/8/8/8"),  # a king at home
        ("4k3/8/8/8/3K4/8/8/Q7", "4k3/8/8/8/8/8/8/Q5K1"),  # a king in the centre, if not
    ],
)
def test_squares_matter_but_not_for_the_share(better: str, worse: str) -> None:
    assert worth(SQUARES, better) > worth(SQUARES, worse)
    assert worth(SHARE, better) == worth(SHARE, worse)


def test_another_evaluation_has_no_network() -> None:
    assert (GAME.network_file(), SHARE.network_file(), SQUARES.network_file()) == ("chess.net", "", "")


def test_a_game_has_one_evaluation() -> None:
    with pytest.raises(GameError, match="choose one evaluation, share or squares"):
        Chess(share=True, squares=True)
