"""Figures as SVG: one document without scripts, fonts or links, light or dark to suit the reader's screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from plywise.explain.figure import DrawnEdge, DrawnNode, Figure, Sketch, Text
from plywise.explain.look import BOLD, ITALIC, MONOSPACED, MUTED, PALETTES, SIZES, text_width
from plywise.explain.miniature import Mark, Point

FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONOSPACED_FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def svg(figure: Figure) -> str:
    """Return a figure as an SVG document."""
    width, height = f"{figure.width:.0f}", f"{figure.height:.0f}"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plywise" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" text-anchor="middle" role="img" aria-label="{escape(figure.title)}">',
        f"<title>{escape(figure.title)}</title>",
        f"<style>{_style()}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        *_sketch(figure.tree),
        *_sketch(figure.around),
        "</svg>",
        "",
    ])  # fmt: skip


def _sketch(sketch: Sketch) -> Iterator[str]:
    for edge in sketch.edges:
        yield _edge(edge)
    for node in sketch.nodes:
        yield _node(node)
    for edge in sketch.edges:
        yield from map(_ground, edge.texts)
        yield from map(_text, edge.texts)
    yield from map(_text, sketch.texts)


def _edge(edge: DrawnEdge) -> str:
    way = "test" if edge.way == "probe" else edge.way  # both only try
    classes = f"edge {way}{' best' if edge.best else ''}"
    strokes = "".join(_path("stroke", stroke) for stroke in edge.strokes)
    line = _path(classes, edge.points)
    if not strokes:
        return line
    title = f"<title>{escape(edge.reason)}</title>" if edge.reason else ""
    return f"<g>{title}{line}{strokes}</g>"


def _node(node: DrawnNode) -> str:
    words = {"ghost": node.ghost, "best": node.best, "current": node.current}
    classes = " ".join(["node", node.shape, *(word for word, holds in words.items() if holds)])
    title = f"<title>{escape(node.title)}</title>" if node.title else ""
    inside = "".join(map(_mark, node.marks)) + "".join(map(_text, node.texts))
    return f'<g class="{classes}">{title}<path d="{_line(node.outline)}Z"/>{inside}</g>'


def _mark(mark: Mark) -> str:
    """Return a part of a board, with its own colours."""
    fill, edge = (_colour(colour) for colour in (mark.fill, mark.edge))
    x, y = mark.points[0]
    if mark.text:
        outline = f";stroke:{edge};stroke-width:.7;paint-order:stroke" if mark.edge else ""
        style = f"fill:{fill};font-size:{mark.size:.1f}px;font-weight:600{outline}"
        return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}">{escape(mark.text)}</text>'
    style = f"fill:{fill};stroke:{edge};stroke-width:.7;stroke-dasharray:none"
    if mark.radius:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius:.1f}" style="{style}"/>'
    return f'<path d="{_line(mark.points)}" style="{style}"/>'


def _colour(colour: str) -> str:
    """Return the style sheet's variable for a colour of the palette, and any other colour as it is."""
    return f"var(--{colour})" if colour in PALETTES["light"] else colour or "none"


def _text(text: Text) -> str:
    anchor = "" if text.anchor == "middle" else f' text-anchor="{text.anchor}"'
    title = f"<title>{escape(text.full)}</title>" if text.full else ""
    return f'<text class="{text.style}" x="{text.x:.1f}" y="{text.y:.1f}"{anchor}>{title}{escape(text.text)}</text>'


def _ground(text: Text) -> str:
    """Return a rectangle that hides the edge behind a text."""
    width, size = text_width(text.text, text.style), SIZES[text.style]
    return (
        f'<rect class="paper" x="{text.x - width / 2:.1f}" y="{text.y - 0.85 * size:.1f}" '
        f'width="{width:.1f}" height="{1.1 * size:.1f}"/>'
    )


def _path(classes: str, points: Iterable[Point]) -> str:
    return f'<path class="{classes}" d="{_line(points)}"/>'


def _line(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _style() -> str:
    """Return the style sheet.  Every rule starts with ``.plywise``: in a notebook it applies to the whole page."""
    light, dark = (
        ";".join(f"--{name}:{colour}" for name, colour in PALETTES[which].items()) for which in ("light", "dark")
    )
    rules = [
        f".plywise{{{light};max-width:none}}",
        f"@media (prefers-color-scheme:dark){{.plywise{{{dark}}}}}",
        ".plywise .paper{fill:var(--paper)}",
        f".plywise text{{font-family:{FONTS};fill:var(--ink);white-space:pre}}",
        ".plywise path{fill:none;stroke:var(--line);stroke-width:1.3;stroke-linejoin:round}",
        ".plywise .node path{fill:var(--leaf);stroke:var(--ink)}",
        ".plywise .up path{fill:var(--max)}",
        ".plywise .down path{fill:var(--min)}",
        ".plywise .more path{fill:var(--paper)}",
        ".plywise .test{stroke-dasharray:1.5 4;stroke-width:2;stroke-linecap:round}",
        ".plywise .again{stroke-dasharray:10 3 2 3}",
        ".plywise .cut{stroke:var(--cut);stroke-dasharray:6 4}",
        ".plywise .stroke{stroke:var(--cut);stroke-width:1.8}",
        ".plywise path.best,.plywise .best path{stroke:var(--best);stroke-width:3.5}",
        ".plywise .ghost path{fill:none;stroke:var(--line);stroke-dasharray:3 3}",
        ".plywise .ghost text{fill:var(--muted);font-weight:normal}",
        ".plywise .current path{stroke:var(--ink);stroke-width:5}",
        *(f".plywise .{style}{{font-size:{size:g}px}}" for style, size in SIZES.items()),
        _rule(BOLD, "font-weight:600"),
        _rule(ITALIC, "font-style:italic"),
        _rule(MUTED, "fill:var(--muted)"),
        _rule(MONOSPACED, f"font-family:{MONOSPACED_FONTS}"),
        ".plywise .reason{fill:var(--cut)}",
    ]
    return "\n".join(rules)


def _rule(styles: frozenset[str], declarations: str) -> str:
    return f"{','.join(f'.plywise text.{style}' for style in sorted(styles))}{{{declarations}}}"
