"""A recorded search as a story: plain JSON for a view that steps through it.

A story has the visits, with what never changes about them, and the steps, one an event, each with its sentence and
what it changes at one visit.  Replaying the first k steps gives the tree after k events; to step back is to replay one
fewer.  The steps are read off the growing tree, so that no view has to know an algorithm, and the texts are those of
the drawings: JSON has no infinity, and every view writes numbers alike.
"""

from __future__ import annotations

from typing import Any

from plywise.explain.drafts import LONGEST_TITLE, Draft, Drafter, has_boards
from plywise.explain.notation import LEAF_KINDS, Intervals, Notation, Writer, interval_text
from plywise.explain.sentences import cut_reason, preface, sentence, subject, summary
from plywise.explain.text import number, short_label
from plywise.explain.tree import SearchTree, Visit, grow, growing
from plywise.layers.view import board_json
from plywise.result import Result

MOST_BOARDS = 2000
"""Visits up to which a story has pictures of the positions."""

NOTATIONS: tuple[Notation, ...] = ("window", "edge", "interval")
"""Those in which a story can be read."""

MOST_GHOSTS = 6
"""Moves left out by a cut that are there one by one."""


def story(result: Result) -> dict[str, Any]:
    """Return a recorded search as JSON for the view.

    Args:
        result: of a search with ``record=True``.

    Raises:
        SearchError: the search was not recorded.

    >>> import plywise as pw
    >>> told = story(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True))
    >>> told["steps"][0]["text"]
    'Enter the root (Min) with the window (-∞, ∞).'
    >>> told["steps"][-1]["change"], told["line"]
    ({'value': '-3'}, [0, 1, 5, 7])
    """
    final, tree = grow(result), grow(result, steps=0)
    assert result.events is not None
    looks: dict[int, dict[str, Any]] = {}
    intervals = None if tree.algorithm.view == "scores" else Intervals(tree)
    steps = []
    for event in growing(tree, result.events):
        step: dict[str, Any] = {"kind": event.kind, "visit": None, "text": sentence(tree, event), "change": {}}
        if tree.current is not None:
            here = tree.current
            before, now = looks.get(here.number, {}), look(tree, here)
            step.update(visit=here.number, change={key: now[key] for key in now if now[key] != before.get(key)})
            looks[here.number] = now
            if intervals is not None and (known := _learned(final, intervals, here)):
                step["known"] = known
        steps.append(step)
    return {
        "title": subject(final),
        "algorithm": result.algorithm,
        "facts": preface(final),
        "summary": summary(result),
        "notations": {notation: Writer(final, notation).meaning for notation in NOTATIONS},
        "board": board_json(result.game),
        "written": result.game.written,
        "visits": _visits(final),
        "steps": steps,
        "line": [visit.number for visit in final.line],
    }


def look(tree: SearchTree, visit: Visit) -> dict[str, Any]:
    """Return what is to be seen of a visit as far as the tree has grown: what steps change."""
    seen: dict[str, Any] = {}
    labels = Writer(tree, "window").labels(visit)
    if visit.value is not None:
        seen["value"] = short_label(labels.value)
    if labels.below:
        seen["window"] = labels.below
    followed = [child.number for child in visit.children if child.move == visit.best]
    if visit.best is not None and followed:
        seen["best"] = followed[-1]
    if visit.cut is not None and visit.cut.left_out:
        leaves = tree.leaves_left_out(visit)
        unseen = "" if leaves is None else f"; leaves never seen: {' '.join(map(number, leaves))}"
        moves = " ".join(tree.move_label(visit, move) for move in visit.cut.left_out)
        seen["cut"] = f"{moves}: {cut_reason(tree, visit)}{unseen}"
    return seen


def _learned(final: SearchTree, intervals: Intervals, visit: Visit) -> list[tuple[int, str]]:
    """Return whose intervals change by what has happened at a visit, with the intervals; leaves need none."""
    changed = [place for place in intervals.learn(visit) if final.visits[place].kind not in LEAF_KINDS]
    return [(place, interval_text(intervals.known[place])) for place in changed]


def _visits(tree: SearchTree) -> list[dict[str, Any]]:
    """Return what holds of each visit from beginning to end; ``tree`` is the whole one."""
    drafter = Drafter(tree, "window", None, has_boards(tree) and len(tree.visits) <= MOST_BOARDS, {})
    on_edges = Writer(tree, "edge")
    told: dict[int, dict[str, Any]] = {}
    for one in tree.passes:
        drafts = drafter.draft(one.root)
        for draft in drafts:
            if draft.visit is not None:
                told[draft.visit] = _facts(tree, on_edges, draft, drafts)
    return [told[i] for i in range(len(told))]


def _facts(tree: SearchTree, on_edges: Writer, draft: Draft, drafts: list[Draft]) -> dict[str, Any]:
    assert draft.visit is not None
    visit = tree.visits[draft.visit]
    bounds = on_edges.labels(visit)
    facts: dict[str, Any] = {
        "parent": None if visit.parent is None else visit.parent.number,
        "move": short_label(draft.move),
        "shape": draft.shape,
        "position": short_label(tree.game.format(visit.state), LONGEST_TITLE),
    }
    if facts["move"] != draft.move:
        facts["full"] = draft.move
    if visit.kind not in LEAF_KINDS:
        facts["player"] = tree.role(visit.player)
    if draft.labels.above:
        facts["entry"] = short_label(draft.labels.above)
    if bounds.above:
        facts["head"] = bounds.above
    if bounds.edge:
        facts["bound"] = bounds.edge
    if draft.way != "plain":
        facts["way"] = draft.way
    if draft.picture is not None:
        facts["cells"] = draft.picture.cells
    elif draft.board:
        facts["board"] = draft.board
    ghosts = [drafts[i] for i in draft.children if drafts[i].ghost]
    if ghosts:
        facts["reason"] = ghosts[0].reason
        facts["left_out"] = [_ghost(ghost, drafts) for ghost in ghosts]
        if len(ghosts) > MOST_GHOSTS:
            facts["left_out"] = [{"move": f"{len(ghosts)} moves", "shape": "more"}]
    return facts


def _ghost(draft: Draft, drafts: list[Draft]) -> dict[str, Any]:
    """Return what was never visited, with all that is known to be below it."""
    ghost: dict[str, Any] = {"move": short_label(draft.move), "shape": draft.shape}
    if short_label(draft.move) != draft.move:
        ghost["full"] = draft.move
    if draft.labels.value:
        ghost["value"] = short_label(draft.labels.value)
    if draft.children:
        ghost["children"] = [_ghost(drafts[i], drafts) for i in draft.children]
    return ghost
