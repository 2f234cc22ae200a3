"""A searched tree as a figure: every shape, line and text with its place, independent of any file format.

Shapes carry the meaning: a triangle pointing up is Max, one pointing down is Min (with a board inside: a house, upright
or upside down), a box is the end of a game.  ``svg``, ``png``, ``tikz`` and ``dot`` write figures; none of them decides
what is drawn or where.
"""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from plywise.errors import SearchError
from plywise.explain.arrangement import EDGE, GAP, LABEL_AT, STROKE_AT, NodeForm, arranged, edge_lines, outline
from plywise.explain.drafts import Drafter, NodeDraft, Shape, Way
from plywise.explain.look import SIZES, Style, line_height, text_width
from plywise.explain.miniature import Mark, Point
from plywise.explain.search_tree import SearchTree
from plywise.explain.sentences import outcome, preface, subject
from plywise.explain.text import LONGEST_LABEL, short_label, window
from plywise.explain.titles import in_words
from plywise.explain.tree_notation import NOTHING, Labels, checked

MARGIN = 20.0
LEAST_TEXT_WIDTH = 560.0
"""The least width for the text around a tree."""
LONGEST_TITLE = 120
"""The most characters in the title above a tree."""
LARGEST_IN_NOTEBOOK = 1500
"""The most nodes of a tree that a notebook draws by itself."""
WIDEST_IN_NOTEBOOK = 10


Anchor = Literal["start", "middle", "end"]


class Text(NamedTuple):
    """A line of text; ``y`` is its baseline."""

    x: float
    y: float
    text: str
    style: Style
    anchor: Anchor = "middle"
    full: str = ""
    """The whole text, if ``text`` is shortened."""


@dataclasses.dataclass(frozen=True)
class DrawnNode:
    shape: Shape
    x: float
    y: float
    """The middle of the shape."""
    outline: tuple[Point, ...]
    texts: tuple[Text, ...] = ()
    labels: Labels = NOTHING
    board: tuple[str, ...] = ()
    """The position as lines of text, for formats that cannot draw it."""
    marks: tuple[Mark, ...] = ()
    """The position as a drawing."""
    ghost: bool = False
    """Whether it was never visited."""
    best: bool = False
    """Whether it is on the principal variation."""
    current: bool = False
    """Whether the search is here now."""
    mark: str = ""
    title: str = ""
    visit: int | None = None
    """The number of the visit, if it is one."""


@dataclasses.dataclass(frozen=True)
class DrawnEdge:
    points: tuple[Point, ...]
    """The corners, including the ends (see ``Arrangement``)."""
    way: Way
    best: bool = False
    texts: tuple[Text, ...] = ()
    reason: str = ""
    """Why it was cut."""
    nodes: tuple[int, int] | None = None
    """The numbers of the nodes it joins; None in a legend."""

    @property
    def strokes(self) -> tuple[tuple[Point, Point], ...]:
        """The double stroke across a cut edge."""
        if self.way != "cut":
            return ()
        (x, y), (to_x, to_y) = _slope(self.points)
        length = math.hypot(to_x - x, to_y - y)
        along = (to_x - x) / length, (to_y - y) / length
        strokes = []
        for offset in (-2.5, 2.5):
            at = STROKE_AT * length + offset
            middle = x + at * along[0], y + at * along[1]
            across = -7 * along[1], 7 * along[0]
            strokes.append((
                (middle[0] - across[0], middle[1] - across[1]),
                (middle[0] + across[0], middle[1] + across[1]),
            ))  # fmt: skip
        return tuple(strokes)


@dataclasses.dataclass(frozen=True)
class Sketch:
    """What to draw: edges first, then nodes, then the texts on edges, then other texts."""

    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()
    texts: tuple[Text, ...] = ()


@dataclasses.dataclass(frozen=True)
class Figure:
    """A drawing of a searched tree.  ``plywise.explain.figure`` makes one."""

    tree: Sketch
    around: Sketch
    """The text above the tree and the legend below it."""
    width: float
    height: float
    title: str

    @property
    def nodes(self) -> tuple[DrawnNode, ...]:
        return self.tree.nodes

    @property
    def edges(self) -> tuple[DrawnEdge, ...]:
        return self.tree.edges

    def svg(self) -> str:
        """Return the figure as a complete SVG document, light or dark to suit the reader's screen."""
        from plywise.explain.svg import svg

        return svg(self)

    def tikz(self, document: bool = False) -> str:
        """Return the figure as a ``tikzpicture``, which needs only ``\\usepackage{tikz}``, without TikZ libraries.

        With ``document``, return a complete LaTeX document.
        """
        from plywise.explain.tikz import tikz

        return tikz(self, document)

    def dot(self) -> str:
        """Return the tree in Graphviz's language, with the node positions of this figure (``neato -n`` keeps them)."""
        from plywise.explain.dot import dot

        return dot(self)

    def png(self, path: Path | str, dark: bool = False) -> None:
        """Write the figure to a PNG file.

        Raises:
            SearchError: matplotlib is not installed.
        """
        from plywise.explain.png import png

        png(self, Path(path), dark)

    def _repr_svg_(self) -> str:
        """Draw the figure in a notebook."""
        return self.svg()


def figure(
    tree: SearchTree,
    *,
    notation: str = "window",
    widest: int | None = None,
    boards: bool | None = None,
    captions: bool = True,
    marks: Mapping[int, str] | None = None,
) -> Figure:
    """Draw a searched tree.

    Args:
        tree: a recorded search, from ``grow``.
        notation: ``window`` for windows at the nodes, ``edge`` for bounds on the edges, ``interval`` for known
            intervals of values, ``blank`` for the bare tree, as an exercise (from a search that cuts nothing, such as
            minimax).
        widest: draw at most this many moves of a node, the best ones, and one node for the rest; default: all.
        boards: whether nodes show their positions; default: if the game has a small board.
        captions: whether to add a title above the tree and a legend below it.
        marks: texts to put beside visits, by number.

    Raises:
        SearchError: there is no such notation, or ``widest`` is not positive.

    >>> import plywise as pw
    >>> with pw.interpreted():
    ...     result = pw.search(pw.games.RedBlue(), algorithm="alphabeta", record=True)
    >>> drawing = figure(pw.explain.grow(result))
    >>> [edge.reason for edge in drawing.edges if edge.reason]
    ['alpha -2 > beta -3: Min already has -3, so will not come here']
    >>> drawing.svg()[:4]
    '<svg'
    """
    if widest is not None and widest < 1:
        raise SearchError(f"widest must be at least 1, not {widest}")
    drafter = Drafter(tree, checked(notation), widest, boards, marks or {})
    parts: list[Sketch] = []
    top, width = 0.0, 0.0
    for count, one in enumerate(tree.passes, 1):
        announcement = ""
        if one.announced and not drafter.blank:
            announcement = f"pass {count} with the window {window(one.root.alpha, one.root.beta)}"
        part, right, bottom = _placed(drafter.draft(one.root), top, announcement)
        parts.append(part)
        top, width = bottom + EDGE, max(width, right)
    drawn = _joined(parts)
    height = top - EDGE
    if captions:
        return _captioned(tree, drafter, drawn, width, height)
    title = _title(tree, drafter)
    return Figure(_moved(drawn, MARGIN, MARGIN), Sketch(), width + 2 * MARGIN, height + 2 * MARGIN, title)


def notebook_svg(tree: SearchTree) -> str | None:
    """Return the drawing that a notebook shows; None if it would be too big."""
    if len(tree.visits) > LARGEST_IN_NOTEBOOK:
        return None
    return figure(tree, widest=WIDEST_IN_NOTEBOOK).svg()


def _title(tree: SearchTree, drafter: Drafter) -> str:
    return in_words(tree.game, capital=True) if drafter.blank else subject(tree)


# From places to shapes and texts -------------------------------------------------------------------------------------


def _placed(drafts: list[NodeDraft], top: float, announcement: str) -> tuple[Sketch, float, float]:
    """Return one tree in its place, and its right and lower edges."""
    texts = []
    if announcement:
        top += SIZES["fact"]
        texts.append(Text(0, top, announcement, "fact", "start"))
        top += GAP
    places = arranged(drafts, top)
    nodes = tuple(map(_node, drafts, places.forms, places.x, places.y))
    edges = tuple(
        _edge(drafts[child], places.points(i, child), (i, child))
        for i, draft in enumerate(drafts)
        for child in draft.children
    )
    return Sketch(nodes, edges, tuple(texts)), places.width, places.rows[-1].bottom


def _slope(points: Sequence[Point]) -> tuple[Point, Point]:
    """Return the ends of the slanted part of an edge, or of its longest part."""
    return max(pairwise(points), key=lambda ends: (abs(ends[1][0] - ends[0][0]), abs(ends[1][1] - ends[0][1])))


def _label(
    x: float, y: float, text: str, style: Style, anchor: Anchor = "middle", longest: int = LONGEST_LABEL
) -> Text:
    """Return a text in its place, shortened if it is long."""
    written = short_label(text, longest)
    return Text(x, y, written, style, anchor, text if written != text else "")


def _node(draft: NodeDraft, form: NodeForm, x: float, y: float) -> DrawnNode:
    labels = draft.labels
    interval = "interval" if labels.above.startswith("[") else "entry"
    left, upper = x + form.board[0], y + form.board[1]
    texts: list[Text] = []
    marks: tuple[Mark, ...] = ()
    if draft.picture is None:
        lines = enumerate(draft.board)
        texts = [Text(left, upper + i * line_height("board"), line, "board", "start") for i, line in lines]
    else:
        marks = tuple(mark.moved(left, upper) for mark in draft.picture.marks())
    if labels.value:
        texts.append(_label(x, y + form.value, labels.value, "value"))
    if labels.above:
        texts.append(_label(x, y + form.above, labels.above, interval))  # type: ignore[arg-type]
    if labels.below:
        texts.append(_label(x, y + form.below, labels.below, "now"))
    if draft.mark:
        texts.append(_label(x + form.mark[0], y + form.mark[1], draft.mark, "mark", "end"))
    return DrawnNode(
        draft.shape, x, y, _around(form.outline, x, y), tuple(texts), labels, draft.board, marks, draft.ghost,
        draft.best, draft.current, draft.mark, draft.title, draft.visit,
    )  # fmt: skip


def _around(outline: Sequence[Point], x: float, y: float) -> tuple[Point, ...]:
    """Return the corners of a shape whose middle is at (x, y)."""
    return tuple((x + right, y + down) for right, down in outline)


def _edge(draft: NodeDraft, points: tuple[Point, ...], nodes: tuple[int, int]) -> DrawnEdge:
    lines = edge_lines(draft)
    start, end = _slope(points)
    x = start[0] + LABEL_AT * (end[0] - start[0])
    baseline = start[1] + LABEL_AT * (end[1] - start[1]) - sum(line_height(style) for _, style in lines) / 2
    texts = []
    for text, style in lines:
        baseline += line_height(style)
        texts.append(_label(x, baseline - 3, text, style))
    return DrawnEdge(points, draft.way, draft.best, tuple(texts), " ".join(draft.reason), nodes)


# Captions ------------------------------------------------------------------------------------------------------------


def worded(drawn: Figure, title: str, above: Sequence[str], below: Sequence[str]) -> Figure:
    """Return a figure without captions, with a title and text above it and text below it."""
    room = max(drawn.width - 2 * MARGIN, LEAST_TEXT_WIDTH)
    texts = [_label(MARGIN, MARGIN + SIZES["title"], title, "title", "start", LONGEST_TITLE)]

    def write(lines: Sequence[str]) -> None:
        for line in lines:
            for piece in textwrap.wrap(line, int(room / (0.56 * SIZES["fact"]))) or [""]:
                texts.append(Text(MARGIN, texts[-1].y + SIZES["fact"] * 1.5, piece, "fact", "start"))

    write(above)
    top = texts[-1].y
    texts.append(Text(MARGIN, top + drawn.height, "", "fact", "start"))
    write(below)
    words = [text for text in texts if text.text]
    width = max(drawn.width, *(text_width(text.text, text.style) + 2 * MARGIN for text in words))
    moved = _moved(drawn.tree, (width - drawn.width) / 2, top)
    return Figure(moved, Sketch(texts=tuple(words)), width, texts[-1].y + MARGIN, title)


def _captioned(tree: SearchTree, drafter: Drafter, drawn: Sketch, width: float, height: float) -> Figure:
    room = max(width, LEAST_TEXT_WIDTH)
    facts = [] if drafter.blank else [*preface(tree), drafter.writer.meaning, *outcome(tree)]
    texts = [_label(0, SIZES["title"], _title(tree, drafter), "title", "start", LONGEST_TITLE)]
    for fact in facts:
        for line in textwrap.wrap(fact, int(room / (0.56 * SIZES["fact"]))):
            texts.append(Text(0, texts[-1].y + SIZES["fact"] * (1.5 if len(texts) > 1 else 1.8), line, "fact", "start"))
    top = texts[-1].y + 2 * GAP
    legend, right, bottom = _legend(tree, drawn, room, top + height + 2 * GAP)
    widest = max(right, width, *(text_width(text.text, text.style) for text in texts))
    around = Sketch(legend.nodes, legend.edges, (*texts, *legend.texts))
    return Figure(
        _moved(drawn, MARGIN + (widest - width) / 2, MARGIN + top), _moved(around, MARGIN, MARGIN),
        widest + 2 * MARGIN, bottom + 2 * MARGIN, _title(tree, drafter),
    )  # fmt: skip


def _legend(tree: SearchTree, drawn: Sketch, room: float, top: float) -> tuple[Sketch, float, float]:
    """Return the legend of the signs in a drawing, in rows, and its right and lower edges."""
    shapes: dict[Shape, str] = {
        "up": "player to move" if tree.algorithm.many_players else "Max", "down": "Min", "round": "chance",
        "box": "end of the game",
        "estimate": "depth limit: estimate", "memo": "known from the memo", "more": "moves not drawn",
    }  # fmt: skip
    ways: dict[Way, str] = {
        "test": "test with a boolean search" if tree.algorithm.asks else "test with a null window",
        "again": "searched again", "probe": "probe: one move only", "cut": "cut off: not searched",
    }  # fmt: skip
    nodes, edges, texts = [], [], []
    x, y, right = 0.0, top + 10, 0.0

    def entry(words: str, sample: float) -> tuple[float, float]:
        """Write the words; returns the place of their sample."""
        nonlocal x, y, right
        length = sample + 6 + text_width(words, "fact")
        if x > 0 and x + length > room:
            x, y = 0.0, y + 26
        place = x, y
        texts.append(Text(x + sample + 6, y + 4, words, "fact", "start"))
        right = max(right, x + length)
        x += length + 20
        return place

    for shape, words in shapes.items():
        if any(node.shape == shape for node in drawn.nodes):
            at_x, at_y = entry(words, 26)
            nodes.append(DrawnNode(shape, at_x + 13, at_y, _around(outline(shape, 26, 18), at_x + 13, at_y)))
    if any(edge.best for edge in drawn.edges):
        at_x, at_y = entry("best play", 30)
        edges.append(DrawnEdge(((at_x, at_y), (at_x + 30, at_y)), "plain", best=True))
    if any(node.current for node in drawn.nodes):
        at_x, at_y = entry("where the search is", 26)
        nodes.append(DrawnNode("box", at_x + 13, at_y, _around(outline("box", 26, 18), at_x + 13, at_y), current=True))
    for way, words in ways.items():
        if any(edge.way == way for edge in drawn.edges):
            at_x, at_y = entry(words, 30)
            edges.append(DrawnEdge(((at_x, at_y), (at_x + 30, at_y)), way))
    return Sketch(tuple(nodes), tuple(edges), tuple(texts)), right, y + 10


def _joined(parts: Sequence[Sketch]) -> Sketch:
    """Return several sketches as one, with nodes numbered on from sketch to sketch."""
    nodes: list[DrawnNode] = []
    edges: list[DrawnEdge] = []
    texts: list[Text] = []
    for part in parts:
        first = len(nodes)
        nodes += part.nodes
        texts += part.texts
        for edge in part.edges:
            assert edge.nodes is not None
            above, below = edge.nodes
            edges.append(dataclasses.replace(edge, nodes=(above + first, below + first)))
    return Sketch(tuple(nodes), tuple(edges), tuple(texts))


def _moved(sketch: Sketch, right: float, down: float) -> Sketch:
    def texts(given: Sequence[Text]) -> tuple[Text, ...]:
        return tuple(text._replace(x=text.x + right, y=text.y + down) for text in given)

    def point(given: Point) -> Point:
        return given[0] + right, given[1] + down

    return Sketch(
        tuple(
            dataclasses.replace(
                node,
                x=node.x + right,
                y=node.y + down,
                outline=tuple(map(point, node.outline)),
                texts=texts(node.texts),
                marks=tuple(mark.moved(right, down) for mark in node.marks),
            )
            for node in sketch.nodes
        ),
        tuple(
            dataclasses.replace(edge, points=tuple(map(point, edge.points)), texts=texts(edge.texts))
            for edge in sketch.edges
        ),
        texts(sketch.texts),
    )
