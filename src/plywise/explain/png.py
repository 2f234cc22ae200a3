"""Figures as PNG, drawn by matplotlib, which is an extra (``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plywise.explain.figure import DrawnEdge, DrawnNode, Figure, Sketch, Text
from plywise.explain.look import BOLD, ITALIC, MONOSPACED, MUTED, PALETTES, SIZES
from plywise.explain.miniature import Mark, Point
from plywise.io.plot import check_plot

DOTS_PER_INCH = 100
"""Pixels of a figure per inch of paper."""
SCALE = 2.0
"""Pixels of the file per pixel of the figure."""
LARGEST = 60_000
"""The most pixels of a file in either direction; bigger figures are scaled down."""

DASHES = {"test": (0, (1, 3)), "probe": (0, (1, 3)), "again": (0, (7, 2, 1.5, 2)), "cut": (0, (4, 3))}
FILLS = {"up": "max", "down": "min", "more": "paper"}


def png(figure: Figure, path: Path, dark: bool = False) -> None:
    """Write a figure to a file.

    Raises:
        SearchError: matplotlib is not installed.
    """
    check_plot()
    from matplotlib.figure import Figure as Canvas

    width, height = figure.width / DOTS_PER_INCH, figure.height / DOTS_PER_INCH
    canvas = Canvas(figsize=(width, height), dpi=DOTS_PER_INCH)
    axes = canvas.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, figure.width)
    axes.set_ylim(figure.height, 0)
    axes.axis("off")
    pen = _Pen(axes, PALETTES["dark" if dark else "light"])
    pen.sketch(figure.tree)
    pen.sketch(figure.around)
    scale = min(SCALE, LARGEST / max(figure.width, figure.height))
    canvas.savefig(path, format="png", dpi=scale * DOTS_PER_INCH, facecolor=pen.colours["paper"])


class _Pen:
    """Draws on axes whose units are pixels of the figure."""

    def __init__(self, axes: Any, colours: Any) -> None:
        self.axes, self.colours = axes, colours

    def sketch(self, sketch: Sketch) -> None:
        for edge in sketch.edges:
            self.edge(edge)
        for node in sketch.nodes:
            self.node(node)
        for edge in sketch.edges:
            for text in edge.texts:
                self.text(text, ground=True)
        for text in sketch.texts:
            self.text(text)

    def edge(self, edge: DrawnEdge) -> None:
        colour = "best" if edge.best else "cut" if edge.way == "cut" else "line"
        width = 3.5 if edge.best else 2.0 if edge.way in ("test", "probe") else 1.3
        self.line(edge.points, colour, width, DASHES.get(edge.way, "solid"))
        for stroke in edge.strokes:
            self.line(stroke, "cut", 1.8)

    def line(self, points: Sequence[Point], colour: str, width: float, dashes: Any = "solid") -> None:
        x, y = zip(*points, strict=True)
        self.axes.plot(x, y, color=self.colours[colour], linewidth=_points(width), linestyle=dashes, zorder=1)

    def node(self, node: DrawnNode) -> None:
        from matplotlib.patches import Polygon

        fill = "none" if node.ghost else self.colours[FILLS.get(node.shape, "leaf")]
        colour = "line" if node.ghost else "best" if node.best and not node.current else "ink"
        width = 5.0 if node.current else 3.5 if node.best else 1.3
        self.axes.add_patch(Polygon(
            node.outline, closed=True, facecolor=fill, edgecolor=self.colours[colour], linewidth=_points(width),
            linestyle=(0, (2, 2)) if node.ghost else "solid", joinstyle="round", zorder=2,
        ))  # fmt: skip
        for mark in node.marks:
            self.mark(mark)
        for text in node.texts:
            self.text(text, ghost=node.ghost)

    def mark(self, mark: Mark) -> None:
        """Draw a part of a board."""
        from matplotlib.patches import Circle, Polygon
        from matplotlib.patheffects import withStroke

        fill, edge = (self.colours.get(colour, colour) or "none" for colour in (mark.fill, mark.edge))
        if mark.text:
            outline = [withStroke(linewidth=_points(1.4), foreground=edge)] if mark.edge else []
            self.axes.text(
                *mark.points[0], mark.text, color=fill, fontsize=_points(mark.size), weight="bold", ha="center",
                va="baseline", parse_math=False, path_effects=outline, zorder=2.2,
            )  # fmt: skip
            return
        style = {"facecolor": fill, "edgecolor": edge, "linewidth": _points(0.7), "zorder": 2.1}
        if mark.radius:
            self.axes.add_patch(Circle(mark.points[0], mark.radius, **style))
        else:
            self.axes.add_patch(Polygon(mark.points, closed=False, **style))

    def text(self, text: Text, ghost: bool = False, ground: bool = False) -> None:
        style = text.style
        colour = "cut" if style == "reason" else "muted" if ghost or style in MUTED else "ink"
        self.axes.text(
            text.x, text.y, text.text, color=self.colours[colour], fontsize=_points(SIZES[style]),
            family="monospace" if style in MONOSPACED else "sans-serif",
            weight="bold" if style in BOLD and not ghost else "normal", style="italic" if style in ITALIC else "normal",
            ha={"start": "left", "middle": "center", "end": "right"}[text.anchor], va="baseline", parse_math=False,
            bbox={"facecolor": self.colours["paper"], "edgecolor": "none", "pad": 0.5} if ground else None, zorder=3,
        )  # fmt: skip


def _points(pixels: float) -> float:
    """Return a length in points, 72 per inch."""
    return pixels * 72 / DOTS_PER_INCH
