"""Every algorithm that takes chance must give expectiminimax's answer on any tree, in every reading.

An algorithm joins by ``takes_chance``.  The others must refuse a game with the layer ``Chance``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import ALGORITHMS, TEXTBOOK
from plywise.algorithms.averages import ROUNDING
from plywise.games import Tree
from tests.die import RightDie
from tests.oracle import (
    end_of,
    expected_of,
    expected_scores_of,
    random_tree_with_chance,
    real_leaves,
    trees_with_chance,
    whole_leaves,
)

SCORING = [name for name, each in TEXTBOOK.items() if each.takes_chance and each.finds_value]
WINDOWED = [name for name in SCORING if "alpha" in TEXTBOOK[name].options]
READINGS: dict[str, Callable[[], Any]] = {"compiled": nullcontext, "interpreted": pw.interpreted}

DICE = {"player": "max", "children": [
    {"player": "chance", "children": [2, 4]},
    {"player": "chance", "children": [0, {"player": "min", "children": [1, 9]}]},
]}  # fmt: skip
"""The right node is worth at most (0 + 9) / 2 before, and (0 + 1) / 2 after a look at Min's first move."""

any_tree = st.one_of(trees_with_chance(whole_leaves), trees_with_chance(real_leaves))
ends = st.sampled_from([-5, -2.5, -1, -0.5, 0, 1 / 3, 0.5, 1, 2.5, 5])
windows = st.tuples(ends, ends).filter(lambda w: w[0] < w[1])
three_scores = st.tuples(*[st.integers(0, 4)] * 3).map(lambda scores: {"values": list(scores)})


def close(game: pw.Game, one: float, other: float) -> bool:
    """Equal to a relative 1e-12.  Terms of an average may cancel, so this is relative to the largest score too."""
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12 * max(map(abs, game.bounds(game.initial()))))


def check_answer(game: pw.Game, depth: int | None, result: pw.Result) -> None:
    """The value is expectiminimax's, the move attains it, and the line goes to the end, or to where chance moves."""
    start = game.initial()
    assert close(game, result.value, expected_of(game, start, depth))
    assert result.bound == "exact"
    end = end_of(game, start, result.line)
    assert game.is_terminal(end) or len(result.line) == depth or game.to_move(end) == pw.CHANCE
    if game.to_move(start) == pw.CHANCE:
        assert result.move is None
    else:
        assert result.move == result.line[0]
        after = expected_of(game, game.play(start, result.move), None if depth is None else depth - 1)
        assert close(game, after, result.value)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", SCORING)
@given(tree=any_tree, depth=st.one_of(st.none(), st.integers(1, 4)))
@settings(max_examples=60)
def test_equals_expectiminimax_on_any_tree(name: str, reading: str, tree: Any, depth: int | None) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        result = pw.search(game, algorithm=name, depth=depth)
    assert result.compiled == (reading == "compiled")
    check_answer(game, depth, result)


@pytest.mark.parametrize("name", SCORING)
def test_equals_expectiminimax_on_a_thousand_random_trees(name: str) -> None:
    averaged = 0
    for seed in range(1000):
        game = Tree.from_json(random_tree_with_chance(seed))
        depth = None if seed % 2 else 1 + seed % 5
        result = pw.search(game, algorithm=name, depth=depth)
        try:
            check_answer(game, depth, result)
        except AssertionError as error:
            raise AssertionError(f"random_tree_with_chance({seed}) to depth {depth}: {error}") from error
        averaged += result.expected
    assert averaged > 600


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", WINDOWED)
@given(tree=any_tree, window=windows, depth=st.one_of(st.none(), st.integers(1, 3)))
@settings(max_examples=150)
def test_the_three_promises_of_a_window(
    name: str, reading: str, tree: Any, window: tuple[float, float], depth: int | None
) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        exact = pw.search(game, algorithm="expectiminimax", depth=depth).value
        check_promises(exact, window, pw.search(game, algorithm=name, depth=depth, alpha=window[0], beta=window[1]))


@pytest.mark.parametrize("name", WINDOWED)
def test_the_three_promises_of_a_window_on_a_thousand_random_trees(name: str) -> None:
    for seed in range(1000):
        game = Tree.from_json(random_tree_with_chance(seed))
        exact = pw.search(game, algorithm="expectiminimax").value
        for window in ((exact - 1, exact), (exact, exact + 1)):
            check_promises(exact, window, pw.search(game, algorithm=name, alpha=window[0], beta=window[1]))


def check_promises(exact: float, window: tuple[float, float], result: pw.Result) -> None:
    """What fail-soft alpha-beta promises, to the last bit of the sums that plain expectiminimax computes."""
    alpha, beta = window
    if exact <= alpha:
        assert exact <= result.value <= alpha
        assert result.bound == "upper"
    elif exact >= beta:
        assert exact >= result.value >= beta
        assert result.bound == "lower"
    else:
        assert result.value == exact
        assert result.bound == "exact"


@pytest.mark.parametrize("name", [name for name, each in TEXTBOOK.items() if each.takes_chance])
@given(tree=any_tree, depth=st.one_of(st.none(), st.integers(1, 4)))
@settings(max_examples=60)
def test_recorded_and_silent_runs_visit_the_same_nodes(name: str, tree: Any, depth: int | None) -> None:
    game = Tree.from_json(tree)
    silent = pw.search(game, algorithm=name, depth=depth)
    recorded = pw.search(game, algorithm=name, depth=depth, record=True)
    assert recorded.events is not None
    entered = [event for event in recorded.events if event.kind == "enter"]
    assert len(entered) == recorded.nodes == silent.nodes
    assert sum(event.kind == "leaf" for event in recorded.events) == recorded.leaves == silent.leaves
    assert (recorded.value, recorded.line, recorded.bound) == (silent.value, silent.line, silent.bound)
    assert recorded.expected == silent.expected
    for event in entered:  # a visit is made by a move from its parent's position
        if event.parent is not None:
            parent = entered[event.parent]
            assert game.play(parent.state, event.move) == event.state
            assert event.ply == parent.ply + 1


@pytest.mark.parametrize("name", WINDOWED)
@given(tree=any_tree)
@settings(max_examples=60)
def test_a_cut_names_exactly_the_moves_that_are_never_visited(name: str, tree: Any) -> None:
    game = Tree.from_json(tree)
    events = pw.search(game, algorithm=name, record=True).events or ()
    state = {event.node: event.state for event in events if event.kind == "enter"}
    for cut in (event for event in events if event.kind == "cut"):
        below = {event.state for event in events if event.kind == "enter" and event.parent == cut.node}
        unseen = [move for move in game.moves(state[cut.node]) if game.play(state[cut.node], move) not in below]
        assert list(cut.left_out) == unseen


def test_star1_cuts_by_arithmetic_and_star2_by_a_probe() -> None:
    # Max has 2.  Star1 searches two Min nodes in full, and leaves the third after its 0: even 8 there would make the
    # average only (-1 - 1 + 8) / 3 = 2.  Star2 looks at the 0 of each: the average is at most 0.
    game = Tree.from_json({"player": "max", "children": [2, {"player": "chance", "children": [
        {"player": "min", "children": [0, 9, 8, -1]} for _ in range(3)
    ]}]})  # fmt: skip
    found = {name: pw.search(game, algorithm=name).leaves for name in SCORING}
    assert found == {"expectiminimax": 13, "star1": 10, "star2": 4}


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", SCORING)
def test_whole_scores_have_real_averages(name: str, reading: str) -> None:
    # Max takes every roll and Min none.  A roll is 1.75 on average, and 3 is the most.
    game = RightDie(3)
    with READINGS[reading]():
        result = pw.search(game, algorithm=name)
        assert result.value == expected_of(game, game.initial()) == 3.5
        options: dict[str, Any] = {"alpha": 3.6, "beta": 3.7} if name in WINDOWED else {}
        window = pw.search(game, algorithm=name, **options)
    assert result.compiled == (reading == "compiled")
    assert window.bound == ("upper" if name in WINDOWED else "exact")


class Unbounded(Tree.from_json(DICE).__class__):  # type: ignore[misc]
    """A tree that does not say between which numbers its scores lie."""

    def bounds(self, state: Any) -> tuple[float, float]:
        return (-math.inf, math.inf)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", WINDOWED)
def test_without_bounds_the_answer_is_right_and_no_chance_node_is_cut(name: str, reading: str) -> None:
    for seed in range(100):
        game = Tree.from_json(random_tree_with_chance(seed))
        unbounded = Unbounded(game.nodes)
        with READINGS[reading]():
            result = pw.search(unbounded, algorithm=name)
        assert close(game, result.value, expected_of(game, game.initial())), seed
        events = pw.search(unbounded, algorithm=name, record=True).events or ()
        assert all(game.to_move(event.state) != pw.CHANCE for event in events if event.kind == "cut"), seed


class FromTen(Unbounded):
    """A tree whose scores are 10 to 20; unfinished games are estimated as 0, which no score can be."""

    def bounds(self, state: Any) -> tuple[float, float]:
        return (10, 20)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", WINDOWED)
def test_the_default_estimate_may_lie_outside_the_bounds(name: str, reading: str) -> None:
    # If the second outcome were worth 10 or more, the average would be 15 or more, and Min would rather have 12.
    tree = {"player": "min", "children": [12, {"player": "chance", "children": [
        20, {"player": "max", "children": [10, 20]},
    ]}]}  # fmt: skip
    game = FromTen(Tree.from_json(tree).nodes)
    with READINGS[reading]():
        assert pw.search(game, algorithm=name, depth=2).value == 10
        assert pw.search(game, algorithm=name).value == 12


@pytest.mark.parametrize("reading", READINGS)
@given(tree=trees_with_chance(three_scores, players=(0, 1, 2)))
@settings(max_examples=100)
def test_expectimaxn_equals_its_definition(reading: str, tree: Any) -> None:
    game = Tree.from_json(tree)
    with READINGS[reading]():
        result = pw.search(game, algorithm="expectimaxn")
    assert result.value == pytest.approx(expected_scores_of(game, game.initial()), rel=1e-12)
    assert not isinstance(game, pw.Chance) or pw.solve(game).algorithm == "expectimaxn"


@pytest.mark.parametrize("name", [name for name, each in ALGORITHMS.items() if not each.takes_chance])
def test_algorithms_without_chance_refuse_dice_and_name_another(name: str) -> None:
    options: dict[str, Any] = {"goal": 1} if name == "boolean" else {}
    with pytest.raises(pw.SearchError, match=f"^{name} is for games without chance; for .*, use star2, star1 or expec"):
        pw.search(Tree.from_json(DICE), algorithm=name, **options)


def test_proofs_and_dfpn_refuse_dice_and_name_another() -> None:
    game = Tree.from_json(DICE)
    with pytest.raises(pw.SearchError, match=r"^df-pn is for games without chance; .* use star2"):
        pw.dfpn(game, goal=1)
    with pytest.raises(pw.SearchError, match=r"^no proof: a proof is for games without chance"):
        pw.solve(game, proof=True)


def test_more_players_with_dice_are_sent_to_expectimaxn() -> None:
    game = Tree.from_json({"player": "chance", "children": [{"values": [1, 2, 3]}, {"values": [3, 2, 1]}]})
    with pytest.raises(pw.SearchError, match=r"^maxn is for games without chance; .* use expectimaxn$"):
        pw.search(game, algorithm="maxn")
    assert pw.solve(game).value == (2, 2, 2)


def test_a_value_that_is_an_average_is_called_expected() -> None:
    result = pw.solve(Tree.from_json(DICE))
    assert result.expected
    assert str(result).splitlines()[0] == "value     3 expected (proven)"
    assert result.to_json()["expected"] is True
    certain = pw.solve(Tree.from_json(DICE), "2.2")
    assert not certain.expected
    assert str(certain).splitlines()[0] == "value     1 (proven)"
    assert "expected" not in pw.solve(pw.games.RedBlue()).to_json()


def test_values_of_moves_are_expectations_too() -> None:
    assert pw.search(Tree.from_json(DICE), algorithm="star2", all_moves=True).moves == {0: 3, 1: 0.5}


def test_counting_takes_an_outcome_for_a_move() -> None:
    game = Tree.from_json(DICE)
    assert [pw.algorithms.perft(game, depth=depth) for depth in (1, 2, 3)] == [2, 4, 2]
    assert pw.algorithms.outcomes(game) == {0: 1, 1: 1, 2: 1, 4: 1, 9: 1}
    assert len(list(pw.algorithms.terminal_states(game))) == 5


def test_the_margin_of_rounding_is_far_below_any_score_and_above_any_error() -> None:
    assert 1e-16 * 5000 < ROUNDING <= 1e-12
