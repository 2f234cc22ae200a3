"""Three common ways to annotate a searched tree.

- ``window``: at each node its window (alpha, beta), on entry above it and now below it.
- ``edge``: on each edge the parent's bound at that time: alpha at Max, beta at Min.
- ``interval``: at each node the interval in which its value is known to lie, as Russell and Norvig draw it.

And ``blank``: the bare tree, for an exercise.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from plywise.errors import SearchError
from plywise.explain.intervals import LEAF_KINDS, Interval, interval_text, known_intervals
from plywise.explain.search_tree import SearchTree, Visit
from plywise.explain.text import number, window
from plywise.game import MAX, MIN
from plywise.layers import CHANCE

Notation = Literal["window", "edge", "interval", "blank"]

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
