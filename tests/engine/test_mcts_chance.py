"""Monte Carlo tree search with chance: values are averages, and what it calls proven is expectiminimax."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.engine.mcts import mcts_search
from plywise.engine.monte_carlo_tree import LOWER, NOBODY, ROOT, UPPER, USED, MonteCarloTree, new_tree
from plywise.engine.trail import new_trail
from plywise.game import Game
from plywise.games import Backgammon, ConnectFour, Pig, Tree
from plywise.layers import CHANCE
from tests.algorithms.test_oracle import READINGS
from tests.die import RightDie
from tests.engine.test_mcts import answer, stopped_tree
from tests.oracle import end_of, expected_of, random_tree_with_chance, real_leaves, trees_with_chance, whole_leaves

TINY = 1e-9
"""How much sums of probabilities may err."""


def with_chance(tree: Any) -> Game:
    return Tree.from_json({"player": "max", "children": [{"player": "chance", "children": [0, 1]}, tree]})


def check_proven(game: Game, result: pw.Result) -> None:
    """The value is expectiminimax's, the move attains it, and the line ends with the game or where chance decides."""
    assert (result.proven, result.bound, result.expected) == (True, "exact", True)
    value = expected_of(game, result.state)
    assert result.value == pytest.approx(value, abs=TINY, rel=TINY)
    if game.to_move(result.state) == CHANCE:
        assert (result.move, result.line) == (None, ())
        return
    assert result.move == result.line[0]
    assert expected_of(game, game.play(result.state, result.move)) == pytest.approx(value, abs=TINY, rel=TINY)
    end = end_of(game, result.state, result.line)
    assert game.is_terminal(end) or game.to_move(end) == CHANCE


@pytest.mark.parametrize("reading", READINGS)
@given(tree=st.one_of(trees_with_chance(whole_leaves), trees_with_chance(real_leaves)), seed=st.integers(0, 1000))
@settings(max_examples=60)
def test_proves_expectiminimax_on_random_trees(reading: str, tree: Any, seed: int) -> None:
    game = with_chance(tree)
    with READINGS[reading]():
        result = mcts_search(game, seed=seed)
    assert result.compiled == (reading == "compiled")
    check_proven(game, result)


def test_all_moves_are_proven_where_asked() -> None:
    for seed in range(20):
        game = with_chance(random_tree_with_chance(seed))
        result = mcts_search(game, seed=seed, all_moves=True)
        check_proven(game, result)
        for move in game.moves(game.initial()):
            value = expected_of(game, game.play(game.initial(), move))
            assert (result.moves or {})[move] == pytest.approx(value, abs=TINY), seed


def test_where_chance_moves_first_there_is_no_move() -> None:
    game = RightDie(2)
    result = mcts_search(game)
    check_proven(game, result)
    assert result.move is None
    assert "expected (proven)\nmove      none\n" in str(result)


def check_bounds(game: Game, state: Any, tree: MonteCarloTree, node: int = ROOT) -> None:
    """The value of every position in the tree lies within its bounds."""
    value = expected_of(game, state)
    assert tree.bounds[node, LOWER] - TINY <= value <= tree.bounds[node, UPPER] + TINY
    for child in tree.children(node):
        check_bounds(game, game.play(state, tree.move[child].item()), tree, child)


@pytest.mark.parametrize("seed", range(30))
def test_bounds_hold_whenever_it_is_stopped(seed: int) -> None:
    game = with_chance(random_tree_with_chance(seed))
    for limit in (5, 20, 100):
        check_bounds(game, game.initial(), stopped_tree(game, game.initial(), limit, seed))


def test_a_node_of_chance_is_proven_only_if_all_outcomes_are() -> None:
    deep = {"player": "max", "children": [{"player": "min", "children": [-9, {"player": "max", "children": [1, 2]}]}]}
    game = Tree.from_json({"player": "chance", "probabilities": [0.99, 0.01], "children": [5, deep]})
    tree = stopped_tree(game, game.initial(), limit=3, seed=0)
    first, second = tree.children(ROOT)
    assert tree.settled(first)
    assert not tree.settled(second)
    assert not tree.settled(ROOT)
    result = mcts_search(game)
    assert result.value == pytest.approx(0.99 * 5 + 0.01 * -9)


def test_outcomes_are_drawn_by_their_probabilities_among_those_not_settled() -> None:
    unknown = {"player": "max", "children": [0, 1]}
    game = Tree.from_json({"player": "chance", "probabilities": [0.5, 0.4, 0.1], "children": [3, unknown, unknown]})
    tree, root, trail = new_tree(game, False, 20), game.initial(), new_trail(1, 0, 10, False)
    tree.write(game, root, ROOT, NOBODY, 0)
    tree.size[USED] = 1
    tree.expand(game, root, ROOT, trail)
    drawn = Counter(tree.roll(ROOT, trail) for _ in range(10_000))
    known, likely, rare = tree.children(ROOT)
    assert drawn[known] == 0
    assert drawn[rare] == pytest.approx(2000, abs=200)
    mean = 0.5 * 3 + 0.5 * 1
    assert tree.average(game, ROOT, likely, 1.0, 1.0) == pytest.approx((mean, mean))


# How it plays --------------------------------------------------------------------------------------------------------


def test_estimates_come_near_expectiminimax_and_the_best_move_is_found() -> None:
    game = RightDie(8)
    for die in (1, 2, 3):
        state = game.play(game.initial(), die)
        result = mcts_search(game, state, nodes=200_000, seed=die)
        assert not result.proven
        assert result.bound == "estimate"
        assert result.value == pytest.approx(pw.solve(game, state).value, abs=0.6)  # of 24 points
        assert result.move == 1  # Max takes what the die shows


PIG = Pig(12)


@pytest.mark.parametrize(
    ("text", "nodes"), [("0-0 max 0", 1_000_000), ("6-8 max 4", 1_000_000), ("9-3 min 2", 500_000)]
)
def test_values_of_pig_come_near_those_of_the_table(text: str, nodes: int) -> None:
    exact = pw.tabulate(PIG).search(text).value
    for seed in range(3):
        result = mcts_search(PIG, text, nodes=nodes, seed=seed)
        assert not result.proven
        assert result.value == pytest.approx(exact, abs=0.05)


def test_clear_decisions_in_pig_are_those_of_the_table() -> None:
    game = Pig(60)
    table = pw.tabulate(game)
    for text in ("0-0 max 52", "5-0 min 52", "10-0 min 50", "55-55 max 4", "50-55 max 8", "59-40 min 16"):
        state = game.parse(text)
        values = [table[game.play(state, move)].value for move in game.moves(state)]
        assert abs(values[0] - values[1]) > 0.1
        assert mcts_search(game, state, nodes=300_000, seed=1).move == table[state].move, text


# Both readings, seeds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (PIG, "3-5 max 4"),
        (PIG, "3-5 max 4 rolling"),
        (Backgammon(), "-b----E-C---eE---c-e----B- white 31"),
        (Backgammon(), None),
    ],
)
def test_both_readings_give_the_same_answer(game: Game, text: str | None) -> None:
    nodes = 4000
    compiled = mcts_search(game, text, nodes=nodes, seed=3, all_moves=True)
    with pw.interpreted():
        plain = mcts_search(game, text, nodes=nodes, seed=3, all_moves=True)
    assert answer(plain) == answer(compiled)
    assert (plain.expected, plain.moves) == (True, compiled.moves)
    assert answer(mcts_search(game, text, nodes=nodes, seed=4, all_moves=True)) != answer(compiled)


def test_trees_of_games_without_chance_have_no_probabilities() -> None:
    tree = new_tree(ConnectFour(), True, 1, 1.0)
    assert not tree.dice
    assert len(tree.probability) == 1
