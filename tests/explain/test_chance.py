"""Chance nodes: round, with probabilities on their edges, and cuts that are explained with their arithmetic."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.explain import SearchTree, cut_reason, figure, grow, sentence
from plywise.explain.intervals import known_intervals
from plywise.explain.story import story
from plywise.explain.terminal import drawing, legend
from plywise.games import Tree
from tests.explain.test_search_tree import recorded
from tests.oracle import expected_of, trees_with_chance, whole_leaves

DICE = Tree.from_json({"player": "max", "children": [2, {
    "player": "chance", "move": "roll", "probabilities": [0.5, 0.25, 0.25],
    "children": [{"player": "min", "children": [0, 9, 8, -1]}] * 3,
}]})  # fmt: skip

CHANCE = [name for name, each in TEXTBOOK.items() if each.takes_chance]
trees = trees_with_chance(whole_leaves).map(Tree.from_json)


def sentences(name: str) -> list[str]:
    result = recorded(DICE, name)
    return [sentence(grow(result), event) for event in result.events or ()]


def chance_node(tree: SearchTree) -> Any:
    return next(visit for visit in tree.visits.values() if visit.player == pw.CHANCE)


def test_a_cut_at_a_chance_node_is_explained_with_its_arithmetic() -> None:
    texts = sentences("star1")
    assert "At roll (Chance): 1 adds 0.5 · (-1) = -0.5 to the average, which is between -1 and 4." in texts
    assert (
        "Cut at roll (Chance): 0.5 · (-1) + 0.25 · 0 + at most 2.25 = at most 1.75 ≤ alpha 2: Max already has 2, so "
        "will not come here; 3 is left out."
    ) in texts
    assert (
        "Cut at roll 2 (Min): alpha 1 > beta 0: beyond 1, nothing changes at roll (Chance); 2, 3 and 4 are left out."
    ) in texts


def test_a_cut_is_explained_by_the_bound_that_made_it() -> None:
    # The first outcome is searched with the window (0, 0): its value is at most 0, and the bounds say at least 0.
    game = Tree.from_json({"player": "min", "children": [-1, {"player": "chance", "move": "roll", "children": [
        {"player": "max", "children": [0, 0]}, {"player": "min", "children": [5, 9]},
    ]}]})  # fmt: skip
    tree = grow(recorded(game, "star1"))
    assert cut_reason(tree, chance_node(tree)) == (
        "0.5 · 0 + at least 0 = at least 0 ≥ beta -1: Min already has -1, so will not come here"
    )


def test_a_window_that_is_wider_by_rounding_alone_looks_empty() -> None:
    """Each chance node widens it, and divides that by a probability."""
    outcome = {"player": "chance", "probabilities": [1 / 6, 1 / 6, 2 / 3], "children": [0, 0, 3]}
    outcomes = [outcome, {"player": "max", "children": [-4]}]
    game = Tree.from_json({"player": "min", "children": [
        {"player": "chance", "children": [0, 0, -4]},
        {"player": "chance", "probabilities": [2 / 3, 1 / 3], "children": outcomes},
    ]})  # fmt: skip
    result = recorded(game, "star1")
    texts = [sentence(grow(result), event) for event in result.events or ()]
    assert sum("with the window (0, 0+)." in text for text in texts) == 3
    assert not any("e-1" in text for text in texts)


def test_a_probe_and_what_it_shows_are_explained() -> None:
    texts = sentences("star2")
    assert "At roll (Chance): probe 3, with one move and the window (8, 9)." in texts
    assert "roll 3 (Min) returns at most 0." in texts
    assert "At roll (Chance): after 3, the average is between -1 and 0." in texts
    assert texts[-3] == (
        "Cut at roll (Chance): the average is at most 0 ≤ alpha 2: Max already has 2, so will not come here; what was "
        "only probed need not be searched."
    )


def test_without_pruning_every_outcome_is_added() -> None:
    texts = sentences("expectiminimax")
    assert "Enter roll (Chance): its value is the average of its outcomes." in texts
    assert "At roll (Chance): 3 adds 0.25 · (-1) = -0.25 to the average." in texts
    assert texts[-1] == "The root (Max) returns 2."


@pytest.mark.parametrize("name", CHANCE)
@given(game=trees)
@settings(max_examples=40)
def test_every_event_is_one_sentence(name: str, game: Tree) -> None:
    result = recorded(game, name)
    for event in result.events or ():
        text = sentence(grow(result), event)
        assert text.endswith((".", "?"))
        assert not any(part in text for part in ("\n", "None", "nan", "e-1"))


@pytest.mark.parametrize("name", ["star1", "star2"])
@given(game=trees)
@settings(max_examples=60)
def test_what_is_said_of_an_average_is_true(name: str, game: Tree) -> None:
    tree = grow(recorded(game, name))
    for number, (low, high) in known_intervals(tree).items():
        exact = expected_of(game, tree.visits[number].state)
        assert low - 1e-9 <= exact <= high + 1e-9
    for visit in tree.visits.values():
        if visit.average is not None:
            exact = expected_of(game, visit.state)
            assert visit.average[0] - 1e-9 <= exact <= visit.average[1] + 1e-9
        if visit.cut is not None and visit.player == pw.CHANCE:
            reason = cut_reason(tree, visit)
            assert ("≤ alpha" in reason) != ("≥ beta" in reason)
            assert exact <= visit.cut.alpha if "≤ alpha" in reason else exact >= visit.cut.beta


@pytest.mark.parametrize("name", CHANCE)
def test_chance_is_round_and_its_edges_have_probabilities(name: str) -> None:
    drawn = figure(grow(recorded(DICE, name)))
    assert [node.shape for node in drawn.nodes].count("round") == 1
    edges = [text.text for edge in drawn.edges for text in edge.texts]
    assert [text.split(" probe")[0] for text in edges if "·" in text and "=" not in text and "+" not in text] == [
        "1 · 0.5", "2 · 0.25", "3 · 0.25",
    ]  # fmt: skip
    assert 'shape="ellipse"' in drawn.dot()
    assert r"1 $\cdot$ 0.5" in drawn.tikz()
    assert 'class="node round"' in drawn.svg()


def test_the_terminal_shows_chance_as_a_circle() -> None:
    tree = grow(recorded(DICE, "star2"))
    lines = [str(line.content) for line in drawing(tree)]
    assert "roll ○ (2, ∞) ≤ 0" in lines
    assert "3 · 0.25 ▼ (8, 9) probe ≤ 0" in lines
    assert "○ chance" in str(legend(tree))
    assert "○" not in str(legend(grow(recorded(pw.games.RedBlue(), "alphabeta"))))


def test_the_story_has_round_nodes_probabilities_and_probes() -> None:
    told = story(recorded(DICE, "star2"))
    rolled = next(visit for visit in told["visits"] if visit["shape"] == "round")
    assert (rolled["move"], rolled["player"]) == ("roll", "Chance")
    outcomes = [visit for visit in told["visits"] if "·" in visit["move"]]
    assert (outcomes[0]["move"], outcomes[0]["way"]) == ("1 · 0.5", "probe")
    assert told["summary"].startswith("value 2 expected, best play 1;")


def test_json_has_the_probabilities() -> None:
    report = grow(recorded(DICE, "expectiminimax")).to_json()
    assert [child["probability"] for child in report["passes"][0]["children"][1]["children"]] == [0.5, 0.25, 0.25]
    assert "probability" not in report["passes"][0]["children"][0]


def test_of_many_outcomes_the_likely_ones_are_drawn() -> None:
    many = Tree.from_json({
        "player": "chance", "probabilities": [0.05, 0.4, 0.05, 0.4, 0.1], "children": [1, 2, 3, 4, 5],
    })  # fmt: skip
    drawn = figure(grow(recorded(many, "expectiminimax")), widest=2)
    assert {text.text for edge in drawn.edges for text in edge.texts} == {"2 · 0.4", "4 · 0.4"}


@pytest.mark.parametrize("name", ["paranoid", "best_reply"])
def test_a_cut_against_a_coalition_says_who_has_what(name: str) -> None:
    game = Tree.from_json({"players": ["ann", "bob", "cy"], "player": "ann", "children": [
        {"values": [3, 0, 0]}, {"player": "bob", "children": [{"values": [1, 0, 0]}, {"values": [9, 0, 0]}]},
    ]})  # fmt: skip
    tree = grow(recorded(game, name))
    cut = next(visit for visit in tree.visits.values() if visit.cut is not None)
    assert cut_reason(tree, cut) == "alpha 3 > beta 1: ann already has 3, so it will not come here"
    assert cut.relation == "≤"


def test_a_position_with_a_board_is_round_too() -> None:
    from tests.die import RightDie

    class Shown(RightDie):
        def board(self, state: Any) -> str:
            return f"points {state.points}\nleft {state.left}"

    drawn = figure(grow(recorded(Shown(1), "star1")))
    root = drawn.nodes[0]
    assert (root.shape, len(root.board)) == ("round", 2)
    assert chance_node(grow(recorded(Shown(1), "star1"))).state == Shown(1).initial()
