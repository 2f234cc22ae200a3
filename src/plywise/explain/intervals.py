"""The interval in which the value of each node is known to lie, as Russell and Norvig draw it, while a search goes on.

What a search returns and what follows from the children are one knowledge: if the children pin the value down, it is
exact, even if it lies outside the window.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from plywise.explain.text import number
from plywise.game import MAX, sign
from plywise.layers import CHANCE

if TYPE_CHECKING:
    from plywise.explain.search_tree import SearchTree, Visit

LEAF_KINDS = ("terminal", "horizon")

Interval = tuple[Any, Any]
ANYTHING: Interval = (-math.inf, math.inf)
Relation = Literal["=", "≤", "≥"]

TOLERANCE = 1e-10
"""Averages that differ by less are equal up to rounding."""


class Intervals:
    """The interval in which the value of each visit is known to lie, for MAX, while a tree grows.

    The value of a leaf is known.  For other nodes two intervals are combined: the one that minimax gives from the
    children (their average where chance moves), where a child not yet searched may have any value, and the one that
    follows from the value returned, which outside its window is only a bound.
    """

    def __init__(self, tree: SearchTree) -> None:
        self.tree = tree
        self.known: dict[int, Interval] = {}
        self._move_counts: dict[int, int] = {}

    def learn(self, visit: Visit) -> list[int]:
        """Update the intervals after an event at a visit; returns the numbers of the visits whose intervals change."""
        changed: list[int] = []
        at: Visit | None = visit
        while at is not None and self.known.get(at.number) != (now := self.of(at)):
            self.known[at.number] = now
            changed.append(at.number)
            at = at.parent
        return changed

    def settle(self, visit: Visit) -> Relation:
        """Keep the interval of a visit that has returned; returns how its true value compares with the one returned."""
        low, high = self.known[visit.number] = self.of(visit)
        if visit.kind in LEAF_KINDS or visit.question:
            return "="
        value = self.tree.seen_by(visit.value, visit.player)
        if _near(low, high) and _near(low, value):
            return "="
        if (by_window := _by_window(visit)) is not None:
            return by_window
        turned = self.tree.signs_turn and sign(visit.player) < 0
        return "≥" if (low >= value) != turned else "≤"

    def of(self, visit: Visit) -> Interval:
        """Return the interval of a visit, from those of its children."""
        if visit.kind in LEAF_KINDS:
            value = self.tree.seen_by(visit.value, visit.player)
            return value, value
        return _common(self._from_children(visit), _from_value(self.tree, visit))

    def _from_children(self, visit: Visit) -> Interval:
        by_move: dict[Any, Interval] = {}
        for child in visit.children:
            by_move[child.move] = _common(by_move.get(child.move, ANYTHING), self.known[child.number])
        if visit.player == CHANCE:
            return self._average(visit, by_move)
        below = list(by_move.values())
        if not below or visit.kind == "recalled" or self._unseen(visit, len(by_move)):
            below.append(ANYTHING)
        choose = max if visit.player == MAX else min
        return choose(low for low, _ in below), choose(high for _, high in below)

    def _average(self, visit: Visit, by_move: dict[Any, Interval]) -> Interval:
        """Return the average of what is known of the outcomes, or what the search knows of it, if that is more."""
        low, high = 0.0, 0.0
        for move in self.tree.game.moves(visit.state):
            odds, (lowest, highest) = self.tree.game.probability(visit.state, move), by_move.get(move, ANYTHING)
            low, high = low + odds * lowest, high + odds * highest
        return _common((low, high), visit.average or ANYTHING)

    def _unseen(self, visit: Visit, seen: int) -> bool:
        """Return whether some moves have not been searched."""
        if visit.value is not None and visit.way != "probe":
            return visit.cut is not None and bool(visit.cut.left_out)
        if visit.number not in self._move_counts:
            self._move_counts[visit.number] = sum(1 for _ in self.tree.game.moves(visit.state))
        return seen < self._move_counts[visit.number]


def known_intervals(tree: SearchTree) -> dict[int, Interval]:
    """Return the intervals of all visits of a tree, by number."""
    intervals = Intervals(tree)
    for place in sorted(tree.visits, reverse=True):  # children come after their parents
        intervals.known[place] = intervals.of(tree.visits[place])
    return intervals.known


def interval_text(interval: Interval) -> str:
    """Return an interval as text for drawings."""
    return f"[{number(interval[0])}, {number(interval[1])}]"


def _by_window(visit: Visit) -> Relation | None:
    """Return what the window says of the value returned: outside it is a bound; an empty window says nothing."""
    if visit.kind in LEAF_KINDS:
        return "="
    if visit.way == "probe":  # one move shows only that
        return "≥" if visit.player == MAX else "≤"
    if visit.alpha >= visit.beta:
        return None
    return "≤" if visit.value <= visit.alpha else "≥" if visit.value >= visit.beta else "="


def _from_value(tree: SearchTree, visit: Visit) -> Interval:
    relation = None if visit.value is None or visit.question else _by_window(visit)
    if relation is None:
        return ANYTHING
    value = tree.seen_by(visit.value, visit.player)
    turned = tree.signs_turn and sign(visit.player) < 0
    if relation == "=":
        return value, value
    return (value, math.inf) if (relation == "≥") != turned else (-math.inf, value)


def _common(one: Interval, other: Interval) -> Interval:
    return max(one[0], other[0]), min(one[1], other[1])


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, abs_tol=TOLERANCE)
