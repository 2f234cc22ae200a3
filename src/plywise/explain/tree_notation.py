"""Three common ways to annotate a searched tree.

- ``window``: at each node its window (alpha, beta), on entry above it and now below it.
- ``edge``: on each edge the parent's bound at that time: alpha at Max, beta at Min.
- ``interval``: at each node the interval in which its value is known to lie, as Russell and Norvig draw it.

And ``blank``: the bare tree, for an exercise.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from plywise.errors import SearchError
from plywise.explain.search_tree import SearchTree, Visit
from plywise.explain.text import number, window
from plywise.game import MAX, MIN, sign
from plywise.layers import CHANCE

Notation = Literal["window", "edge", "interval", "blank"]

LEAF_KINDS = ("terminal", "horizon")

MEANINGS: dict[Notation, str] = {
    "window": "Above a node: its window on entry; below it, in bold: its window now, where it changed.",
    "edge": "On an edge: the parent's bound when it searches the child.",
    "interval": "Above a node: the interval in which its value is known to lie, for Max.",
    "blank": "",
}


def checked(name: str) -> Notation:
    """Return the notation of this name.

    Raises:
        SearchError: there is no such notation.
    """
    for known in get_args(Notation):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise SearchError(f"there is no notation {name!r}; there are: {', '.join(get_args(Notation))}")


class Labels(NamedTuple):
    """The labels of a node: in its shape, above and below it, and on the edge that leads to it."""

    value: str = ""
    above: str = ""
    below: str = ""
    edge: str = ""


NOTHING = Labels()


class Writer:
    """Writes labels in one notation."""

    def __init__(self, tree: SearchTree, notation: Notation) -> None:
        self.tree, self.notation = tree, notation
        self.scores, self.windows = tree.algorithm.many_players, tree.algorithm.has_window

    @cached_property
    def intervals(self) -> dict[int, Interval]:
        """The known intervals, if this notation shows them."""
        return known_intervals(self.tree) if self.notation == "interval" and not self.scores else {}

    @property
    def meaning(self) -> str:
        """What the labels mean; empty if this search has none."""
        if self.notation == "interval":
            return "" if self.scores else MEANINGS["interval"]
        return MEANINGS[self.notation] if self.windows else ""

    def labels(self, visit: Visit) -> Labels:
        """Return the labels of a visit."""
        name = self.tree.role(visit.player) if self.scores and visit.kind not in LEAF_KINDS else ""
        if self.notation == "blank":
            return Labels(self._value(visit) if visit.kind in LEAF_KINDS else "", name)
        if visit.kind in LEAF_KINDS:
            return Labels(self._value(visit), edge=self._bound(visit))
        if visit.number in self.intervals:
            return Labels(above=interval_text(self.intervals[visit.number]))
        if self.notation == "edge":
            return Labels(self._value(visit), name or self._question(visit), edge=self._bound(visit))
        return Labels(self._value(visit), name or self._question(visit) or self._entry(visit), self._now(visit))

    def _value(self, visit: Visit) -> str:
        if visit.value is None:
            return "…"
        if visit.question and visit.kind not in LEAF_KINDS:
            return "yes" if visit.value else "no"
        return f"{'' if visit.relation == '=' else f'{visit.relation} '}{number(visit.value)}"

    def _question(self, visit: Visit) -> str:
        """Return the question of a boolean search: at every node, or only at the root if edges carry it."""
        if not visit.question or (self.notation == "edge" and visit.parent is not None):
            return ""
        return _asked(visit)

    def _entry(self, visit: Visit) -> str:
        return window(visit.alpha, visit.beta) if self.windows else ""

    def _now(self, visit: Visit) -> str:
        changed = visit.window != (visit.alpha, visit.beta)
        return window(*visit.window) if self.windows and changed and not visit.question else ""

    def _bound(self, visit: Visit) -> str:
        """Return the label of the edge to a visit: the parent's bound or question."""
        above = visit.parent
        if self.notation != "edge" or above is None:
            return ""
        if visit.question:
            return "" if above.question else _asked(visit)
        if not self.windows or above.player == CHANCE:
            return ""
        bound = self.tree.limit(visit, MIN if above.player == MAX else MAX)
        if math.isinf(bound):
            return ""
        letter = "β" if above.player == MIN and not self.tree.signs_turn else "α"
        return f"{letter} {number(self.tree.seen_by(bound, above.player))}"


def _asked(visit: Visit) -> str:
    return f"v {'≥' if visit.question == '>=' else '>'} {number(visit.alpha)}?"


# Intervals -----------------------------------------------------------------------------------------------------------

Interval = tuple[Any, Any]
ANYTHING: Interval = (-math.inf, math.inf)


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


def _from_value(tree: SearchTree, visit: Visit) -> Interval:
    if visit.value is None or visit.question:
        return ANYTHING
    value = tree.seen_by(visit.value, visit.player)
    turned = tree.signs_turn and sign(visit.player) < 0
    if visit.relation == "=":
        return value, value
    return (value, math.inf) if (visit.relation == "≥") != turned else (-math.inf, value)


def _common(one: Interval, other: Interval) -> Interval:
    return max(one[0], other[0]), min(one[1], other[1])
