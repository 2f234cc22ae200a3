"""The top of an engine's tree: its values and bounds are true, and it shows why a move was chosen."""

from __future__ import annotations

from typing import Any

import pytest

import plywise as pw
from plywise.engine.tree_top import TopNode, tree_top
from plywise.game import Game
from plywise.games import Chess, ConnectFour, Kalah, Othello, Pig, TicTacToe, Tree
from tests.oracle import expected_of, random_position, value_of


def searched(game: Game, state: Any = None, most: int = 60, **limits: Any) -> tuple[pw.Result, TopNode]:
    engine = pw.Engine(game, table_mb=1)
    result = engine.search(state, **limits)
    return result, tree_top(engine, result, most=most)


def check(game: Game, top: TopNode, oracle: Any = value_of) -> int:
    """Compare all values and bounds of a tree with the oracle; returns how many there were."""
    compared = 0
    for node in top.walk():
        if node.known is None or node.over:
            continue
        known = node.known
        true = oracle(game, node.state, known.depth)
        where = (game.format(node.state), known, true)
        if known.bound == "exact":
            assert known.value == pytest.approx(true), where
        elif known.bound == "lower":
            assert known.value <= true + 1e-6, where
        else:
            assert known.value >= true - 1e-6, where
        compared += 1
    return compared


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("depth", [1, 2, 4, 9])
def test_values_and_bounds_are_those_of_minimax_at_their_depth_in_mirrored_positions_too(
    depth: int, plain: bool
) -> None:
    game = TicTacToe()
    for seed in range(4):
        state = random_position(game, seed, most_nodes=20_000)
        if plain:
            with pw.interpreted():
                result, top = searched(game, state, depth=depth, exact=True)
        else:
            result, top = searched(game, state, depth=depth, exact=True)
        assert check(game, top) >= 1
        assert top.known is not None
        assert top.known.value == result.value


def test_a_player_who_moves_twice_and_points_that_are_banked_change_no_sign() -> None:
    game = Kalah(3, 2)
    for seed in range(5):
        state = random_position(game, seed, most_nodes=3000)
        with pw.interpreted():
            _, top = searched(game, state, depth=4, exact=True)
        assert check(game, top) >= 2


def test_both_readings_of_numbers_are_right_in_random_trees() -> None:
    whole = Tree.from_lists([[[3, -7], [12, 5]], [[2, 4], [-6, 1]], [[9, 0], [5, 8]]])
    real = Tree.from_lists([[[0.1, -7.3], [12.7, 5]], [[2, 4], [-6.5, 1]], [[9, 0.3], [5.1, 8]]])
    for tree in (whole, real):
        _, top = searched(tree, depth=3)
        assert check(tree, top) >= 4
        with pw.interpreted():
            _, top = searched(tree, depth=3)
        assert check(tree, top) >= 4


def test_a_pass_changes_no_sign() -> None:
    game = Othello(4)
    with pw.interpreted():
        _, top = searched(game, depth=4, exact=True)
    assert check(game, top) >= 4


def test_proven_values_of_a_playing_search_are_the_games() -> None:
    game = TicTacToe()
    with pw.interpreted():
        result, top = searched(game, "X../.O./...", nodes=100_000)
    assert result.proven
    nodes = [node for node in top.walk() if node.known is not None and node.known.proven and not node.over]
    for node in nodes:
        assert node.known is not None
        true, value = value_of(game, node.state), node.known.value
        holds = {"exact": value == true, "lower": value <= true, "upper": value >= true}
        assert holds[node.known.bound], game.format(node.state)
    assert len(nodes) > 5


def test_positions_on_different_paths_of_an_exact_search_are_found() -> None:
    """An exact search of chess keeps positions by their paths."""
    game = Chess()
    with pw.interpreted():
        result, top = searched(game, "7k/8/8/8/8/8/R7/K7 w - - 0 1", depth=2)
    assert result.depth == 2
    assert len(top.children) > 1
    assert check(game, top) >= 3


def test_a_repetition_is_seen_as_one() -> None:
    game = Chess()
    start = game.parse("7k/8/8/8/8/8/q7/7K w - - 0 1")
    earlier = [start]
    for text in ("h1g1", "h8g8", "g1h1"):
        earlier.append(game.play(earlier[-1], game.parse_move(earlier[-1], text)))
    engine = pw.Engine(game, table_mb=1)
    with pw.interpreted():
        result = engine.search(earlier[-1], depth=1, history=earlier[:-1])
        top = tree_top(engine, result, history=earlier[:-1], most=200)
        alone = tree_top(engine, result, most=200)
    assert any(node.over == "repetition" for node in top.walk())
    assert not any(node.over == "repetition" for node in alone.walk())


def test_a_mate_is_counted_from_each_position() -> None:
    game = Chess()
    with pw.interpreted():
        _, top = searched(game, "7k/R7/1R6/8/8/8/8/K7 w - - 0 1", depth=1, exact=False)
    line = [node for node in top.walk() if node.on_line]
    assert [node.known.value for node in line if node.known] == [game.win_score - 1, game.win_score]
    assert line[-1].over == "end"


def test_outcomes_of_dice_have_their_values() -> None:
    game = Pig(6)
    with pw.interpreted():
        _, top = searched(game, "0-0 max 3", depth=3, exact=True)
    assert check(game, top, expected_of) >= 3


def test_the_line_comes_first_and_the_bound_holds() -> None:
    game = ConnectFour()
    engine = pw.Engine(game, table_mb=16)
    result = engine.search("44", nodes=20_000)
    sizes = []
    for most in (1, 5, 30, 200):
        top = tree_top(engine, result, most=most)
        nodes = list(top.walk())
        assert len(nodes) <= most
        line = [node.move for node in nodes if node.on_line][1:]
        assert line == list(result.line[: most - 1])
        sizes.append(len(nodes))
    assert sizes[:3] == [1, 5, 30]
    assert all(node.moves >= len(node.children) for node in nodes)
    assert [child.on_line for child in top.children] == [True, *[False] * (len(top.children) - 1)]


@pytest.mark.parametrize(
    ("game", "text"),
    [(ConnectFour(), "4453"), (ConnectFour(), "44535"), (Othello(6), None), (Othello(6), "c2"), (Kalah(4, 3), None)],
)
def test_other_root_moves_are_no_better_than_the_one_that_was_chosen(game: Game, text: str | None) -> None:
    """Max's others are known exactly or from above, Min's from below."""
    with pw.interpreted():
        result, top = searched(game, text, depth=4, exact=True)
    by_max = game.to_move(result.state) == pw.MAX
    compared = 0
    for child in top.children:
        if child.known is not None and child.known.depth == 3 and child.move != result.move:
            assert child.known.bound in ("exact", "upper" if by_max else "lower")
            assert child.known.value <= result.value if by_max else child.known.value >= result.value
            compared += 1
    assert compared >= 2
