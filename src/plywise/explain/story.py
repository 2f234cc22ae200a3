"""A recorded search as a story: plain JSON for a view that steps through it.

A story has visits, with everything about them that never changes, and steps, one per event, each with its sentence and
the changes to one visit.  Replaying the first k steps gives the tree after k events; to step back, replay one fewer.
The steps are read off the growing tree, so a view need not know any algorithm.  Numbers are texts, as in the drawings:
JSON has no infinity, and all views show numbers alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

from plywise.explain.arrangement import GAP, LABEL_AT, STROKE_AT, NodeForm, arranged
from plywise.explain.drafts import LONGEST_TITLE, Drafter, NodeDraft, has_boards
from plywise.explain.intervals import LEAF_KINDS, Intervals, interval_text
from plywise.explain.look import line_height, text_width
from plywise.explain.search_tree import SearchTree, Visit, grow, growing
from plywise.explain.sentences import cut_reason, preface, sentence, subject, summary
from plywise.explain.text import number, short_label
from plywise.explain.tree_notation import Labels, Notation, Writer
from plywise.layers.view import board_json
from plywise.result import Result

MOST_BOARDS = 2000
"""A story with more visits than this has no pictures of the positions."""

NOTATIONS: tuple[Notation, ...] = ("window", "edge", "interval")
"""The notations that a story offers."""

MOST_GHOSTS = 6
"""If a cut leaves out more moves than this, one node stands for them all."""


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
    final, tree = grow(result), grow(result, steps=0)
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
    return {
        "title": subject(final),
        "algorithm": result.algorithm,
        "facts": preface(final),
        "summary": summary(result, final),
        "notations": {notation: Writer(final, notation).meaning for notation in NOTATIONS},
        "board": board_json(result.game),
        "written": result.game.written,
        **_drawn(final, steps),
        "steps": steps,
        "line": [visit.number for visit in final.line],
    }


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


def _drawn(tree: SearchTree, steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return everything about the visits that never changes, and the drawings of the whole tree.

    Nodes are numbered: visits keep their numbers, and moves that were cut off get the numbers after them.
    """
    boards = has_boards(tree) and len(tree.visits) <= MOST_BOARDS
    drafter = Drafter(tree, "window", boards=boards, most_left_out=MOST_GHOSTS)
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
                visits[node] = _facts(tree, draft, bounds) | _left_out(draft, drafts, numbers)
                draft.labels = _roomy(draft.labels, bounds, texts[node])
    drawings = [_drawing(passes)]
    if boards:
        bare = [{node: replace(draft, board=(), picture=None) for node, draft in each.items()} for each in passes]
        drawings.insert(0, _drawing(bare))
    return {"visits": [visits[i] for i in range(len(visits))], "drawings": drawings, "measures": MEASURES}


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


def _left_out(draft: NodeDraft, drafts: Sequence[NodeDraft], numbers: Sequence[int]) -> dict[str, Any]:
    """Return the moves that were cut off, and why."""
    ghosts = [i for i in draft.children if drafts[i].ghost]
    if not ghosts:
        return {}
    return {"reason": drafts[ghosts[0]].reason, "left_out": [_ghost(i, drafts, numbers) for i in ghosts]}


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


def _drawing(passes: Sequence[Mapping[int, NodeDraft]]) -> dict[str, Any]:
    """Return the arrangements of all passes: the rows of each, the place and form of each node, and all forms."""
    size = sum(map(len, passes))
    forms: dict[NodeForm, int] = {}
    x, form, bends, rows = [0.0] * size, [0] * size, ["0"] * size, []
    for nodes in passes:
        places = arranged(list(nodes.values()))
        rows.append([[_short(edge) for edge in row] for row in places.rows])
        for i, node in enumerate(nodes):
            x[node] = _short(places.x[i])
            form[node] = forms.setdefault(places.forms[i], len(forms))
            bends[node] = str(places.stems[i] + 2 * places.drops[i])
    return {"rows": rows, "x": x, "form": form, "bends": "".join(bends), "forms": list(map(_form, forms))}


def _form(form: NodeForm) -> dict[str, Any]:
    """Return a form as JSON: its outline as a path from the middle, and its lengths by name."""
    names = ("half", "up", "down", "width", "value", "above", "below")
    lengths = {name: _short(getattr(form, name)) for name in names}
    steps = [(0.0, 0.0), *form.outline]
    path = "l".join(f"{_short(x - x0)} {_short(y - y0)}" for (x0, y0), (x, y) in pairwise(steps))
    return {"outline": f"m{path}z", **lengths, "board": [_short(form.board[0]), _short(form.board[1])]}


def _short(length: float) -> float:
    """Return a length rounded to a tenth of a pixel, without a fraction if it is whole."""
    rounded = round(length, 1)
    return int(rounded) if rounded == int(rounded) else rounded
