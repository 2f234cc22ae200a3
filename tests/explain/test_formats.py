"""Figures as SVG, TikZ, DOT and PNG: complete, self-contained, and readable by the usual programs."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

import plywise as pw
from plywise.explain import Figure, figure, grow
from plywise.explain.figure import LARGEST_IN_NOTEBOOK
from plywise.explain.look import PALETTES
from plywise.games import RedBlue, TicTacToe
from plywise.games.red_blue import Choices
from tests.explain.test_golden import DRAWINGS
from tests.explain.test_search_tree import recorded

SVG = "{http://www.w3.org/2000/svg}"


class Awkward(RedBlue):
    """Moves with every letter that some format reserves."""

    def format_move(self, state: Choices, move: int) -> str:
        return (r"""<&"'\{_^~%$#|>}""", "é→♞")[move]


every_drawing = pytest.mark.parametrize("draw", [*DRAWINGS.values(), lambda: figure(grow(recorded(Awkward(), "pvs")))],
                                        ids=[*DRAWINGS, "awkward"])  # fmt: skip


# SVG -----------------------------------------------------------------------------------------------------------------


@every_drawing
def test_svg_has_every_shape_and_every_text(draw: Callable[[], Figure]) -> None:
    drawing = draw()
    root = ElementTree.fromstring(drawing.svg())
    shapes = [group for group in root.iter(f"{SVG}g") if "node" in group.get("class", "").split()]
    assert len(shapes) == len(drawing.nodes) + len(drawing.around.nodes)
    wanted = [text.text for sketch in (drawing.tree, drawing.around) for text in sketch.texts]
    wanted += [text.text for node in drawing.nodes for text in node.texts]
    wanted += [text.text for edge in drawing.edges for text in edge.texts]
    wanted += [mark.text for node in drawing.nodes for mark in node.marks if mark.text]
    assert sorted(element.text or "" for element in root.iter(f"{SVG}text")) == sorted(wanted)


@every_drawing
def test_svg_needs_nothing_from_elsewhere(draw: Callable[[], Figure]) -> None:
    text = draw().svg()
    assert not re.search(r"href|url\(|@import|<script|<image|<foreignObject", text)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]


def test_svg_is_light_or_dark_as_the_reader_wishes() -> None:
    style = ElementTree.fromstring(DRAWINGS["red-blue-window"]().svg()).findtext(f"{SVG}style") or ""
    light, _, dark = style.partition("@media (prefers-color-scheme:dark)")
    assert PALETTES["light"]["paper"] in light
    assert PALETTES["dark"]["paper"] in dark
    assert all(line.startswith((".plywise", "@media")) for line in style.splitlines())


@pytest.mark.parametrize("which", PALETTES)
def test_text_has_enough_contrast(which: str) -> None:
    colours = PALETTES[which]
    for text in ("ink", "muted", "cut"):
        assert contrast(colours[text], colours["paper"]) >= 4.5
    for ground in ("max", "min", "leaf"):
        assert contrast(colours["ink"], colours[ground]) >= 4.5
    for line in ("line", "best"):
        assert contrast(colours[line], colours["paper"]) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the W3C defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_notebook_draws_recorded_results_and_trees() -> None:
    result = recorded(RedBlue(), "alphabeta", strict=True)
    drawing = result._repr_svg_()
    assert drawing is not None
    assert "alpha &gt; beta (strict)" in drawing
    assert grow(result)._repr_svg_() == drawing
    assert figure(grow(result))._repr_svg_().startswith("<svg")
    with pw.interpreted():
        assert pw.search(RedBlue(), algorithm="alphabeta")._repr_svg_() is None


def test_a_notebook_does_not_draw_what_nobody_could_read() -> None:
    tree = grow(recorded(TicTacToe(), "minimax", depth=4))
    assert len(tree.visits) > LARGEST_IN_NOTEBOOK
    assert tree._repr_svg_() is None


# TikZ ----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@every_drawing
def test_tikz_compiles_with_a_minimal_latex(draw: Callable[[], Figure], tmp_path: Path) -> None:
    (tmp_path / "tree.tex").write_text(draw().tikz(document=True), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False, errors="replace",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Output written on tree.pdf (1 page" in done.stdout
    assert "Overfull" not in done.stdout


@every_drawing
def test_tikz_uses_no_library_and_only_letters_that_latex_knows(draw: Callable[[], Figure]) -> None:
    picture = draw().tikz()
    assert "usetikzlibrary" not in draw().tikz(document=True)
    assert picture.count(r"\begin{tikzpicture}") == picture.count(r"\end{tikzpicture}") == 1
    assert all(ord(letter) < 0x180 for letter in picture)
    assert "documentclass" not in picture


# DOT -----------------------------------------------------------------------------------------------------------------


@every_drawing
def test_dot_has_every_node_and_every_edge(draw: Callable[[], Figure]) -> None:
    drawing = draw()
    lines = drawing.dot().splitlines()
    assert sum(re.match(r"  n\d+ \[", line) is not None for line in lines) == len(drawing.nodes)
    assert sum(re.match(r"  n\d+ -> n\d+ \[", line) is not None for line in lines) == len(drawing.edges)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@every_drawing
def test_graphviz_reads_dot(draw: Callable[[], Figure]) -> None:
    done = subprocess.run(
        ["dot", "-Tsvg"], input=draw().dot(), capture_output=True, text=True, timeout=60, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


# PNG -----------------------------------------------------------------------------------------------------------------


@every_drawing
@pytest.mark.parametrize("dark", [False, True])
def test_png_has_the_size_of_the_figure_and_its_ground(draw: Callable[[], Figure], dark: bool, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from matplotlib.image import imread

    drawing = draw()
    drawing.png(tmp_path / "tree.png", dark)
    pixels = imread(tmp_path / "tree.png")
    height, width = pixels.shape[:2]
    assert abs(width - 2 * drawing.width) <= 2
    assert abs(height - 2 * drawing.height) <= 2
    paper = PALETTES["dark" if dark else "light"]["paper"]
    assert "#" + "".join(f"{round(255 * part):02x}" for part in pixels[0, 0, :3]) == paper
    assert len({tuple(pixel) for row in pixels[::8] for pixel in row[::8].tolist()}) > 3
