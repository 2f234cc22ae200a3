"""Three ways to write on a tree what a search knows, as courses use them.

- ``window``: at each node its window (alpha, beta), on entry above it and now below it.
- ``edge``: on each edge the bound that the parent has when it goes down: alpha at Max, beta at Min.
- ``interval``: at each node the interval in which its value is known to lie, as Russell and Norvig draw it.

And ``blank``: the tree alone, for an exercise.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from plywise.errors import SearchError
from plywise.explain.search_tree import SearchTree, Visit
from plywise.explain.text import number, window
from plywise.game import MAX, MIN, sign

Notation = Literal["window", "edge", "interval", "blank"]

LEAF_KINDS = ("terminal", "horizon")

MEANINGS: dict[Notation, str] = {
    "window": "Above a node: its window on entry; below it, in bold: its window now, where it changed.",
    "edge": "On an edge: the bound that the parent has when it goes down.",
    "interval": "Above a node: the interval in which its value is known to lie, for Max.",
    "blank": "",
}


def checked(name: str) -> Notation:
    """Return the notation of this name.

    Raises:
        SearchError: there is none.
    """
    for known in get_args(Notation):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise SearchError(f"there is no notation {name!r}; there are: {', '.join(get_args(Notation))}")


class Labels(NamedTuple):
    """What is written at a node: in its shape, above and below it, and on the edge that leads to it."""

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
        """What is known of the values, where that is what is written."""
        return known_intervals(self.tree) if self.notation == "interval" and not self.scores else {}

    @property
    def meaning(self) -> str:
        """What to know to read the labels; nothing where this search has none."""
        if self.notation == "interval":
            return "" if self.scores else MEANINGS["interval"]
        return MEANINGS[self.notation] if self.windows else ""

    def labels(self, visit: Visit) -> Labels:
        """Return what to write at a visit."""
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
        """Return what is asked: at every node of a boolean search, but not on the edges within it."""
        if not visit.question or (self.notation == "edge" and visit.parent is not None):
            return ""
        return _asked(visit)

    def _entry(self, visit: Visit) -> str:
        return window(visit.alpha, visit.beta) if self.windows else ""

    def _now(self, visit: Visit) -> str:
        changed = visit.window != (visit.alpha, visit.beta)
        return window(*visit.window) if self.windows and changed and not visit.question else ""

    def _bound(self, visit: Visit) -> str:
        """Return what stands on the edge to a visit: what the parent has, or asks, when it goes down."""
        above = visit.parent
        if self.notation != "edge" or above is None:
            return ""
        if visit.question:
            return "" if above.question else _asked(visit)
        if not self.windows:
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
    """By the number of a visit, between what its value, for MAX, is known to lie, while a tree grows.

    A leaf is known.  Of another node follows from its children what minimax says, and from what the visit returned what
    a value outside its window means; children that were not looked at may be worth anything.
    """

    def __init__(self, tree: SearchTree) -> None:
        self.tree = tree
        self.known: dict[int, Interval] = {}
        self._move_counts: dict[int, int] = {}

    def learn(self, visit: Visit) -> list[int]:
        """Take in what has happened at a visit; return the numbers of the visits whose intervals it changes."""
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
        below = list(by_move.values())
        if not below or visit.kind == "recalled" or self._unseen(visit, len(by_move)):
            below.append(ANYTHING)
        choose = max if visit.player == MAX else min
        return choose(low for low, _ in below), choose(high for _, high in below)

    def _unseen(self, visit: Visit, seen: int) -> bool:
        """Return whether there are moves that were not searched."""
        if visit.value is not None:
            return visit.cut is not None and bool(visit.cut.left_out)
        if visit.number not in self._move_counts:
            self._move_counts[visit.number] = sum(1 for _ in self.tree.game.moves(visit.state))
        return seen < self._move_counts[visit.number]


def known_intervals(tree: SearchTree) -> dict[int, Interval]:
    """Return the intervals of all visits of a tree, by their numbers."""
    intervals = Intervals(tree)
    for place in sorted(tree.visits, reverse=True):  # children come after their parents
        intervals.known[place] = intervals.of(tree.visits[place])
    return intervals.known


def interval_text(interval: Interval) -> str:
    """Return an interval as the drawings write it."""
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
