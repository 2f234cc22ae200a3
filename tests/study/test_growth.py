"""The chart of nodes against depth: each curve counts what its label says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.errors import SearchError
from plywise.games import ConnectFour, DogCatMouse, TicTacToe, Tree
from plywise.study.growth import BEST, CURVES, ENGINE, MINIMAX, NATURAL, WORST, growth
from tests import oracle
from tests.algorithms.test_known_numbers import uniform


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")


def full_tree(branching: int, depth: int) -> int:
    return sum(branching**level for level in range(depth + 1))


@pytest.mark.parametrize("best_first", [False, True])
def test_sorting_reaches_both_ends_whatever_the_order_was(best_first: bool) -> None:
    """All leaves differ, so that the worst order visits everything and the best the minimal tree."""
    found = growth(uniform(3, 4, best_first), None, 4)
    assert found.nodes[MINIMAX][4] == found.nodes[WORST][4] == full_tree(3, 4)
    assert found.nodes[BEST][4] == pw.search(uniform(3, 4, True), algorithm="alphabeta").nodes
    assert found.nodes[NATURAL][4] == (found.nodes[BEST][4] if best_first else full_tree(3, 4))
    assert (found.sizes[4].most, found.sizes[4].fewest) == (81, 17)


def test_every_depth_is_counted_by_itself() -> None:
    game = TicTacToe()
    found = growth(game, "XO./.X./..O", 4)
    assert list(found.nodes) == list(CURVES)
    for depth in range(1, 5):
        for curve, algorithm in ((MINIMAX, "minimax"), (NATURAL, "alphabeta")):
            alone = pw.search(game, "XO./.X./..O", depth=depth, algorithm=algorithm)
            assert found.nodes[curve][depth] == alone.nodes
    assert found.sizes[3].leaves == pw.search(game, "XO./.X./..O", depth=3, algorithm="minimax").leaves


def test_sorted_trees_have_the_value_of_the_game() -> None:
    from plywise.study.growth import _levels, _sorted_tree

    game = ConnectFour(4, 4)
    start = game.parse("1122")
    levels = _levels(game, start, 4)
    for depth in range(1, 5):
        for best_first in (False, True):
            tree = _sorted_tree(levels[: depth + 1], best_first)
            assert oracle.value_of(tree, tree.initial()) == oracle.value_of(game, start, depth)


def test_big_trees_are_sorted_as_deep_as_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.study.growth.MOST_SORTED", 50)
    found = growth(TicTacToe(), "XO./.X./..O", 4)
    assert max(found.nodes[MINIMAX]) == max(found.nodes[ENGINE]) == 4
    assert max(found.nodes[WORST]) == max(found.nodes[BEST]) == 2


def test_what_theory_says_of_a_tree_too_big_to_count_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.study.growth.MOST_NODES", 1000)
    found = growth(ConnectFour(), None, 5)
    last = max(found.nodes[MINIMAX])
    assert last < max(found.sizes)
    assert found.sizes[last].exact
    assert not found.sizes[last + 1].exact


def test_more_than_two_players_are_refused() -> None:
    with pytest.raises(SearchError, match="growth is for two players"):
        growth(DogCatMouse(), None, 2)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_chart_is_drawn(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    made: Any = growth(Tree.from_lists([[3, 8], [2, 9]]), None, 2)
    made.write_plot(tmp_path / f"chart.{kind}")
    assert (tmp_path / f"chart.{kind}").stat().st_size > 5000
