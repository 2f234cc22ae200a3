"""Figures in Graphviz's language: only the tree, with the node positions of the figure, which ``neato -n`` keeps."""

from __future__ import annotations

from collections.abc import Iterable

from plywise.explain.figure import DrawnEdge, DrawnNode, Figure, Text
from plywise.explain.text import short_label

SHAPES = {
    "up": "triangle", "down": "invtriangle", "box": "box", "estimate": "octagon", "memo": "diamond", "more": "hexagon",
    "round": "ellipse",
}  # fmt: skip
WITH_BOARD = {"up": "house", "down": "invhouse", "memo": "diamond"}
EDGE_STYLES = {"plain": "solid", "test": "dotted", "again": "solid", "probe": "dotted", "cut": "dashed"}


def dot(figure: Figure) -> str:
    """Return the tree of a figure as a directed graph."""
    return "\n".join([
        "digraph plywise {",
        f'  graph [label="{_escaped(figure.title)}", labelloc=t, fontname="Helvetica", ordering=out];',
        '  node [fontname="Helvetica", fontsize=11, height=0.4, width=0.4, margin="0.04,0.03"];',
        '  edge [fontname="Helvetica", fontsize=10, arrowhead=none];',
        *(_node(number, node, figure.height) for number, node in enumerate(figure.nodes)),
        *map(_edge, figure.edges),
        "}",
        "",
    ])  # fmt: skip


def _node(number: int, node: DrawnNode, height: float) -> str:
    labels = node.labels
    beside = "\\n".join(_escaped(short_label(text)) for text in (node.mark, labels.above, labels.below) if text)
    shape, label = SHAPES[node.shape], _escaped(short_label(labels.value))
    attributes = {"pos": f"{node.x:.1f},{height - node.y:.1f}!"}  # in Graphviz y grows upwards
    if node.board:
        shape = WITH_BOARD.get(node.shape, shape)
        label = "".join(f"{_escaped(line)}\\l" for line in node.board) + label
        attributes["fontname"] = "Courier"
    attributes |= {"shape": shape, "label": label}
    if beside:
        attributes["xlabel"] = beside
    if any(text.full for text in node.texts):
        attributes["tooltip"] = _in_full(node.texts)
    if node.ghost:
        attributes |= {"style": "dashed", "fontcolor": "gray30"}
    elif node.best or node.current:
        attributes["penwidth"] = "4" if node.current else "3"
    return f"  n{number} [{_listed(attributes)}];"


def _edge(edge: DrawnEdge) -> str:
    assert edge.nodes is not None
    label = "\\n".join(_escaped(text.text) for text in edge.texts)
    attributes = {"label": label, "style": EDGE_STYLES[edge.way]}
    if any(text.full for text in edge.texts):
        attributes["labeltooltip"] = _in_full(edge.texts)
    if edge.best:
        attributes["penwidth"] = "3"
    if edge.way == "cut":
        attributes |= {"color": "#b42318", "arrowtail": "teetee", "dir": "back"}  # the double stroke
    elif edge.way == "again":
        attributes["color"] = "black:invis:black"
    return f"  n{edge.nodes[0]} -> n{edge.nodes[1]} [{_listed(attributes)}];"


def _in_full(texts: Iterable[Text]) -> str:
    return "\\n".join(_escaped(text.full or text.text) for text in texts)


def _listed(attributes: dict[str, str]) -> str:
    return ", ".join(f'{name}="{value}"' for name, value in attributes.items())


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
