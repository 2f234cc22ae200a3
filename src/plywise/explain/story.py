"""A recorded search as a story: plain JSON for a view that steps through it.

A story has visits, with everything about them that never changes, and steps, one per event, each with its sentence and
the changes to one visit.  Replaying the first k steps gives the tree after k events; to step back, replay one fewer.
The steps are read off the growing tree, so a view need not know any algorithm.  Numbers are texts, as in the drawings:
JSON has no infinity, and all views show numbers alike.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any

from plywise.explain.arrangement import GAP, LABEL_AT, STROKE_AT, Arrangement, NodeForm, arranged
from plywise.explain.arrangement import form as form_of
from plywise.explain.drafts import LONGEST_TITLE, Drafter, NodeDraft, has_boards
from plywise.explain.intervals import LEAF_KINDS, Intervals, interval_text
from plywise.explain.joint import JointTree, moments
from plywise.explain.look import line_height, text_width
from plywise.explain.search_tree import SearchTree, Visit, grow, growing
from plywise.explain.sentences import cut_reason, preface, sentence, subject, summary
from plywise.explain.text import number, short_label
from plywise.explain.titles import algorithm_title
from plywise.explain.tree_notation import Labels, Notation, Writer
from plywise.layers.view import board_json
from plywise.result import Result

MOST_BOARDS = 2000
"""A story with more visits than this has no pictures of the positions."""

NOTATIONS: tuple[Notation, ...] = ("window", "edge", "interval")
"""The notations that a story offers."""

MOST_GHOSTS = 6
"""If a cut leaves out more moves than this, one node stands for them all, unless the tree is drawn as a whole."""

MOST_WHOLE = 200
"""A tree with at most this many nodes is drawn as a whole, with everything that is never visited."""

MOST_COUNTED = 2000
"""The nodes of a larger tree are not counted."""

NEAREST = 10.0
"""The space between neighbours where there is little room."""

REASON_WIDTH = 34
"""The characters in a line of the reason for a cut."""


def story(result: Result) -> dict[str, Any]:
    """Return a recorded search as JSON for the view.

    Args:
        result: the result of a search with ``record=True``.

    Raises:
        SearchError: the search was not recorded.

    >>> import plywise as pw
    >>> told = story(pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True))
    >>> told["steps"][0]["text"]
    'Enter the root (Min) with the window (-∞, ∞).'
    >>> told["steps"][-1]["change"], told["line"]
    ({'value': '-3'}, [0, 1, 5, 7])
    """
    return stories([result])[0]


def stories(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return recorded searches of one tree as stories that share their drawing: every node has the same place in all.

    ``moments`` says for each step how far the search has come in the joint tree, so views can stay side by side.

    >>> import plywise as pw
    >>> searched = [pw.search(pw.games.RedBlue(), algorithm=name, record=True) for name in ("alphabeta", "minimax")]
    >>> cut, whole = stories(searched)
    >>> cut["moments"][-1] == whole["moments"][-1]
    True
    """
    scripts = [_script(result) for result in results]
    joint = JointTree()
    for script in scripts:
        for nodes in script.passes:
            script.places.update(zip(nodes, joint.add(list(nodes.values())), strict=True))
    joint.even_out()
    layouts = [joint.drafts]
    if any(draft.board for draft in joint.drafts):
        layouts.insert(0, [replace(draft, board=(), picture=None) for draft in joint.drafts])
    places = [arranged(layout) for layout in layouts]
    told = []
    for script in scripts:
        numbered = [script.places[node] for node in range(len(script.places))]
        drawings = [drawn(script.passes, script.places, *each) for each in zip(layouts, places, strict=True)]
        ways = moments(script.tree, script.result.events or (), numbered, joint)
        told.append({**script.facts, "drawings": drawings, "measures": MEASURES, "places": numbered, "moments": ways})
    return told


@dataclass
class _Script:
    """A story before its nodes have places."""

    result: Result
    tree: SearchTree
    facts: dict[str, Any]
    passes: list[dict[int, NodeDraft]]
    """For each pass its nodes by number: visits keep their numbers, and moves that were cut off come after them."""
    places: dict[int, int]


def _script(result: Result) -> _Script:
    final = grow(result)
    steps = _steps(result, final)
    size = _size(final)
    visits, passes = _drafted(final, steps, whole=size is not None and size <= MOST_WHOLE)
    facts = {
        "title": subject(final),
        "algorithm": result.algorithm,
        "by": algorithm_title(result.algorithm),
        "facts": preface(final),
        "summary": summary(result, final),
        "notations": {notation: Writer(final, notation).meaning for notation in NOTATIONS},
        "board": board_json(result.game),
        "written": result.game.written,
        "size": size,
        "whole": not any(visit.cut and visit.cut.left_out for visit in final.visits.values())
        or (size is not None and size <= MOST_WHOLE),
        "visits": visits,
        "steps": steps,
        "line": [visit.number for visit in final.line],
    }
    return _Script(result, final, facts, passes, {})


def _steps(result: Result, final: SearchTree) -> list[dict[str, Any]]:
    """Return every event as a step: its sentence, and what it changes."""
    tree = grow(result, steps=0)
    assert result.events is not None
    looks: dict[int, dict[str, Any]] = {}
    intervals = None if tree.algorithm.many_players else Intervals(tree)
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
    return steps


def _size(tree: SearchTree) -> int | None:
    """Return the number of nodes of the full tree; None if there are too many to count."""
    found, level, depth = 1, [tree.passes[0].root.state], tree.depth
    while level and depth != 0:
        below = []
        for state in level:
            if not tree.game.is_terminal(state):
                below += [tree.game.play(state, move) for move in tree.game.moves(state)]
            if found + len(below) > MOST_COUNTED:
                return None
        found, level, depth = found + len(below), below, None if depth is None else depth - 1
    return found


def look(tree: SearchTree, visit: Visit) -> dict[str, Any]:
    """Return the look of a visit as far as the tree has grown: everything that steps can change."""
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
    """Return the visits whose intervals change after an event at ``visit``, with the new intervals, without leaves."""
    changed = [place for place in intervals.learn(visit) if final.visits[place].kind not in LEAF_KINDS]
    return [(place, interval_text(intervals.known[place])) for place in changed]


# Visits and their places ---------------------------------------------------------------------------------------------


def _drafted(
    tree: SearchTree, steps: Sequence[Mapping[str, Any]], whole: bool
) -> tuple[list[dict[str, Any]], list[dict[int, NodeDraft]]]:
    """Return everything about the visits that never changes, and the drafts of each pass by number of the node.

    Visits keep their numbers, and moves that were cut off get the numbers after them.
    """
    boards = has_boards(tree) and len(tree.visits) <= MOST_BOARDS
    limits: dict[str, Any] = {"most_leaves": None} if whole else {"most_left_out": MOST_GHOSTS}
    drafter = Drafter(tree, "window", boards=boards, **limits)
    writer, texts, unseen = Writer(tree, "edge"), _texts(steps), count(len(tree.visits))
    visits: dict[int, dict[str, Any]] = {}
    passes: list[dict[int, NodeDraft]] = []
    for one in tree.passes:
        drafts = drafter.draft(one.root)
        numbers = [next(unseen) if draft.visit is None else draft.visit for draft in drafts]
        passes.append(dict(zip(numbers, drafts, strict=True)))
        for node, draft in passes[-1].items():
            if draft.visit is not None:
                bounds = writer.labels(tree.visits[node])
                visits[node] = _facts(tree, draft, bounds) | _left_out(tree, draft, drafts, numbers)
                draft.labels = _roomy(draft.labels, bounds, texts[node])
    return [visits[i] for i in range(len(visits))], passes


def _facts(tree: SearchTree, draft: NodeDraft, bounds: Labels) -> dict[str, Any]:
    assert draft.visit is not None
    visit = tree.visits[draft.visit]
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
    return facts


def _left_out(
    tree: SearchTree, draft: NodeDraft, drafts: Sequence[NodeDraft], numbers: Sequence[int]
) -> dict[str, Any]:
    """Return the moves that were cut off, and why."""
    ghosts = [i for i in draft.children if drafts[i].ghost]
    if not ghosts:
        return {}
    assert draft.visit is not None
    reason = cut_reason(tree, tree.visits[draft.visit])
    return {
        "reason": textwrap.wrap(reason, REASON_WIDTH),
        "brief": reason.partition(":")[0],
        "left_out": [_ghost(i, drafts, numbers) for i in ghosts],
    }


def _ghost(index: int, drafts: Sequence[NodeDraft], numbers: Sequence[int]) -> dict[str, Any]:
    """Return a node that was never visited, with the nodes drawn below it."""
    draft = drafts[index]
    ghost: dict[str, Any] = {"node": numbers[index], "move": short_label(draft.move), "shape": draft.shape}
    if ghost["move"] != draft.move:
        ghost["full"] = draft.move
    if draft.labels.value:
        ghost["value"] = short_label(draft.labels.value)
    if draft.children:
        ghost["children"] = [_ghost(child, drafts, numbers) for child in draft.children]
    return ghost


def _texts(steps: Sequence[Mapping[str, Any]]) -> Mapping[int, Labels]:
    """Return by visit the widest interval above it and the widest window below it in any step."""
    widest: dict[int, Labels] = defaultdict(Labels)
    for step in steps:
        for place, interval in step.get("known", ()):
            widest[place] = widest[place]._replace(above=_wider(widest[place].above, interval))
        if window := step["change"].get("window"):
            place = step["visit"]
            widest[place] = widest[place]._replace(below=_wider(widest[place].below, window))
    return widest


def _roomy(labels: Labels, bounds: Labels, texts: Labels) -> Labels:
    """Return the widest labels that a visit will have in any notation, so that nothing moves while stepping."""
    above = _wider(_wider(labels.above, bounds.above), texts.above)
    return Labels(labels.value, above, texts.below, bounds.edge)


def _wider(one: str, other: str) -> str:
    return one if text_width(one, "entry") >= text_width(other, "entry") else other


# Drawings ------------------------------------------------------------------------------------------------------------

MEASURES = {
    "gap": GAP, "label_at": LABEL_AT, "stroke_at": STROKE_AT,
    "lines": {style: line_height(style) for style in ("move", "bound", "reason", "board")},
}  # fmt: skip
"""What a view needs to draw edges and lines of text."""


def drawn(
    passes: Sequence[Mapping[int, NodeDraft]], numbers: Mapping[int, int], drafts: Sequence[NodeDraft],
    places: Arrangement,
) -> dict[str, Any]:  # fmt: skip
    """Return the drawing of a story: the rows of each pass, the place and form of each node, and all forms.

    Args:
        passes: for each pass its nodes by number.
        numbers: the number of each node in the tree that is drawn.
        drafts: the nodes of that tree.
        places: where they are.
    """
    size = len(numbers)
    forms: dict[NodeForm, int] = {}
    x, form, bends = [0.0] * size, [0] * size, ["0"] * size
    for nodes in passes:
        for node, draft in nodes.items():
            place = numbers[node]
            x[node] = _short(places.x[place])
            same = draft.shape == drafts[place].shape
            shaped = places.forms[place] if same else form_of(replace(drafts[place], shape=draft.shape))
            form[node] = forms.setdefault(shaped, len(forms))
            bends[node] = str(places.stems[place] + 2 * places.drops[place])
    rows = [[_short(edge) for edge in row] for row in places.rows]
    return {
        "rows": [rows] * len(passes), "width": _short(places.width), "narrow": _narrow(places), "x": x, "form": form,
        "bends": "".join(bends), "forms": list(map(_form, forms)),
    }  # fmt: skip


def _narrow(places: Arrangement) -> float:
    """Return how much narrower the drawing can be without bounds on its edges: a share of its width."""
    rows: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for x, form, level in zip(places.x, places.forms, places.levels, strict=True):
        rows[level].append((x, _least(form)))
    shares = [
        ((width + next_width) / 2 + NEAREST) / (next_x - x)
        for row in rows.values()
        for (x, width), (next_x, next_width) in pairwise(sorted(row))
    ]
    return round(min(1.0, max(shares, default=1.0)), 3)


def _least(form: NodeForm) -> float:
    """Return the width of a node without what is on its edge: a leaf is only its shape."""
    return 2 * max(x for x, _ in form.outline) if form.up == form.down == form.half else form.width


def _form(form: NodeForm) -> dict[str, Any]:
    """Return a form as JSON: its outline as a path from the middle, and its lengths by name."""
    names = ("half", "up", "down", "width", "value", "above", "below")
    lengths = {name: _short(getattr(form, name)) for name in names} | {"least": _short(_least(form))}
    steps = [(0.0, 0.0), *form.outline]
    path = "l".join(f"{_short(x - x0)} {_short(y - y0)}" for (x0, y0), (x, y) in pairwise(steps))
    return {"outline": f"m{path}z", **lengths, "board": [_short(form.board[0]), _short(form.board[1])]}


def _short(length: float) -> float:
    """Return a length rounded to a tenth of a pixel, without a fraction if it is whole."""
    rounded = round(length, 1)
    return int(rounded) if rounded == int(rounded) else rounded
