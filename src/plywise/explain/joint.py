"""One tree that has all nodes of several: the passes of a search, or two searches beside each other.

A node has one place in all of them, so drawings share their coordinates and searches are compared node by node.  A
place is a path of moves; a move that a search makes twice, such as a test and a re-search, has two places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from plywise.algorithms.watch import Event
from plywise.explain.drafts import NodeDraft
from plywise.explain.look import text_width
from plywise.explain.search_tree import SearchTree
from plywise.explain.tree_notation import Labels

LEAF_SHAPES = ("box", "estimate", "more")

Key = tuple[str, bool, int]
"""A child of a place: the move, whether it stands for several, and how often the move came before."""


class JointTree:
    """Trees laid on top of each other, each node with the widest labels it has in any of them."""

    def __init__(self) -> None:
        self.drafts: list[NodeDraft] = []
        """The root first."""
        self._below: list[dict[Key, int]] = []

    def add(self, drafts: Sequence[NodeDraft]) -> list[int]:
        """Add a tree, whose root comes first; returns the place of each of its nodes."""
        places = [0] * len(drafts)
        if self.drafts:
            self._merge(0, drafts[0])
        else:
            self._new(drafts[0])
        waiting = [0]
        while waiting:
            above = waiting.pop()
            seen: Counter[tuple[str, bool]] = Counter()
            before = -1  # the place of the sibling on the left
            for child in drafts[above].children:
                name = drafts[child].move, drafts[child].shape == "more"
                before = places[child] = self._child(places[above], (*name, seen[name]), drafts[child], before)
                seen[name] += 1
                waiting.append(child)
        return places

    def _child(self, above: int, key: Key, draft: NodeDraft, before: int) -> int:
        """Return the place of a child; if it is new, it comes right after ``before``."""
        if key in self._below[above]:
            place = self._below[above][key]
            self._merge(place, draft)
            return place
        place = self._below[above][key] = self._new(draft)
        siblings = self.drafts[above].children
        siblings.insert(siblings.index(before) + 1 if before in siblings else 0, place)
        return place

    def _new(self, draft: NodeDraft) -> int:
        self.drafts.append(replace(draft, children=[], reason=()))  # where a reason stood, one would see the cut coming
        self._below.append({})
        return len(self.drafts) - 1

    def _merge(self, place: int, draft: NodeDraft) -> None:
        known = self.drafts[place]
        known.labels = widest([known.labels, draft.labels])
        known.way = known.way if draft.way in ("plain", "cut") else draft.way

    @property
    def levels(self) -> list[int]:
        levels = [0] * len(self.drafts)
        waiting = [0]
        while waiting:
            above = waiting.pop()
            for child in self.drafts[above].children:
                levels[child] = levels[above] + 1
                waiting.append(child)
        return levels

    def even_out(self) -> None:
        """Give all nodes of a level the same room, so that the spaces do not show which of them will be visited."""
        levels = self.levels
        for level in range(max(levels) + 1):
            row = [draft for draft, its in zip(self.drafts, levels, strict=True) if its == level]
            inner = widest(draft.labels for draft in row if draft.shape not in LEAF_SHAPES)
            edge = widest(draft.labels for draft in row).edge
            for draft in row:
                draft.labels = (draft.labels if draft.shape in LEAF_SHAPES else inner)._replace(edge=edge)

    def tour(self) -> tuple[list[int], list[int]]:
        """Return when a walk around the whole tree comes to each place, and when it leaves it."""
        begins, ends = [0] * len(self.drafts), [0] * len(self.drafts)
        time, waiting = 0, [(0, False)]
        while waiting:
            place, done = waiting.pop()
            (ends if done else begins)[place] = time
            time += 1
            if not done:
                waiting.append((place, True))
                waiting += [(child, False) for child in reversed(self.drafts[place].children)]
        return begins, ends


def widest(labels: Iterable[Labels]) -> Labels:
    """Return for each part of the labels of nodes the widest text."""
    texts = list(labels)
    return Labels(*(max((each[i] for each in texts), key=_width, default="") for i in range(len(Labels._fields))))


def _width(text: str) -> float:
    return text_width(text, "entry")


def moments(tree: SearchTree, events: Sequence[Event], places: Sequence[int], joint: JointTree) -> list[int]:
    """Return for each event how far a walk around the joint tree has come by then, pass after pass.

    Two searches of one tree are side by side where their moments are the same: while one is below a node that the other
    skips, the other stays where it decided so.

    Args:
        tree: the finished tree of the search.
        events: the events of the search.
        places: by visit: its place in the joint tree.
        joint: the joint tree.
    """
    begins, ends = joint.tour()
    whole = 2 * len(joint.drafts) + 1
    found: list[int] = []
    latest = dict[int, int]()  # by visit: the end of its last child
    now, passed = 0, -1
    for event in events:
        if event.kind == "restart":
            found.append(now)
            continue
        visit = tree.visits[event.node]
        if event.kind == "enter" and visit.parent is None:
            passed += 1
        start, end = (passed * whole + times[places[event.node]] + 1 for times in (begins, ends))
        if event.kind == "enter":
            now = max(now, start)
        elif event.kind in ("leaf", "recall", "return"):
            now = max(now, end)
            if visit.parent is not None:
                latest[visit.parent.number] = now
        else:
            now = max(now, start, latest.get(event.node, 0))
        found.append(now)
    return found
