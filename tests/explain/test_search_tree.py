"""``grow`` turns events into the tree that was searched, with true statements about values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.errors import SearchError
from plywise.explain import SearchTree, Visit, grow
from plywise.explain.search_tree import leaf_states
from plywise.games import RedBlue, Tree
from plywise.result import Result
from tests import oracle

NAMES = [name for name in TEXTBOOK if name != "boolean"]
WINDOWED = [
    "alphabeta", "alphabeta_hard", "negamax_alphabeta", "negamax_alphabeta_hard",
    "pvs", "memo", "mtdf", "aspiration", "satisficing",
]  # fmt: skip

trees = oracle.trees(oracle.whole_leaves).map(Tree.from_json)


def recorded(game: pw.Game, algorithm: str, **options: Any) -> Result:
    if algorithm == "boolean":
        options.setdefault("goal", 0)
    with pw.interpreted():
        return pw.search(game, algorithm=algorithm, record=True, **options)


def for_max(tree: SearchTree, visit: Visit) -> float:
    return visit.value * (pw.sign(visit.player) if tree.signs_turn else 1)


@pytest.mark.parametrize("name", [*NAMES, "boolean"])
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_every_visit_of_the_search_is_in_the_tree(name: str, game: Tree) -> None:
    result = recorded(game, name)
    tree = grow(result)
    drawn = [visit for one in tree.passes for visit in below(one.root)]
    assert sorted(visit.number for visit in drawn) == list(range(result.nodes))
    assert sum(visit.kind in ("terminal", "horizon") for visit in drawn) == result.leaves
    assert all(visit.value is not None for visit in drawn)


@pytest.mark.parametrize("name", WINDOWED)
@given(game=trees, alpha=st.integers(-9, 8), width=st.integers(1, 9))
@oracle.FOR_EACH_ALGORITHM
def test_what_a_relation_says_of_the_value_is_true(name: str, game: Tree, alpha: int, width: int) -> None:
    names = {
        "alpha": alpha,
        "beta": alpha + width,
        "low": alpha,
        "high": alpha + width,
        "guess": alpha,
        "margin": width,
    }
    result = recorded(game, name, **{key: value for key, value in names.items() if key in TEXTBOOK[name].options})
    tree = grow(result)
    for visit in tree.visits.values():
        truth, value, relation = oracle.value_of(game, visit.state), for_max(tree, visit), str(visit.relation)
        if tree.signs_turn and visit.player == pw.MIN:
            relation = {"≤": "≥", "≥": "≤"}.get(relation, relation)
        assert {"=": truth == value, "≤": truth <= value, "≥": truth >= value}[relation]


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta_hard", "negamax_alphabeta", "early_stop"])
@given(game=trees)
def test_every_leaf_is_either_visited_or_left_out(name: str, game: Tree) -> None:
    tree = grow(recorded(game, name))
    left_out = sum(len(tree.leaves_left_out(visit, 1000)) for visit in tree.visits.values() if visit.cut)
    visited = sum(visit.kind == "terminal" for visit in tree.visits.values())
    assert visited + left_out == len(list(leaf_states(game, game.initial(), None)))


@pytest.mark.parametrize("name", NAMES)
@given(game=trees)
@oracle.FOR_EACH_ALGORITHM
def test_the_line_is_that_of_the_result(name: str, game: Tree) -> None:
    result = recorded(game, name)
    line = grow(result).line
    moves = tuple(visit.move for visit in line[1:])
    assert moves == result.line[: len(moves)]
    if not TEXTBOOK[name].uses_table:  # a memo cuts the line short: what follows was seen elsewhere
        assert moves == result.line


def test_part_of_the_events_gives_the_tree_so_far() -> None:
    result = recorded(RedBlue(), "alphabeta")
    assert result.events is not None
    for steps in range(1, len(result.events) + 1):
        tree = grow(result, steps=steps)
        assert tree.current is tree.visits[result.events[steps - 1].node]
        assert len(tree.visits) == sum(event.kind == "enter" for event in result.events[:steps])


def test_passes_and_second_visits_are_kept_apart() -> None:
    assert len(grow(recorded(RedBlue(), "aspiration", guess=2, margin=1)).passes) == 3
    root = grow(recorded(RedBlue(), "pvs")).passes[0].root
    assert [child.way for child in root.children[0].children] == [None, "null window", "re-search"]


def test_scout_asks_max_for_more_and_min_for_at_least() -> None:
    root = grow(recorded(RedBlue(), "scout")).passes[0].root
    assert root.children[1].question == ">="
    assert root.children[0].children[1].question == ">"


def test_the_json_form_has_the_same_tree() -> None:
    report = grow(recorded(RedBlue(), "alphabeta")).to_json()
    root = report["passes"][0]
    assert (root["player"], root["value"], root["relation"], root["best_play"]) == ("Min", -3, "=", True)
    assert root["children"][1]["left_out"] == ["R"]


def test_a_search_without_events_is_refused() -> None:
    with pw.interpreted(), pytest.raises(SearchError, match="record=True"):
        grow(pw.search(RedBlue(), depth=2))


def below(visit: Visit) -> list[Visit]:
    return [visit, *(deeper for child in visit.children for deeper in below(child))]
