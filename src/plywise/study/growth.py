"""How the work of a search grows with depth: a chart that shows what pruning and move ordering are worth.

Alpha-beta with the best and the worst order runs on explicit trees: the game's own tree, with the moves of each node
sorted by value.  Such a tree must fit in memory, so those two curves end before the others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.algorithms import Algorithm, alphabeta, engine, minimax
from plywise.explain.titles import in_words
from plywise.game import MAX, Game, Number, State
from plywise.games.tree import Tree
from plywise.games.tree_forms import TreeNode
from plywise.inputs.chance import check_certain
from plywise.inputs.positions import check_zero_sum, position
from plywise.io.plot import plotted
from plywise.result import Result
from plywise.search import search
from plywise.study.survey import MOST_NODES, MOST_SECONDS, TreeSize

MOST_SORTED = 150_000
"""The most nodes in a sorted tree."""

MINIMAX, WORST, NATURAL, BEST, ENGINE = CURVES = (
    "minimax", "alpha-beta, worst order", "alpha-beta, natural order", "alpha-beta, best order", "engine",
)  # fmt: skip
MARKERS = dict(zip(CURVES, "osD^v", strict=True))


@dataclasses.dataclass(frozen=True)
class Growth:
    """Nodes by depth, for each way to search."""

    game: Game
    state: State
    nodes: dict[str, dict[int, int]]
    sizes: dict[int, TreeSize]
    """The size of the full tree to each depth, and what theory predicts; estimated where it is too big to count."""

    def to_json(self) -> dict[str, Any]:
        """Return the counts ready for JSON."""
        theory = {depth: {"most_leaves": size.most, "fewest_leaves": size.fewest} for depth, size in self.sizes.items()}
        return {"nodes": self.nodes, "theory": theory}

    def write_plot(self, path: Path) -> None:
        """Draw the curves on a logarithmic scale.  The suffix of the path chooses the format.

        Raises:
            SearchError: matplotlib is not installed, or does not know the format.
        """
        with plotted(path, 8, 5) as axes:
            for name, counts in self.nodes.items():
                axes.plot(list(counts), list(counts.values()), marker=MARKERS[name], markersize=5, label=name)
            depths, sizes = list(self.sizes), self.sizes.values()
            fewest = r"theory: $b^{\lceil d/2 \rceil} + b^{\lfloor d/2 \rfloor} - 1$ leaves"
            axes.plot(depths, [size.most for size in sizes], "--", color="0.35", label="theory: $b^d$ leaves")
            axes.plot(depths, [size.fewest for size in sizes], ":", color="0.35", label=fewest)
            axes.set_yscale("log")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.grid(alpha=0.25)
            title = f"{in_words(self.game, capital=True)}: {self.game.format(self.state)}"
            axes.set(xlabel="depth", ylabel="nodes visited", title=title)


def growth(
    game: Game, state: State | str | None, depth: int, on_step: Callable[[str], None] | None = None
) -> Growth:  # fmt: skip
    """Count the nodes of searches to depth 1, 2, ... ``depth``; each curve ends where it would take too long.

    Raises:
        SearchError: the game is not a zero-sum game of two players.

    >>> import plywise as pw
    >>> with pw.interpreted():
    ...     found = growth(pw.games.RedBlue(), None, 3)
    >>> [found.nodes[name][3] for name in ("minimax", WORST, NATURAL, BEST)]
    [15, 15, 12, 11]
    """
    tell = on_step or (lambda name: None)
    start = position(game, state)
    check_certain(game, "growth")
    check_zero_sum(game, "growth")
    tell(MINIMAX)
    full = _each_depth(game, start, depth, minimax, nodes=MOST_NODES)
    nodes = {MINIMAX: {at: result.nodes for at, result in full.items()}}
    for name, best_first in ((WORST, False), (BEST, True)):
        tell(name)
        nodes[name] = _sorted_counts(game, start, depth, best_first)
    for name, algorithm, options in ((NATURAL, alphabeta, {"nodes": MOST_NODES}), (ENGINE, engine, {"exact": True})):
        tell(name)
        nodes[name] = {at: result.nodes for at, result in _each_depth(game, start, depth, algorithm, **options).items()}
    deepest = max(at for counts in nodes.values() for at in counts)
    last = max(full)
    sizes = {at: TreeSize(full[min(at, last)].leaves or 1, min(at, last), at) for at in range(1, deepest + 1)}
    return Growth(game, start, {name: nodes[name] for name in CURVES}, sizes)


def _each_depth(
    game: Game, start: State, depth: int, algorithm: Algorithm, **options: Any
) -> dict[int, Result]:  # fmt: skip
    """Return the result of the search to each depth that was finished in time.

    A search with a time limit deepens iteratively, and its reports include the earlier depths.  An algorithm that
    deepens by itself needs those for move ordering, so they count; for the others they are subtracted again.
    """
    reports: list[Result] = []
    search(game, start, depth=depth, seconds=MOST_SECONDS, algorithm=algorithm, on_info=reports.append, **options)
    found: dict[int, Result] = {}
    before = leaves_before = 0
    for report in reports:
        assert report.depth is not None
        alone = report
        if not algorithm.keeps_clock:
            leaves = report.leaves or 0
            alone = dataclasses.replace(report, nodes=report.nodes - before, leaves=leaves - leaves_before)
            before, leaves_before = report.nodes, leaves
        found[report.depth] = alone
    return found


# Sorted trees --------------------------------------------------------------------------------------------------------


def _sorted_counts(game: Game, start: State, depth: int, best_first: bool) -> dict[int, int]:
    """Return the nodes that alpha-beta visits to each depth if the moves are sorted by value."""
    levels = _levels(game, start, depth)
    return {
        at: search(_sorted_tree(levels[: at + 1], best_first), algorithm=alphabeta).nodes
        for at in range(1, len(levels))
    }


@dataclasses.dataclass
class _Position:
    """A node of the full tree."""

    state: State
    player: int
    worth: Number
    """Its score if the game is over, else its evaluation."""
    children: list[_Position] = dataclasses.field(default_factory=list)


def _levels(game: Game, start: State, depth: int) -> list[list[_Position]]:
    """Return the full tree level by level, as deep as ``MOST_SORTED`` nodes allow."""
    worth = alphabeta.worth
    levels = [[_Position(start, game.to_move(start), 0)]]
    count = 1
    while len(levels) <= depth:
        below: list[_Position] = []
        for here in levels[-1]:
            if game.is_terminal(here.state):
                continue
            for move in game.moves(here.state):
                state = game.play(here.state, move)
                here.children.append(_Position(state, game.to_move(state), worth(game, state)))
            below += here.children
            if count + len(below) > MOST_SORTED:
                return levels
        if not below:
            break
        count += len(below)
        levels.append(below)
    return levels


def _sorted_tree(levels: list[list[_Position]], best_first: bool) -> Tree:
    """Return the tree down to the last of these levels, with every node's moves sorted by value."""
    values: dict[int, Number] = {id(here): here.worth for here in levels[-1]}
    ordered: dict[int, list[_Position]] = {}
    for level in reversed(levels[:-1]):
        for here in level:
            high_first = (here.player == MAX) == best_first
            children = sorted(here.children, key=lambda child: values[id(child)], reverse=high_first)
            ordered[id(here)] = children
            best = children[0 if best_first else -1] if children else None
            values[id(here)] = here.worth if best is None else values[id(best)]
    every = [here for level in levels for here in level]
    numbers = {id(here): number for number, here in enumerate(every)}
    nodes = []
    for number, here in enumerate(every):
        below = tuple(numbers[id(child)] for child in ordered.get(id(here), ()))
        texts = tuple(str(move + 1) for move in range(len(below)))
        nodes.append(TreeNode(str(number), here.player, None if below else here.worth, below, texts))
    return Tree(nodes)
