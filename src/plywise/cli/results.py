"""Prints the progress and the result of a search, the same way for ``search``, ``solve`` and ``tour``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.cli.on_cluster import Watch
from plywise.cli.screen import duration, output, print_json, short

if TYPE_CHECKING:
    from rich.console import Console

    from plywise.engine.progress import Progress
    from plywise.result import Result

NOTEWORTHY = 1.0
"""Mention compiling only if it takes at least this many seconds."""

SHOWN_MOVES = 12
"""The most moves of the principal variation shown for a depth."""


def print_result(result: Result, as_json: bool) -> None:
    """Print a result as text or as JSON."""
    if as_json:
        print_json(result.to_json())
    else:
        show_result(output(), result)


def show_result(out: Console, result: Result) -> None:
    """Print the position, the result, and its proof if there is one."""
    from plywise.explain.titles import in_words

    out.print(in_words(result.game, capital=True), style="bold")
    out.print(f"\n{result.game.board(result.state)}\n")
    out.print(str(result))
    if result.proof is not None:
        out.print(f"proof     checked: {result.proof.summary()}")
    if not result.compiled:
        out.print("(interpreted, not compiled)", style="dim")


def show_depth(out: Console, result: Result) -> None:
    """Print one line for a finished depth, as chess programs do, with as much of the line of play as fits."""
    facts = f"depth {result.depth or 0:>3}  value {_value(result):>4}  {_effort(result)}"
    moves = result.line_text()
    shown = min(len(moves), SHOWN_MOVES)
    while shown > 1 and len(_line(moves, shown)) + len(facts) + 2 > out.width:
        shown -= 1
    out.print(f"{facts}  {_line(moves, shown)}", style="dim", no_wrap=True, overflow="ellipsis")


def _line(moves: list[str], shown: int) -> str:
    return " ".join(moves[:shown]) + (" …" if len(moves) > shown else "")


def _value(result: Result) -> str:
    from plywise.explain.text import number

    return {"exact": "", "lower": "≥", "upper": "≤", "estimate": "≈"}[result.bound] + number(result.value)


def _effort(result: Result) -> str:
    full = "" if result.table_fill is None else f"  {result.table_fill:>4.0%} full"
    speed = short(result.nodes_per_second)
    return f"{result.seconds:>6.2f} s  {short(result.nodes):>5} nodes  {speed:>5}/s{full}"


class News:
    """Keeps the latest result.  In a terminal, prints a line per depth, or updates the status during random games."""

    def __init__(self, watch: Watch, shown: bool) -> None:
        self.latest: Result | None = None
        self.progress: Progress | None = None
        """The bounds proven so far: of the value, or of that at the next depth."""
        self.watch, self.out = watch, watch.display.console
        self.shown = shown and self.out.is_terminal
        self.said_prepared = False

    def __call__(self, result: Result) -> None:
        self.latest = result
        if not self.shown:
            return
        if result.depth is not None:
            show_depth(self.out, result)
        elif result.bound == "estimate":  # many of these come per second
            move = result.game.format_move(result.state, result.move)
            self.watch.say(f"Searching: {move}, value {_value(result)} {_effort(result)}")

    def narrowed(self, progress: Progress) -> None:
        """Keep and show the bounds proven so far."""
        self.progress = progress
        if progress.prepared and not progress.seconds:
            self.watch.say(f"The workers compile: {duration(progress.prepared)}")
            return
        if progress.prepared > NOTEWORTHY and not self.said_prepared:
            self.said_prepared = True
            self.out.print(f"The workers compiled for {duration(progress.prepared)}", style="dim")
        depth = None if self.latest is None else self.latest.depth
        speed = short(progress.nodes / max(progress.seconds, 1e-9))
        self.watch.say(
            f"{self.watch.text}{f' to depth {depth + 1}' if depth else ''}: value {progress}, "
            f"{short(progress.nodes)} nodes, {speed}/s"
        )
