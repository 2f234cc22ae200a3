"""The geometry of drawn trees: the size and place of each node.

Figures and the view on the page share this geometry, so a tree looks the same in every format.  A form holds the
measures of a node, relative to the middle of its shape; an arrangement puts forms into rows.  Lengths are in pixels,
and y grows downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from plywise.explain.drafts import NodeDraft, Shape
from plywise.explain.look import SIZES, Style, line_height, text_width
from plywise.explain.miniature import Point
from plywise.explain.text import short_label
from plywise.explain.tidy_tree import tidy_tree
from plywise.explain.tree_notation import Labels

GAP = 14.0
"""The space between neighbours."""
TEXT_GAP = 3.0
EDGE = 40.0
"""The height of an edge without labels; the labels on it are added."""
LABEL_AT = 0.6
"""The place of an edge's label: 0 at the parent, 1 at the child."""
STROKE_AT = 0.22
"""The place of the double stroke that marks a cut, on the same scale."""
TRIANGLE = (46.0, 38.0)
BOX = (30.0, 28.0)
CORNERS = 32
"""The number of corners of the polygon that stands for a round shape."""
ROOF = 13.0
VALUE_AT = {"up": 0.31, "down": -0.05}
"""How far below the middle of a triangle to write its value, as a share of its height."""


class NodeForm(NamedTuple):
    """The measures of a node, relative to the middle of its shape."""

    outline: tuple[Point, ...]
    half: float
    """Half the height of the shape."""
    up: float
    down: float
    """From the middle to the ends of the edges above and below; labels lie between these and the shape."""
    width: float
    """The width of the node with all its labels."""
    value: float
    above: float
    below: float
    """The baselines of its labels."""
    lines: float
    """The height of the labels on the edge to the node."""
    board: Point
    """The start of its board: the upper left corner if it is drawn, the first line's baseline if it is text."""
    mark: Point
    """The end of the mark beside it."""


class LevelRow(NamedTuple):
    """The place of a level: its upper edge, the upper edge of its shapes, its lower edge."""

    top: float
    shapes: float
    bottom: float


class Arrangement(NamedTuple):
    """The places of all nodes of one tree.

    Beside taller neighbours an edge is vertical within the rows of its parent and its child, so that it never runs into
    a neighbour.
    """

    forms: list[NodeForm]
    x: list[float]
    y: list[float]
    """The middle of each shape."""
    levels: list[int]
    rows: list[LevelRow]
    stems: list[bool]
    """Whether the edges below a node start vertically."""
    drops: list[bool]
    """Whether the edge to a node ends vertically."""

    @property
    def width(self) -> float:
        return max(x + form.width / 2 for x, form in zip(self.x, self.forms, strict=True))

    def points(self, parent: int, child: int) -> tuple[Point, ...]:
        """Return the corners of an edge, including its ends."""
        x, y, level = self.x, self.y, self.levels[parent]
        return (
            (x[parent], y[parent] + self.forms[parent].down),
            *([(x[parent], self.rows[level].bottom)] if self.stems[parent] else []),
            *([(x[child], self.rows[level + 1].top)] if self.drops[child] else []),
            (x[child], y[child] - self.forms[child].up),
        )


def arranged(drafts: Sequence[NodeDraft], top: float = 0.0) -> Arrangement:
    """Return the places of all nodes of a tree; the first draft is the root."""
    forms = [form(draft) for draft in drafts]
    x, levels = tidy_tree([draft.children for draft in drafts], [each.width for each in forms], GAP)
    rows = _rows(forms, levels, top)
    y = [rows[level].shapes + each.half for level, each in zip(levels, forms, strict=True)]
    stems, drops = [False] * len(drafts), [False] * len(drafts)
    for i, draft in enumerate(drafts):
        start, floor = (x[i], y[i] + forms[i].down), rows[levels[i]].bottom
        ends = {child: (x[child], y[child] - forms[child].up) for child in draft.children}
        stems[i] = any(_leaves_column(start, end, floor - start[1], forms[i].width) for end in ends.values())
        bend = (x[i], floor) if stems[i] else start
        for child, end in ends.items():
            drops[child] = _leaves_column(bend, end, end[1] - rows[levels[child]].top, forms[child].width)
    return Arrangement(forms, x, y, levels, rows, stems, drops)


def _leaves_column(start: Point, end: Point, height: float, width: float) -> bool:
    """Return whether a straight edge might hit a neighbour, within this height of a node of this width."""
    return abs(end[0] - start[0]) * height > (width + GAP) / 2 * (end[1] - start[1])


def _rows(forms: list[NodeForm], levels: list[int], top: float) -> list[LevelRow]:
    """Return the place of each level."""
    count = max(levels) + 1
    up, down, lines = [0.0] * count, [0.0] * count, [0.0] * count
    for each, level in zip(forms, levels, strict=True):
        up[level] = max(up[level], each.up - each.half)
        down[level] = max(down[level], each.down + each.half)
        lines[level] = max(lines[level], each.lines)
    rows = []
    for level in range(count):
        shapes = top + up[level]
        rows.append(LevelRow(top, shapes, shapes + down[level]))
        top = rows[-1].bottom + EDGE + (lines[level + 1] if level + 1 < count else 0.0)
    return rows


# Measures of a node --------------------------------------------------------------------------------------------------


def form(draft: NodeDraft) -> NodeForm:
    """Return the measures of a node."""
    size = None if draft.picture is None else draft.picture.size
    return _form(draft.shape, draft.labels, draft.board, size, draft.mark, tuple(edge_lines(draft)))


@lru_cache(maxsize=10_000)  # thousands of nodes share a few forms
def _form(
    shape: Shape, labels: Labels, board: tuple[str, ...], picture: Point | None, mark: str,
    lines: tuple[tuple[str, Style], ...],
) -> NodeForm:  # fmt: skip
    inside = picture or _lines_size(board)
    width, height = _board_size(shape, labels.value, inside) if board else _shape_size(shape, labels.value)
    half = height / 2
    above = line_height("entry") + TEXT_GAP if labels.above else 0.0
    below = line_height("now") + TEXT_GAP if labels.below else 0.0
    room = max(
        width + (2 * (_width(mark, "mark") + TEXT_GAP) if mark else 0.0),
        _width(labels.above, "entry"),
        _width(labels.below, "now"),
        *(_width(text, style) / LABEL_AT for text, style in lines),
    )
    value, first = VALUE_AT.get(shape, 0.13) * TRIANGLE[1], (0.0, 0.0)
    if board:
        roof = ROOF if shape in ("up", "memo") else 0.0
        upper = 6 + roof - half
        first = -inside[0] / 2, upper + (0.0 if picture else SIZES["board"])
        value = upper + inside[1] + SIZES["board"] + 3
    return NodeForm(
        outline(shape, width, height, house=bool(board)), half, half + above, half + below, room,
        value, -half - TEXT_GAP - 1, half + SIZES["now"] + TEXT_GAP - 1,
        sum(line_height(style) for _, style in lines), first, (-width / 2 - TEXT_GAP, 5.0),
    )  # fmt: skip


def _shape_size(shape: Shape, value: str) -> Point:
    width = _width(value, "value") if value else 0.0
    if shape == "round":
        return max(TRIANGLE[1], width + 18), TRIANGLE[1]
    if shape in ("up", "down", "memo"):  # at the height of its text, a triangle is about half as wide as its base
        return max(TRIANGLE[0], width / 0.55 + 8), TRIANGLE[1]
    return max(BOX[0], width + (26 if shape == "more" else 12)), BOX[1]


def _lines_size(board: tuple[str, ...]) -> Point:
    return max((text_width(line, "board") for line in board), default=0.0), len(board) * line_height("board")


def _board_size(shape: Shape, value: str, inside: Point) -> Point:
    height = inside[1] + (line_height("value") if value else 0.0)
    roofs = {"up": 1, "down": 1, "memo": 2}.get(shape, 0)
    return max(inside[0], _width(value, "value")) + 16, height + 12 + roofs * ROOF


def outline(shape: Shape, width: float, height: float, house: bool = False) -> tuple[Point, ...]:
    """Return the corners of a shape, relative to its middle; a house has room for a board."""
    left, right, top, bottom = -width / 2, width / 2, -height / 2, height / 2
    ceiling, floor = ((left, top), (right, top)), ((right, bottom), (left, bottom))
    roof: tuple[Point, ...] = ((0, top),)
    keel: tuple[Point, ...] = ((0, bottom),)
    if house:
        roof = ((left, top + ROOF), (0, top), (right, top + ROOF))
        keel = ((right, bottom - ROOF), (0, bottom), (left, bottom - ROOF))
    if shape == "round" and not house:
        turns = [2 * math.pi * corner / CORNERS for corner in range(CORNERS)]
        return tuple((right * math.sin(turn), top * math.cos(turn)) for turn in turns)
    if shape == "round":
        return _rounded(left, right, top, bottom)
    if shape == "up":
        return (*roof, *floor)
    if shape == "down":
        return (*ceiling, *keel)
    if shape == "memo":
        return (*roof, *keel) if house else (*roof, (right, 0), *keel, (left, 0))
    if shape == "more":
        return ((left + 8, top), (right - 8, top), (right, 0), (right - 8, bottom), (left + 8, bottom), (left, 0))
    if shape == "estimate":
        return (
            (left + 7, top), (right - 7, top), (right, top + 7), (right, bottom - 7),
            (right - 7, bottom), (left + 7, bottom), (left, bottom - 7), (left, top + 7),
        )  # fmt: skip
    return (*ceiling, *floor)


def _rounded(left: float, right: float, top: float, bottom: float) -> tuple[Point, ...]:
    """Return a rectangle with round corners."""
    corners = ((right - ROOF, top + ROOF), (right - ROOF, bottom - ROOF), (left + ROOF, bottom - ROOF),
               (left + ROOF, top + ROOF))  # fmt: skip
    steps = CORNERS // 4
    return tuple(
        (x + ROOF * math.sin(turn), y - ROOF * math.cos(turn))
        for quarter, (x, y) in enumerate(corners)
        for turn in (math.pi / 2 * (quarter + step / steps) for step in range(steps + 1))
    )


def edge_lines(draft: NodeDraft) -> list[tuple[str, Style]]:
    """Return the lines of text on the edge to a node, from the top."""
    move = " ".join(word for word in (draft.move, "" if draft.way in ("plain", "cut") else draft.way) if word)
    lines: list[tuple[str, Style]] = [(move, "move")] if move else []
    if draft.labels.edge:
        lines.append((draft.labels.edge, "bound"))
    return lines + [(line, "reason") for line in draft.reason]


def _width(label: str, style: Style) -> float:
    return text_width(short_label(label), style)
