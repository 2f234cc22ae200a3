"""Connect Four: the rules, the scores of the published test sets, and the text forms."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms.alphabeta import alphabeta
from plywise.algorithms.common import CutRule
from plywise.algorithms.perft import perft
from plywise.algorithms.watch import Tally, Watcher, tally_arrays
from plywise.games import ConnectFour
from plywise.games.connect_four import Stones
from tests.games.support import check_texts, compiled, digest, random_game

DATA = Path(__file__).parents[3] / "shared" / "data" / "connect4"
SIZES = [(7, 6), (4, 4), (1, 1), (3, 2), (1, 9), (12, 3), (31, 1), (9, 6)]


def test_counts_of_move_sequences_are_the_known_ones() -> None:
    known = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    game = ConnectFour()
    assert [compiled(perft, game, game.initial(), depth, Watcher()) for depth in range(1, 9)] == known
    assert [perft(game, game.initial(), depth, Watcher()) for depth in range(1, 5)] == known[:4]


def test_alpha_beta_to_depth_12_visits_the_known_number_of_nodes() -> None:
    game = ConnectFour()
    watch = Tally(**tally_arrays(12))
    assert compiled(alphabeta, game, game.initial(), 12, float("-inf"), float("inf"), CutRule(), watch) == 0
    assert (watch.nodes, watch.leaves) == (3189800, 1599452)


def test_positions_on_the_board_of_4_by_4_are_as_many_as_known() -> None:
    game = ConnectFour(4, 4)
    layer, keys = {game.initial()}, set()
    while layer:
        keys |= {(state.mine, state.filled) for state in layer}
        layer = {game.play(s, move) for s in layer if not game.is_terminal(s) for move in game.moves(s)}
    assert len(keys) == 161029


@pytest.mark.parametrize("size", [(7, 6), (12, 3), (9, 6)])
def test_compiled_and_interpreted_rules_agree(size: tuple[int, int]) -> None:
    game = ConnectFour(*size)
    for state in random_game(game, seed=1)[::5]:
        assert compiled(digest, game, state, 3) == digest(game, state, 3)


@pytest.mark.parametrize("level", ["L3_R1", "L2_R1"])
def test_values_are_those_of_the_published_test_sets(level: str) -> None:
    if not DATA.exists():
        pytest.skip(f"no test sets in {DATA}")
    game = ConnectFour()
    lines = (DATA / f"Test_{level}").read_text().splitlines()
    for line in lines[:: 10 if level == "L3_R1" else 200]:
        text, score = line.split()
        state = game.parse(text)
        assert pw.solve(game, state).value * pw.sign(game.to_move(state)) == int(score), text


@pytest.mark.parametrize("size", [(4, 4), (5, 4)])
def test_small_boards_are_draws(size: tuple[int, int]) -> None:
    assert pw.solve(ConnectFour(*size)).value == 0


def test_a_win_with_the_last_stone_is_worth_1_and_the_fastest_18() -> None:
    game = ConnectFour()
    assert [game.prize(plies) for plies in (7, 8, 41, 42)] == [18, 18, 1, 1]
    assert game.score(game.parse("1212121")) == 18
    assert game.score(game.parse("71212121")) == -18


@given(st.sampled_from(SIZES), st.sets(st.integers(0, 62)))
def test_lines_are_found_exactly_where_they_are(size: tuple[int, int], cells: set[int]) -> None:
    game = ConnectFour(*size)
    stones = {(i // game.height, i % game.height) for i in cells if i < game.width * game.height}
    expected = any(
        all((column + i * right, row + i * up) in stones for i in range(4))
        for column, row in stones
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    )
    assert game.has_line(sum(game.bottom(column) << row for column, row in stones)) == expected


def test_a_line_does_not_run_on_into_the_next_column() -> None:
    game = ConnectFour()
    high = sum(game.top(0) >> i for i in range(3)) | game.bottom(1)
    assert not game.has_line(high)
    assert game.has_line(sum(game.top(0) >> i for i in range(4)))


@given(st.integers(0, 10**9))
def test_bounds_hold_for_every_end(seed: int) -> None:
    game = ConnectFour(5, 4)
    *positions, end = random_game(game, seed)
    assert game.bounds(end) == (game.score(end), game.score(end))
    for state in positions:
        low, high = game.bounds(state)
        assert low <= game.score(end) <= high


def test_features_tell_the_free_cells_that_complete_a_line() -> None:
    game = ConnectFour()
    state = game.parse("121314")  # X has three stones on column 1, O three in the first row
    column, row = game.bottom(0) << 3, game.bottom(4)
    for player, threats in ((pw.MAX, [column, row]), (pw.MIN, [row, column])):
        assert list(game.feature_words(state, player))[2:] == threats
    assert list(game.feature_words(game.play(state, 4), pw.MIN))[2:] == [0, column]


def test_positions_that_share_a_key_share_their_features() -> None:
    game = ConnectFour(5, 4)
    known: dict[tuple[int, int], tuple[Stones, list[list[int]]]] = {}
    others = 0
    for seed in range(300):
        for state in random_game(game, seed)[:-1]:
            image, viewer = game.image(state), game.viewer(state)
            seen = [list(game.feature_words(image, player)) for player in (viewer, 1 - viewer)]
            assert 0 <= game.bucket(state) < game.buckets
            other, before = known.setdefault(game.key(state), (state, [*seen, [game.bucket(state)]]))
            assert before == [*seen, [game.bucket(state)]]
            others += other != state
    assert others > 50


@given(st.sampled_from(SIZES), st.integers(0, 10**9))
def test_texts_are_read_as_what_they_were_written_from(size: tuple[int, int], seed: int) -> None:
    check_texts(ConnectFour(*size), seed)


def test_columns_after_the_ninth_are_letters() -> None:
    game = ConnectFour(12, 3)
    assert game.format(game.parse("1CA9")) in {"".join(p) for p in itertools.permutations("1ca9")}
    assert game.board(game.initial()).splitlines()[-1] == "1 2 3 4 5 6 7 8 9 a b c"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4480", "'4480' is not a position: move 3: '8' is not a column; columns are 1 to 7"),
        ("4x", "'x' is not a column"),
        ("4444444", "move 7: column 4 was already full"),
        ("12121213", "move 8: the game was already over"),
    ],
)
def test_a_wrong_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(pw.PositionError, match=message):
        ConnectFour().parse(text)


def test_a_wrong_move_lists_the_legal_ones() -> None:
    game = ConnectFour()
    with pytest.raises(pw.PositionError, match="'4' is not a legal move here; legal are: 1 2 3 5 6 7"):
        game.parse_move(game.parse("444444"), "4")


@pytest.mark.parametrize("state", [Stones(0, 2, 1), Stones(1, 1, 1), Stones(3, 3, 2), Stones(0, 3, 0)])
def test_a_position_that_cannot_arise_has_no_text(state: Stones) -> None:
    with pytest.raises(pw.PositionError, match="no sequence of moves leads to it"):
        ConnectFour().format(state)


@pytest.mark.parametrize("size", [(8, 7), (0, 6), (7, 0), (9, 9), (-1, -1), (64, 1)])
def test_a_board_that_does_not_fit_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(pw.GameError, match=r"ConnectFour\(.*at most 63"):
        ConnectFour(*size)
