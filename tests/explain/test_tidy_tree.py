"""Properties of the layout, on random trees."""

from __future__ import annotations

import math
import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plywise.explain.tidy_tree import tidy_tree

GAP = 3.0
Tree = tuple[list[list[int]], list[float]]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees of any shape: each node hangs below one that came before it, perhaps in front of its siblings."""
    size = draw(st.integers(1, 60))
    reach = draw(st.sampled_from([1, 2, 4, 60]))  # small: deep trees
    children: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        siblings = children[draw(st.integers(max(0, node - reach), node - 1))]
        siblings.insert(draw(st.integers(0, len(siblings))), node)
    return children, [float(width) for width in draw(st.lists(st.integers(0, 30), min_size=size, max_size=size))]


def rows(children: list[list[int]]) -> list[list[int]]:
    """The nodes of each level, from left to right."""
    found = [[0]]
    while below := [child for node in found[-1] for child in children[node]]:
        found.append(below)
    return found


@given(trees())
def test_levels_are_distances_from_the_root(tree: Tree) -> None:
    children, widths = tree
    _, levels = tidy_tree(children, widths)
    assert all(levels[node] == number for number, row in enumerate(rows(children)) for node in row)


@given(trees())
def test_neighbours_keep_their_order_and_their_distance(tree: Tree) -> None:
    children, widths = tree
    x, _ = tidy_tree(children, widths, GAP)
    for row in rows(children):
        for left, right in pairwise(row):
            assert x[right] - x[left] >= (widths[left] + widths[right]) / 2 + GAP - 1e-6


@given(trees())
def test_a_parent_stands_in_the_middle_of_its_children(tree: Tree) -> None:
    children, widths = tree
    x, _ = tidy_tree(children, widths, GAP)
    for node, below in enumerate(children):
        if below:
            assert math.isclose(x[node], (x[below[0]] + x[below[-1]]) / 2, abs_tol=1e-6)


@given(trees())
def test_no_edges_cross(tree: Tree) -> None:
    """Two edges between the same levels cross if their upper ends are in one order and their lower ends in another."""
    children, widths = tree
    x, levels = tidy_tree(children, widths, GAP)
    edges = sorted((levels[node], x[node], x[child]) for node, below in enumerate(children) for child in below)
    for (level, upper, lower), (next_level, next_upper, next_lower) in pairwise(edges):
        assert level != next_level or (upper <= next_upper and lower < next_lower)


@given(trees())
def test_the_drawing_begins_at_zero(tree: Tree) -> None:
    children, widths = tree
    x, _ = tidy_tree(children, widths, GAP)
    assert math.isclose(min(middle - width / 2 for middle, width in zip(x, widths, strict=True)), 0, abs_tol=1e-9)


@given(trees())
def test_the_mirror_image_of_a_tree_is_drawn_as_the_mirror_image(tree: Tree) -> None:
    children, widths = tree
    x, _ = tidy_tree(children, widths, GAP)
    mirrored, _ = tidy_tree([below[::-1] for below in children], widths, GAP)
    for node in range(len(children)):
        assert math.isclose(x[node] - x[0], mirrored[0] - mirrored[node], abs_tol=1e-6)


@given(trees())
def test_a_subtree_is_drawn_as_if_it_were_alone(tree: Tree) -> None:
    children, widths = tree
    x, _ = tidy_tree(children, widths, GAP)
    for child in children[0]:
        own = [child]
        for node in own:
            own.extend(children[node])
        numbers = {node: number for number, node in enumerate(own)}
        alone, _ = tidy_tree(
            [[numbers[c] for c in children[node]] for node in own], [widths[node] for node in own], GAP
        )
        for node in own:
            assert math.isclose(x[node] - x[child], alone[numbers[node]] - alone[0], abs_tol=1e-6)


def test_small_subtrees_between_two_big_ones_are_spread_evenly() -> None:
    children: list[list[int]] = [[1, 2, 3, 4], [5, 6, 7, 8, 9, 10], [], [], [11, 12, 13, 14, 15, 16]]
    children += [[] for _ in range(12)]
    x, _ = tidy_tree(children, [1.0] * 17)
    assert math.isclose(x[2] - x[1], x[3] - x[2])
    assert math.isclose(x[3] - x[2], x[4] - x[3])


def test_a_tree_of_ten_thousand_levels_needs_no_recursion() -> None:
    size = 10_000
    x, levels = tidy_tree([[node + 1] for node in range(size - 1)] + [[]], [2.0] * size)
    assert set(x) == {1.0}
    assert levels[-1] == size - 1


def test_the_work_grows_as_the_tree_does() -> None:
    """Counted, not timed: how often children are looked at, in a tree and in one ten times as big."""

    class Counted(list[list[int]]):
        looks = 0

        def __getitem__(self, index):
            Counted.looks += 1
            return super().__getitem__(index)

    def looks(size: int) -> int:
        chance = random.Random(1)
        children = Counted([] for _ in range(size))
        for node in range(1, size):
            list.__getitem__(children, chance.randrange(max(0, node - 40), node)).append(node)
        Counted.looks = 0
        tidy_tree(children, [1.0] * size)
        return Counted.looks

    assert looks(11_000) < 15 * looks(1_100)
