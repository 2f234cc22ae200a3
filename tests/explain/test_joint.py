"""Searches laid on top of each other: one place for a node, and moments at which they are side by side."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import plywise as pw
from plywise.algorithms import TEXTBOOK
from plywise.explain import grow, stories
from plywise.explain.search_tree import Visit
from plywise.games import Tree
from tests.explain.test_consistency import random_tree

PAIRS = [(name, "minimax") for name, each in TEXTBOOK.items() if each.finds_value and not each.takes_chance]


def path(visit: Visit) -> tuple[object, ...]:
    return tuple(each.move for each in visit.path[1:])


@pytest.mark.parametrize("names", PAIRS, ids=lambda names: names[0])
def test_a_place_is_one_node_and_moments_never_go_back(names: tuple[str, str]) -> None:
    for seed in range(5):
        game = Tree.from_json(random_tree(random.Random(seed)))
        with pw.interpreted():
            results = [pw.search(game, algorithm=name, record=True) for name in names]
        told = stories(results)
        at: dict[int, tuple[object, ...]] = {}
        across: dict[int, float] = {}
        for result, one in zip(results, told, strict=True):
            assert len(one["moments"]) == len(one["steps"])
            assert all(before <= after for before, after in pairwise(one["moments"]))
            for number, visit in grow(result).visits.items():
                assert at.setdefault(one["places"][number], path(visit)) == path(visit), seed
            for place, x in zip(one["places"], one["drawings"][0]["x"], strict=True):
                assert across.setdefault(place, x) == x, seed
        assert all(one["whole"] for one in told)
        assert set(told[1]["places"]) <= set(told[0]["places"])  # what minimax visits is drawn for the other, too
