"""The m,n,k-games: known counts and values, rows compared with a plain search for them, and the text forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms.minimax import minimax
from plywise.algorithms.watch import Tally, tally_arrays
from plywise.games import MNK, TicTacToe
from tests.games.support import check_texts, compiled, digest, random_game

SIZES = [(3, 3, 3), (4, 3, 3), (7, 9, 5), (1, 5, 3), (5, 1, 2), (2, 2, 1), (21, 3, 3), (3, 21, 21), (31, 2, 4)]
sizes = st.sampled_from(SIZES)


@pytest.mark.parametrize("game", [TicTacToe(), MNK(3, 3, 3)])
def test_naive_minimax_of_tic_tac_toe_visits_549946_nodes(game: MNK) -> None:
    watch = Tally(**tally_arrays(9))
    assert compiled(minimax, game, game.initial(), 9, watch) == 0
    assert (watch.nodes, watch.leaves) == (549946, 255168)


def test_tic_tac_toe_has_5478_positions() -> None:
    game = TicTacToe()
    seen = layer = {game.initial()}
    while layer:
        layer = {game.play(s, move) for s in layer if not game.is_terminal(s) for move in game.moves(s)}
        seen = seen | layer
    assert len(seen) == 5478
    assert all(game.parse(game.format(state)) == state for state in seen)


@pytest.mark.parametrize(("size", "value"), [((3, 3, 3), 0), ((4, 3, 3), 1), ((4, 4, 4), 0)])
def test_values_are_the_known_ones(size: tuple[int, int, int], value: int) -> None:
    assert pw.solve(MNK(*size)).value == value


@pytest.mark.parametrize("size", [(3, 3, 3), (2, 2, 1), (7, 9, 5), (3, 21, 21)])
def test_compiled_and_interpreted_rules_agree(size: tuple[int, int, int]) -> None:
    game = MNK(*size)
    for state in random_game(game, seed=1)[::5]:
        assert compiled(digest, game, state, 2) == digest(game, state, 2)


@given(sizes, st.sets(st.integers(0, 62)))
def test_lines_are_found_exactly_where_they_are(size: tuple[int, int, int], cells: set[int]) -> None:
    game = MNK(*size)
    m, n, k = size
    marked = {divmod(cell, m) for cell in cells if cell < m * n}
    expected = any(
        all((row + i * down, column + i * right) in marked for i in range(k))
        for row, column in marked
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )
    assert game.has_line(sum(1 << row * m + column for row, column in marked)) == expected


@given(sizes, st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(size: tuple[int, int, int], seed: int) -> None:
    check_texts(MNK(*size), seed)


def test_moves_are_named_by_column_and_row_from_the_bottom() -> None:
    game = TicTacToe()
    texts = [game.format_move(game.initial(), move) for move in game.moves(game.initial())]
    assert texts == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert MNK(31, 2, 4).format_move(game.initial(), 30) == "ae2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a position: it needs 3 rows of 3 cells, each X, O or a point, .* such as '.../.../...'"),
        ("XO./.X.", "it needs 3 rows of 3 cells"),
        ("XO./.X./..OO", "it needs 3 rows of 3 cells"),
        ("XO./.Y./..O", "each X, O or a point"),
        ("XX./.../...", "as many X as O, or one more"),
        ("O../.../...", "as many X as O, or one more"),
        ("XXX/OOO/...", "the game was over before the last move"),
        ("XXX/OO./O..", "the game was over before the last move"),
        ("OOO/XX./XX.", "the game was over before the last move"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        TicTacToe().parse(text)


def test_two_lines_by_one_mark_are_possible_and_by_two_are_not() -> None:
    assert TicTacToe().score(TicTacToe().parse("XXX/XOO/XOO")) == 1
    with pytest.raises(pw.PositionError, match="over before the last move"):
        MNK(4, 4, 3).parse("XXXO/OO../..OO/XXX.")


def test_tic_tac_toe_is_a_game_without_parameters() -> None:
    assert repr(TicTacToe()) == "TicTacToe()"
    assert TicTacToe() == TicTacToe()
    with pytest.raises(TypeError):
        TicTacToe(4)


@pytest.mark.parametrize("size", [(8, 8, 5), (0, 3, 3), (3, 0, 3), (3, 3, 0), (3, 3, 4)])
def test_a_board_that_does_not_fit_is_refused(size: tuple[int, int, int]) -> None:
    with pytest.raises(pw.GameError, match=r"MNK\(.*m \* n at most 63, and k from 1"):
        MNK(*size)
