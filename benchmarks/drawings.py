"""The time for drawings: the layout of a tree with 11,111 nodes, and a whole figure of a searched tree of that size.

Run it with ``python benchmarks/drawings.py``.  It takes some seconds and writes ``results/drawings.md``.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plywise as pw
from plywise.explain import figure, grow
from plywise.explain.tidy_tree import tidy_tree

NODES = 11_111
REPEATS = 11
RESULTS = Path(__file__).parent / "results" / "drawings.md"


def tree_of(parent_of: Callable[[int], int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in range(NODES)]
    for node in range(1, NODES):
        children[parent_of(node)].append(node)
    return children


def shapes() -> dict[str, list[list[int]]]:
    chance = random.Random(1)
    return {
        "ten children each": tree_of(lambda node: (node - 1) // 10),
        "two children each": tree_of(lambda node: (node - 1) // 2),
        "random, wide": tree_of(chance.randrange),
        "random, deep": tree_of(lambda node: chance.randrange(max(0, node - 20), node)),
        "one line": tree_of(lambda node: node - 1),
    }


def measured(run: Callable[[], Any]) -> tuple[float, float]:
    """Return the median and the longest of several times, in milliseconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times), max(times)


def main() -> None:
    rows = []
    for name, children in shapes().items():
        widths = [30.0 + node % 7 for node in range(NODES)]
        rows.append((f"layout, {name}", NODES, *measured(lambda c=children, w=widths: tidy_tree(c, w, 14.0))))
    with pw.interpreted():
        chance = random.Random(1)
        leaves: Any = [[[[chance.randrange(100) for _ in range(10)] for _ in range(10)] for _ in range(10)]
                       for _ in range(10)]  # fmt: skip
        result = pw.search(pw.games.Tree.from_lists(leaves), algorithm="minimax", record=True)
    tree = grow(result)
    drawing = figure(tree)
    rows.append(("figure of a search by minimax", result.nodes, *measured(lambda: figure(tree))))
    rows.append(("the same as SVG", result.nodes, *measured(drawing.svg)))
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    lines = [
        "# Drawings", "",
        f"`python benchmarks/drawings.py`, {machine}, {REPEATS} runs each.",
        "", "| | nodes | median | longest |", "|---|--:|--:|--:|",
        *(f"| {name} | {nodes:,} | {median:.0f} ms | {longest:.0f} ms |" for name, nodes, median, longest in rows), "",
    ]  # fmt: skip
    RESULTS.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
