"""Measures what a cluster costs and gives on one machine: ``python benchmarks/cluster.py``.

Two workers of one thread against one, with Dask and with plain processes, in one run.  On a machine with fewer than two
free cores the figures mean nothing.

``--solve W,H[:POSITION]`` measures only how one position of Connect Four is solved, and ``--tables`` only how tables
are made; both write no file.  Positions visited are printed beside seconds, because they do not depend on the load.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import plywise as pw
from engine import HERE, table
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import Executor, Job, done_in_turn
from plywise.games import ConnectFour

RESULTS = HERE / "results" / "cluster.md"
JOBS = 400
POSITIONS = 20_000
SOLVED = "9,5:55"
"""A position of Connect Four that one thread solves in a minute and a quarter."""
ROUNDS = 3
KINDS = ("processes", "local")
TABLES = {
    "Connect Four, 5 by 4": (ConnectFour(5, 4), None),
    "king and rook against king": (pw.games.Chess(), "8/8/8/4k3/8/8/8/K6R w - - 0 1"),
}
"""Games with the position that their tables begin with."""


def no_tools(game: Any, share: float) -> None:
    """Return no tools."""


def nothing(desk: Desk) -> None:
    """Do nothing."""


def overhead(executor: Executor) -> float:
    """Return the milliseconds that a job costs which does nothing."""
    kit = Kit(ConnectFour(), no_tools)
    list(done_in_turn(executor, (Job(kit, nothing, ()) for _ in range(20))))
    begun = time.perf_counter()
    list(done_in_turn(executor, (Job(kit, nothing, ()) for _ in range(JOBS))))
    return (time.perf_counter() - begun) / JOBS * 1e3


def positions(count: int) -> str:
    """Return positions of Connect Four with 14 to 20 stones, one per line."""
    game, chance, found = ConnectFour(), random.Random(5), set[str]()
    while len(found) < count:
        state = game.initial()
        for _ in range(chance.randint(14, 20)):
            if not game.is_terminal(state):
                state = game.play(state, chance.choice(list(game.moves(state))))
        if not game.is_terminal(state):
            found.add(game.format(state))
    return "\n".join(sorted(found))


def analysed(executor: Executor, text: str) -> float:
    """Return the seconds that an analysis takes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "positions"
        file.write_text(text)
        begun = time.perf_counter()
        pw.analyse(ConnectFour(), file, Path(folder) / "results", executor=executor)
        return time.perf_counter() - begun


class Compared(NamedTuple):
    """Some work done by one worker and by two: medians of several rounds."""

    one: float
    """Seconds that one worker takes."""
    two: float
    times: float
    """How many times as fast two workers are as one in the same round."""


def compared(rounds: int, prepare: Callable[[Executor], Any], work: Callable[[Executor], float]) -> dict[str, Compared]:
    """Let all kinds of one worker and of two take turns, so that a slow minute of the machine is held against none."""
    taken: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            with connect(kind, workers=1) as one, connect(kind, workers=2) as two:
                for executor in (one, two):
                    prepare(executor)
                taken[kind].append((work(one), work(two)))
                print(kind, " ".join(f"{seconds:.1f} s" for seconds in taken[kind][-1]), flush=True)
    return {
        kind: Compared(*map(statistics.median, zip(*((one, two, one / two) for one, two in found), strict=True)))
        for kind, found in taken.items()
    }


def analyses(rounds: int) -> dict[str, Compared]:
    """Measure how a file of positions is analysed."""
    text = positions(POSITIONS)
    few = "\n".join(text.splitlines()[:50])
    return compared(rounds, lambda executor: analysed(executor, few), lambda executor: analysed(executor, text))


def solutions(rounds: int, board: str) -> dict[str, Compared]:
    """Measure how a position of Connect Four, named ``W,H[:POSITION]``, is solved; without compiling."""
    size, _, position = board.partition(":")
    game = ConnectFour(*map(int, size.split(",")))

    def work(executor: Executor) -> float:
        found = pw.solve(game, position or None, executor=executor)
        print(f"{executor.slots} workers visit {found.nodes:,} positions", flush=True)
        return found.seconds

    return compared(rounds, lambda executor: pw.solve(ConnectFour(5, 4), executor=executor), work)


def tables_made(rounds: int) -> list[dict[str, str]]:
    """Measure how tables are made with two workers and without: wall time, and processor time of this process."""
    rows = []
    for kind in (None, *KINDS):
        with connect(kind, workers=2) if kind else contextlib.nullcontext() as executor:
            for name in TABLES:
                tabulated(executor, name)  # compiles
                wall, processor = map(min, zip(*(tabulated(executor, name) for _ in range(rounds)), strict=True))
                row = {"table": name, "workers": f"two {kind}" if kind else "none", "time": f"{wall:.1f} s",
                       "processor time here": f"{processor:.1f} s"}  # fmt: skip
                print(*row.values(), flush=True)
                rows.append(row)
    return sorted(rows, key=lambda row: list(TABLES).index(row["table"]))


def tabulated(executor: Executor | None, name: str) -> tuple[float, float]:
    """Return how long a table takes, and how much processor time of this process."""
    game, root = TABLES[name]
    with tempfile.TemporaryDirectory() as folder:
        begun, before = time.perf_counter(), time.process_time()
        pw.tabulate(game, root and [root], out=Path(folder) / "table", executor=executor)
        return time.perf_counter() - begun, time.process_time() - before


def main() -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solve", metavar="W,H[:POSITION]", help="only solve this position, such as 8,5 or 7,6:4455")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often; default: {ROUNDS}")
    parser.add_argument("--tables", action="store_true", help="only make tables")
    given = parser.parse_args()
    if given.solve:
        print(solutions(given.rounds, given.solve))
    elif given.tables:
        print(table(tables_made(given.rounds)))
    else:
        measure_all(given.rounds)


def measure_all(rounds: int) -> None:
    """Measure everything, and write the results."""
    overheads = []
    for kind in KINDS:
        with connect(kind, workers=2) as executor:
            overheads.append(f"A job that does nothing costs {overhead(executor):.2g} ms with {kind} (two workers).")
    done = {"analyse": analyses(rounds), "solve": solutions(rounds, SOLVED)}
    rows = [
        {"work": name, "executor": kind, "one worker": f"{found.one:.1f} s", "two": f"{found.two:.1f} s",
         "times": f"{found.times:.2f}"}
        for name, each in done.items() for kind, found in each.items()
    ]  # fmt: skip
    lines = [
        f"`analyse`: {POSITIONS:,} positions of Connect Four with 14 to 20 stones. `solve`: {SOLVED}, the size of a",
        f"board and the moves played on it. All take turns, {rounds} times; medians, with all programs started and",
        "everything compiled.\n",
        table(rows),
        "",
        *overheads,
        "\nTables, where workers only apply the rules:\n",
        table(tables_made(rounds)),
    ]
    RESULTS.write_text("# A cluster on one machine\n\n" + "\n".join(lines) + "\n")
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
