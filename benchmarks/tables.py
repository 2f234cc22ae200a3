"""Tables of all positions: positions a second, bytes a position, and what is known about them.

Run it with ``python benchmarks/tables.py``, or with the names of some tables.  All take about six minutes on two idle
cores, the 5 by 5 board of Connect Four most of it.  It writes ``results/tables.md``.
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import plywise as pw

COMPARED = 1_000
"""Positions of each Connect Four board that are compared with the engine."""

RESULTS = Path(__file__).parent / "results" / "tables.md"

GAMES: dict[str, tuple[pw.Game, str | None, int | None, int | None]] = {
    "tic-tac-toe": (pw.games.TicTacToe(), None, 5_478, None),
    "Connect Four, 4 by 4": (pw.games.ConnectFour(4, 4), None, 161_029, None),
    "Connect Four, 5 by 4": (pw.games.ConnectFour(5, 4), None, 3_945_711, None),
    "king and rook against king": (pw.games.Chess(), "8/8/8/4k3/8/8/8/K6R w - - 0 1", None, 16),
    "king and queen against king": (pw.games.Chess(), "8/8/8/4k3/8/8/8/K6Q w - - 0 1", None, 10),
    "Pig": (pw.games.Pig(), None, 2_039_004, None),
    "Connect Four, 5 by 5": (pw.games.ConnectFour(5, 5), None, 69_763_700, None),
}
"""Each game with its root, its number of positions and its longest win in moves, if these are known."""


def measure(name: str) -> dict[str, Any]:
    """Make a table in this process, and check what is known about it."""
    game, root, positions, longest = GAMES[name]
    pw.tabulate(game, _small_root(game))  # compile
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.perf_counter(), time.process_time()
        table = pw.tabulate(game, root, out=Path(folder) / "table")
        seconds, processor = time.perf_counter() - began, time.process_time() - used
        size = os.path.getsize(Path(folder) / "table")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        if isinstance(game, pw.games.ConnectFour):
            compare_with_engine(table)
    summary = table.summary
    assert positions in (None, summary.positions), (name, summary)
    assert longest in (None, ((summary.longest_win or 0) + 1) // 2), (name, summary)
    return {"positions": summary.positions, "seconds": seconds, "processor": processor, "bytes": size, "peak": peak,
            "longest": summary.longest_win}  # fmt: skip


def compare_with_engine(table: pw.tables.Table) -> None:
    """Check a table on random positions against the engine, which solves each by a search."""
    rows = random.Random(1).sample(range(len(table)), min(len(table), COMPARED))
    states = [table.state(row) for row in rows]
    for state, solved in zip(states, pw.Engine(table.game).solve_many(states), strict=True):
        assert table[state].value == solved.value, table.game.format(state)


def _small_root(game: pw.Game) -> Any:
    """Return a root with few positions: near the end of a game or, in chess, kings kept apart by blocked pawns."""
    if isinstance(game, pw.games.Chess):
        return "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1"
    if isinstance(game, pw.games.Pig):
        return "99-99 max 0"
    states = [game.initial()]
    while not game.is_terminal(states[-1]):
        states.append(game.play(states[-1], next(iter(game.moves(states[-1])))))
    return states[-min(4, len(states))]


def row(name: str) -> str:
    print(f"{name} ...", file=sys.stderr)
    answer = subprocess.run([sys.executable, __file__, "--measure", name], stdout=subprocess.PIPE, check=True)
    found = json.loads(answer.stdout)
    return (
        f"| {name} | {found['positions']:,} | {found['longest'] or '-'} | {found['positions'] / found['seconds']:,.0f} "
        f"| {found['positions'] / found['processor']:,.0f} | {found['bytes'] / found['positions']:.1f} "
        f"| {found['peak']:,.0f} |"
    )


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2])))
        return
    lines = [
        "# Tables", "",
        f"`python benchmarks/tables.py`, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} "
        "cores: from nothing but machine code to a file. The longest win is in plies, memory is that of the process at "
        "its peak.",
        "", "| | positions | longest win | positions/s | per processor second | bytes a position | MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(row(name) for name in sys.argv[1:] or GAMES), "",
    ]  # fmt: skip
    if not sys.argv[1:]:
        RESULTS.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
