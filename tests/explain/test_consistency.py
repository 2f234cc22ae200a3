"""Windows, bounds, intervals and the summary of a search never contradict each other, at any step of any algorithm."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.explain import grow, story, text
from plywise.explain.intervals import LEAF_KINDS, Interval, known_intervals
from plywise.explain.search_tree import SearchTree, Visit
from plywise.explain.tree_notation import Writer
from plywise.games import Tree
from tests.oracle import expected_of

ALGORITHMS = [name for name, algorithm in TEXTBOOK.items() if not algorithm.many_players]
SEEDS = range(15)


def random_tree(chance: random.Random, plies: int = 3, with_dice: bool = False) -> Any:
    """A JSON tree: ragged, with ties, single moves, players that move twice and, where asked for, dice."""
    if plies == 0 or (plies < 3 and chance.random() < 0.15):
        return chance.randint(-4, 4)
    children = [random_tree(chance, plies - 1, with_dice) for _ in range(chance.choice((1, 2, 2, 3)))]
    player = chance.choice(("max", "min", "chance") if with_dice else ("max", "min"))
    return {"player": player, "children": children}


def random_search(name: str, seed: int) -> pw.Result:
    chance = random.Random(f"{name} {seed}")
    algorithm = TEXTBOOK[name]
    tree = Tree.from_json(random_tree(chance, with_dice=algorithm.takes_chance))
    options: dict[str, Any] = {}
    for option in algorithm.options:
        if option == "strict":
            options[option] = chance.random() < 0.5
        elif option in ("goal", "guess"):
            options[option] = chance.randint(-3, 3)
    for low, high in (("alpha", "beta"), ("low", "high")):
        if low in algorithm.options and chance.random() < 0.5:
            options[low] = chance.randint(-4, 1)
            options[high] = options[low] + chance.randint(1, 4)
    with pw.interpreted():
        return pw.search(tree, algorithm=name, record=True, **options)


def says(tree: SearchTree, visit: Visit) -> Interval:
    """Where the value of a visit lies for Max, by the label in its shape."""
    value = tree.seen_by(visit.value, visit.player)
    upward = (visit.relation == "≥") != (tree.signs_turn and visit.player == pw.MIN)
    return {"=": (value, value)}.get(visit.relation, (value, math.inf) if upward else (-math.inf, value))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_label_and_an_interval_say_the_same_and_are_right(name: str) -> None:
    for seed in SEEDS:
        result = random_search(name, seed)
        tree = grow(result)
        intervals = known_intervals(tree)
        for visit in tree.visits.values():
            where, (low, high) = (name, seed, visit.number), intervals[visit.number]
            truth = expected_of(tree.game, visit.state)
            assert low - 1e-9 <= truth <= high + 1e-9, where
            if visit.question:
                assert visit.kind in LEAF_KINDS or answer_fits(visit, truth), where
                continue
            least, most = says(tree, visit)
            for lower, higher in ((least, low), (low, high), (high, most)):  # the interval lies within the bound
                assert lower <= higher + 1e-9, where
            value = pytest.approx(tree.seen_by(visit.value, visit.player), abs=1e-9)
            assert (visit.relation == "=") == (low == value and high == value), where


def answer_fits(visit: Visit, truth: float) -> bool:
    return bool(visit.value) == (truth > visit.alpha or (truth == visit.alpha and visit.question == ">="))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_step_shows_a_point_beside_a_bound_on_it(name: str) -> None:
    for seed in SEEDS:
        result = random_search(name, seed)
        told, tree = story(result), grow(result)
        values: dict[int, str] = {}
        intervals: dict[int, str] = {}
        for count, step in enumerate(told["steps"], 1):
            if "value" in step["change"]:
                values[step["visit"]] = step["change"]["value"]
            intervals.update(step.get("known", ()))
            for number, interval in intervals.items():
                low, high = interval[1:-1].split(", ")
                value, turned = values.get(number, ""), tree.signs_turn and tree.visits[number].player == pw.MIN
                point = negated(low) if turned else low
                if low == high:
                    assert value not in (f"≥ {point}", f"≤ {point}"), (name, seed, count, interval, value)
                elif value == point:
                    raise AssertionError((name, seed, count, interval, value))


def negated(text: str) -> str:
    """The same value for the other player."""
    return text if text == "0" else text[1:] if text.startswith("-") else f"-{text}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_bound_on_an_edge_is_an_end_of_the_window_below_it(name: str) -> None:
    for seed in SEEDS:
        tree = grow(random_search(name, seed))
        writer = Writer(tree, "edge")
        for visit in tree.visits.values():
            label = writer.labels(visit).edge
            if not label or visit.question:
                continue
            assert visit.parent is not None
            ends = [tree.seen_by(each, visit.player) for each in (visit.alpha, visit.beta)]
            assert label[2:] in [text.number(tree.seen_by(each, visit.parent.player)) for each in ends], (name, seed)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_summary_says_what_the_root_says(name: str) -> None:
    for seed in SEEDS:
        result = random_search(name, seed)
        root, told = grow(result).passes[-1].root, story(result)
        if root.question or len(grow(result).passes) > 1:
            continue  # yes or no; or the value follows from several passes
        is_bound = told["summary"].startswith(("value at most", "value at least"))
        assert is_bound == (root.relation != "="), (name, seed, told["summary"])
