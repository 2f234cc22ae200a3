"""``plywise tour``: a tour of plywise in three stops."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from plywise.cli.screen import ask, busy, live, output

if TYPE_CHECKING:
    from rich.console import Console

WHAT_NEXT = """\
  plywise play connect-four               you against the search
  plywise tree red-blue --steps           alpha-beta, one step at a time
  plywise compare tic-tac-toe             the algorithms side by side
  plywise new mygame                      start your own game
  plywise --help                          all commands"""


def tour() -> None:
    """Take a short tour of plywise.

    It solves tic-tac-toe with a proof, searches Connect Four, and draws an alpha-beta tree.  The first run compiles,
    which takes some seconds; later runs find the machine code on disk.

    \b
    plywise tour
    """
    out = output()
    out.print(
        "plywise: write the rules of a game once, get exact search, an engine, a web page and drawings.", style="bold"
    )
    stops = (_solve_tic_tac_toe, _search_connect_four, _draw_red_blue)
    for number, stop in enumerate(stops, 1):
        stop(out, number)
        if number < len(stops):
            _pause(out)
    out.print("\nWhere to go next", style="bold")
    out.print(WHAT_NEXT)
    if shutil.which("plywise") is None:
        out.print(f"\nplywise is not on your path: type {sys.argv[0]} instead, or activate its environment.")


def _heading(out: Console, number: int, title: str, text: str) -> None:
    out.print(f"\n{number}. {title}", style="bold underline")
    out.print(f"{text}\n")


def _pause(out: Console) -> None:
    """Wait for Enter, in a terminal."""
    if live(out):
        ask("\nPress Enter to continue ")


def _solve_tic_tac_toe(out: Console, number: int) -> None:
    from plywise.cli.results import show_result
    from plywise.games import TicTacToe
    from plywise.search import solve

    _heading(
        out,
        number,
        "Solve",
        "Tic-tac-toe, to the end.  A strategy for each side proves the value; a checker follows both.",
    )
    with busy("Solving tic-tac-toe"):
        result = solve(TicTacToe(), proof=True)
    show_result(out, result)


def _search_connect_four(out: Console, number: int) -> None:
    from plywise.cli.results import show_depth, show_result
    from plywise.games import ConnectFour
    from plywise.search import search

    _heading(out, number, "Search", "Connect Four for one second, one ply deeper each time.")
    with busy("Searching Connect Four") as display:
        console = display.console if display.console.is_terminal else out
        result = search(ConnectFour(), "473631", seconds=1, on_info=lambda result: show_depth(console, result))
    out.print()
    show_result(out, result)


def _draw_red_blue(out: Console, number: int) -> None:
    from plywise.cli.tree import show_tree
    from plywise.explain import grow
    from plywise.explain.recording import recorded
    from plywise.games import RedBlue

    _heading(
        out,
        number,
        "Understand",
        "Alpha-beta on a small tree: Min, Max and Min choose blue or red.  What does it cut, and why?",
    )
    result = recorded(RedBlue(), None, None, "alphabeta", {})
    show_tree(out, result, grow(result))
