"""``plywise tour``: what plywise does, in three stops."""

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
  plywise new mygame                      begin a game of your own
  plywise --help                          all commands"""


def tour() -> None:
    """Take a short tour of plywise.

    It solves tic-tac-toe with a proof, searches Connect Four, and draws an alpha-beta tree.  The first time, machine
    code is made on the way, which takes some seconds; after that it is found on disk.

    \b
    plywise tour
    """
    out = output()
    out.print("plywise: write the rules of a game once, get everything that computer game playing knows.", style="bold")
    stops = (_solve_tic_tac_toe, _search_connect_four, _draw_red_blue)
    for number, stop in enumerate(stops, 1):
        stop(out, number)
        if number < len(stops):
            _pause(out)
    out.print("\nWhere to go next", style="bold")
    out.print(WHAT_NEXT)
    if shutil.which("plywise") is None:
        out.print(f"\nplywise is not on your path: type {sys.argv[0]} instead, or activate its environment first.")


def _heading(out: Console, number: int, title: str, text: str) -> None:
    out.print(f"\n{number}. {title}", style="bold underline")
    out.print(f"{text}\n")


def _pause(out: Console) -> None:
    """Wait for the reader, if there is one."""
    if live(out):
        ask("\nEnter to go on ")


def _solve_tic_tac_toe(out: Console, number: int) -> None:
    from plywise.cli.results import show_result
    from plywise.games import TicTacToe
    from plywise.search import solve

    _heading(
        out, number, "Solve", "Tic-tac-toe, searched to the end; then a proof, a strategy for each side, and its check."
    )
    with busy("Solving tic-tac-toe"):
        result = solve(TicTacToe(), proof=True)
    show_result(out, result)


def _search_connect_four(out: Console, number: int) -> None:
    from plywise.cli.results import show_depth, show_result
    from plywise.games import ConnectFour
    from plywise.search import search

    _heading(out, number, "Search", "Connect Four, for one second: deeper and deeper until the time is up.")
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
        "Alpha-beta on a small tree: Min, Max and Min choose blue or red.  What is cut, and why?",
    )
    result = recorded(RedBlue(), None, None, "alphabeta", {})
    show_tree(out, result, grow(result))
