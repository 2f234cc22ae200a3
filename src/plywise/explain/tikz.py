r"""Figures as TikZ: a picture that needs only ``\usepackage{tikz}``, without TikZ libraries or fonts.

One pixel of a figure is 3/4 of a point, and y grows downwards as on a screen, so the coordinates are those of the
figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plywise.explain.figure import DrawnEdge, DrawnNode, Figure, Sketch, Text
from plywise.explain.look import BOLD, ITALIC, MONOSPACED, MUTED, PALETTES, SIZES, Style
from plywise.explain.miniature import Mark, Point

POINTS = 0.75
LARGEST = 14_000
"""The most points of a page, and of a length in TeX; bigger figures are scaled down."""

TYPE = 10.0
"""The font size in points, scaled to every other size: Computer Modern lacks some faces in some sizes."""

SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": "$<$", ">": "$>$", "|": r"$|$",
    "∞": r"$\infty$", "≥": r"$\geq$", "≤": r"$\leq$", "→": r"$\rightarrow$", "…": r"\ldots{}",
    "·": r"$\cdot$", "α": r"$\alpha$", "β": r"$\beta$", "−": "$-$",
}  # fmt: skip

EDGE_STYLES = {
    "plain": "draw=plywiseLine",
    "test": "draw=plywiseLine, line width=1.3pt, dash pattern=on 1pt off 3pt",
    "probe": "draw=plywiseLine, line width=1.3pt, dash pattern=on 1pt off 3pt",
    "again": "draw=plywiseLine, dash pattern=on 7pt off 2pt on 1.5pt off 2pt",
    "cut": "draw=plywiseCut, dash pattern=on 4.5pt off 3pt",
}
NODE_FILLS = {"up": "plywiseMax", "down": "plywiseMin", "more": "white"}


def tikz(figure: Figure, document: bool = False) -> str:
    r"""Return a figure as a ``tikzpicture``, or as a LaTeX document of one page."""
    unit = POINTS * min(1.0, LARGEST / (POINTS * max(figure.width, figure.height)))
    picture = "\n".join(_picture(figure, unit))
    if not document:
        return f"% {_plain(figure.title)}; needs \\usepackage{{tikz}}\n{picture}\n"
    width, height = (f"{length * unit + 20:.0f}pt" for length in (figure.width, figure.height))
    return "\n".join([
        r"\documentclass{article}",
        rf"\usepackage[paperwidth={width},paperheight={height},margin=5pt]{{geometry}}",
        r"\usepackage{tikz}",
        r"\pagestyle{empty}",
        r"\setlength{\parindent}{0pt}",
        r"\begin{document}",
        picture,
        r"\end{document}",
        "",
    ])  # fmt: skip


def _picture(figure: Figure, unit: float) -> Iterator[str]:
    yield rf"\begin{{tikzpicture}}[x={unit:.5g}pt, y=-{unit:.5g}pt, line width=0.8pt, line join=round,"
    yield "  every node/.style={inner sep=0pt, outer sep=0pt, anchor=base},"
    for style in SIZES:
        yield f"  plywise {style}/.style={{{_style(style)}}},"
    yield r"]"
    for name, colour in PALETTES["light"].items():
        yield rf"\definecolor{{plywise{name.capitalize()}}}{{HTML}}{{{colour[1:].upper()}}}"
    yield rf"\useasboundingbox (0,0) rectangle ({figure.width:.0f},{figure.height:.0f});"
    yield from _sketch(figure.tree)
    yield from _sketch(figure.around)
    yield r"\end{tikzpicture}"


def _style(style: Style) -> str:
    family = r"\ttfamily" if style in MONOSPACED else r"\sffamily"
    weight = r"\bfseries" if style in BOLD else ""
    slant = r"\itshape" if style in ITALIC else ""
    colour = "plywiseCut" if style == "reason" else "plywiseMuted" if style in MUTED else "plywiseInk"
    return f"font=\\normalsize{family}{weight}{slant}, scale={SIZES[style] * POINTS / TYPE:.4g}, text={colour}"


def _sketch(sketch: Sketch) -> Iterator[str]:
    for edge in sketch.edges:
        yield from _edge(edge)
    for node in sketch.nodes:
        yield from _node(node)
    for edge in sketch.edges:
        yield from (_text(text, "fill=white, inner sep=1pt") for text in edge.texts)
    yield from map(_text, sketch.texts)


def _edge(edge: DrawnEdge) -> Iterator[str]:
    style = EDGE_STYLES[edge.way]
    if edge.best:
        style += ", draw=plywiseBest, line width=2.4pt"
    yield rf"\draw[{style}] {_line(edge.points)};"
    for stroke in edge.strokes:
        yield rf"\draw[draw=plywiseCut, line width=1.2pt] {_line(stroke)};"


def _node(node: DrawnNode) -> Iterator[str]:
    style = f"draw=plywiseInk, fill={NODE_FILLS.get(node.shape, 'plywiseLeaf')}"
    if node.ghost:
        style = "draw=plywiseLine, dash pattern=on 2pt off 2pt"
    elif node.current:
        style += ", line width=3.5pt"
    elif node.best:
        style += ", draw=plywiseBest, line width=2.4pt"
    yield rf"\draw[{style}] {_line(node.outline)} -- cycle;"
    yield from map(_mark, node.marks)
    yield from (_text(text, "text=plywiseMuted" if node.ghost else "") for text in node.texts)


def _mark(mark: Mark) -> str:
    """Return a part of a board.  Pieces are letters, because glyphs would need a font package."""
    if mark.text:
        colour = mark.fill if mark.text == mark.plain else "ink"
        style = f"font=\\normalsize\\sffamily\\bfseries, scale={mark.size * POINTS / TYPE:.4g}, text={_colour(colour)}"
        (x, y), letter = mark.points[0], "".join(map(_sign, mark.plain))
        return rf"\node[{style}] at ({x:.1f},{y:.1f}) {{{letter}}};"
    names = [f"{name}={_colour(colour)}" for name, colour in (("fill", mark.fill), ("draw", mark.edge)) if colour]
    path = f"({mark.points[0][0]:.1f},{mark.points[0][1]:.1f}) circle[radius={mark.radius:.1f}]"
    return rf"\path[line width=0.4pt, {', '.join(names)}] {path if mark.radius else _line(mark.points)};"


def _colour(colour: str) -> str:
    if colour in PALETTES["light"]:
        return f"plywise{colour.capitalize()}"
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _text(text: Text, more: str = "") -> str:
    anchor = {"start": "anchor=base west", "middle": "", "end": "anchor=base east"}[text.anchor]
    options = ", ".join(filter(None, (f"plywise {text.style}", anchor, more)))
    return rf"\node[{options}] at ({text.x:.1f},{text.y:.1f}) {{{_escaped(text)}}};"


def _escaped(text: Text) -> str:
    """Return a text for LaTeX: escaped, with minus signs before numbers and, in boards, fixed spaces."""
    fixed = text.style in MONOSPACED
    signs = "".join(map(_sign, text.text))
    return signs.replace(" ", "~") if fixed else re.sub(r"-(?=\d|\$\\infty)", "$-$", signs)


def _sign(letter: str) -> str:
    return SIGNS.get(letter, letter if ord(letter) < 0x180 else "?")


def _plain(text: str) -> str:
    """Return a text as one line, for a comment."""
    return " ".join(text.split())


def _line(points: Iterable[Point]) -> str:
    return " -- ".join(f"({x:.1f},{y:.1f})" for x, y in points)
