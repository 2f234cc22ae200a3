"""A searched tree as lines of text for the terminal.

Shapes carry the meaning and colour only repeats it: a triangle pointing up is Max, one pointing down is Min, a square
is a leaf, a circle is chance, scissors and a dashed branch are moves that were cut off, a star and bold type mark the
best play.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from plywise.explain.drafts import WAYS
from plywise.explain.search_tree import Pass, SearchTree, Visit
from plywise.explain.sentences import cut_reason, preface, subject
from plywise.explain.text import number, short_label, window
from plywise.game import MAX
from plywise.layers import CHANCE, Chance

LEGEND = "▲ Max  ▼ Min  ▢ leaf  ★ best play  ✂ not searched"
UP, DOWN, LEAF, DIAMOND, STAR, SCISSORS, ROUND = "▲▼▢◇★✂○"
CURRENT = "bold reverse"


def heading(tree: SearchTree) -> Text:
    """Return the lines above a tree: algorithm, game, and facts for reading it."""
    text = Text.assemble((subject(tree), "bold"))
    for fact in preface(tree):
        text.append(f"\n{fact}")
    return text


def legend(tree: SearchTree) -> Text:
    """Return the legend of the signs."""
    text = LEGEND.replace("▲ Max  ▼ Min", "▲ player to move") if tree.algorithm.many_players else LEGEND
    if isinstance(tree.game, Chance):
        text = text.replace("▢", f"{ROUND} chance  ▢", 1)
    return Text(f"{text}  {DIAMOND} known from the memo" if tree.algorithm.uses_table else text, style="dim")


@dataclasses.dataclass(frozen=True)
class TerminalLine:
    """One line of a drawing: branches on the left, content, and the visit it shows."""

    branches: str
    content: Text
    visit: Visit | None = None

    def fitted(self, width: int | None = None) -> list[Text]:
        """Return the line as text, wrapped if it is wider than ``width``; branches continue beside the pieces."""
        room = self.content.cell_len if width is None else max(20, width - len(self.branches))
        if self.content.cell_len <= room:
            return [Text(self.branches, style="dim") + self.content]
        pieces = self.content.wrap(_RULER, room - len(_HANGING))
        onward = self.branches.translate(_ONWARD) + _HANGING
        return [Text(self.branches if not i else onward, style="dim") + piece for i, piece in enumerate(pieces)]


def drawing(tree: SearchTree, current: Visit | None = None) -> list[TerminalLine]:
    """Return the tree, one line per visit and one per cut; ``current`` is highlighted."""
    lines: list[TerminalLine] = []
    for count, one in enumerate(tree.passes, 1):
        if one.announced:
            words = f"pass {count} with the window {window(one.root.alpha, one.root.beta)}"
            lines.append(TerminalLine("", Text(words, style="italic")))
        lines += _Artist(tree, current).draw(one)
    return lines


_HANGING = "  "
_RULER = Console(width=80)
_ONWARD = str.maketrans("├└─╌", "│   ")


class _Artist:
    def __init__(self, tree: SearchTree, current: Visit | None) -> None:
        self.tree = tree
        self.current = current
        self.line = set(tree.line)

    def draw(self, one: Pass) -> Iterator[TerminalLine]:
        yield TerminalLine("", self._visit(one.root), one.root)
        yield from self._below(one.root, "")

    def _below(self, visit: Visit, indent: str) -> Iterator[TerminalLine]:
        cut = visit.cut is not None and bool(visit.cut.left_out)
        for place, child in enumerate(visit.children, 1):
            last = place == len(visit.children) and not cut
            yield TerminalLine(f"{indent}{'└─ ' if last else '├─ '}", self._visit(child), child)
            yield from self._below(child, indent + ("   " if last else "│  "))
        if cut:
            yield TerminalLine(f"{indent}└╌ ", self._left_out(visit))

    def _visit(self, visit: Visit) -> Text:
        text = Text(style=CURRENT if visit is self.current else "bold" if visit in self.line else "")
        if visit.parent is not None:
            text.append(f"{short_label(self.tree.edge_text(visit.parent.state, visit.move))} ")
        text.append(self._sign(visit), style=self._colour(visit))
        for part in (self._window(visit), self._way(visit), self._value(visit)):
            text.append(f" {part}" if part else "")
        if visit in self.line:
            text.append(f" {STAR}", style="yellow")
        return text

    def _sign(self, visit: Visit) -> str:
        if visit.kind in ("terminal", "horizon"):
            return LEAF
        if visit.kind == "recalled":
            return DIAMOND
        if visit.player == CHANCE:
            return ROUND
        if self.tree.algorithm.many_players:
            return f"{UP} {self.tree.role(visit.player)}"
        return UP if visit.player == MAX else DOWN

    def _colour(self, visit: Visit) -> str:
        if visit.kind != "inner":
            return "cyan"
        return {MAX: "green", CHANCE: "yellow"}.get(visit.player, "magenta")

    def _window(self, visit: Visit) -> str:
        if visit.kind in ("terminal", "horizon"):
            return ""
        if visit.question:
            return f"v {'≥' if visit.question == '>=' else '>'} {number(visit.alpha)}?"
        if not self.tree.algorithm.has_window:
            return ""
        entry = window(visit.alpha, visit.beta)
        if visit.value is None and visit.window != (visit.alpha, visit.beta):
            return f"{entry} → {window(*visit.window)}"
        return entry

    def _way(self, visit: Visit) -> str:
        return "" if visit.way is None else WAYS[visit.way]

    def _value(self, visit: Visit) -> str:
        if visit.value is None:
            return "…"
        if visit.kind in ("terminal", "horizon"):
            turned = f" (Max {number(-visit.value)})" if self.tree.signs_turn and visit.player != MAX else ""
            return number(visit.value) + turned + (" (estimate)" if visit.kind == "horizon" else "")
        if visit.question:
            return "yes" if visit.value else "no"
        return f"{visit.relation} {number(visit.value)}"

    def _left_out(self, visit: Visit) -> Text:
        assert visit.cut is not None
        moves = " ".join(self.tree.move_label(visit, move) for move in visit.cut.left_out)
        text = Text.assemble((f"{SCISSORS} {moves}", "red"), f"  {cut_reason(self.tree, visit)}")
        leaves = self.tree.leaves_left_out(visit)
        if leaves is not None:
            text.append(f"; leaves never seen: {' '.join(map(number, leaves))}")
        return text
