"""The time to the first answer of a command, with nothing compiled, after another game, and with everything compiled.

Run ``python benchmarks/cold.py`` (about ten minutes), or add a commit to measure that one too, in turns.  Every
command is a process of its own.  It writes ``results/cold.md``.
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from before_after import checkout

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
RESULTS = HERE / "results" / "cold.md"

OWN_GAME = '''
import plywise as pw


class TakeAway(pw.Game):
    """Take one to three counters; who takes the last one wins."""

    size: int = 21

    def initial(self):
        return (self.size, pw.MAX)

    def to_move(self, state):
        return state[1]

    def moves(self, state):
        for count in range(1, min(3, state[0]) + 1):
            yield count

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def score(self, state):
        return 1 if state[1] == pw.MIN else -1
'''

GAMES = {
    "own.py": "3 1",
    "tic-tac-toe": "XOX/OX./...",
    "nim": "1,2,3 max",
    "mnk:4,4,3": "XOXO/XOX./..../....",
    "connect-four": "23163416124767223154467471272416755633",
    "chess": None,
    "checkers": None,
    "othello": "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X",
    "kalah": "0,0,0,0,1,2,20/0,1,0,0,2,0,22 S",
    "go": None,
}
"""Games, each with a position near the end to solve; large games with repetitions are not solved."""

OTHER = "red-blue"
"""The other game that was searched and solved before, in the second column."""

TARGETS = {"own.py": (8.0, 2.5), "connect-four": (9.0, 3.0), "chess": (20.0, 12.0)}
"""Wall seconds of ``plywise search GAME --seconds 0.05``: with nothing compiled, and after another game."""


class Taken(NamedTuple):
    """The seconds that a command took."""

    wall: float
    processor: float

    def text(self) -> str:
        return f"{self.wall:.1f} ({self.processor:.1f})"


def commands(game: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the measured commands, each with its name."""
    yield "search", ["search", game, "--seconds", "0.05"]
    yield "exact depth", ["search", game, "--depth", "3"]
    if position := GAMES[game]:
        yield "solve", ["solve", game, "--position", position]


PASSES = """
import json, sys, time
from numba.core import event

spent, stack = {}, []

class Listener(event.Listener):
    def on_start(self, begun):
        stack.append([begun.data["name"], time.process_time(), 0.0])

    def on_end(self, ended):
        name, begun, inside = stack.pop()
        took = time.process_time() - begun
        spent[name] = spent.get(name, 0.0) + took - inside
        if stack:
            stack[-1][2] += took

event.register("numba:run_pass", Listener())
from plywise.cli import main
sys.argv[0] = "plywise"
try:
    main()
finally:
    open(PLACE, "w").write(json.dumps(spent))
"""


def passes(source: Path, folder: Path, cache: Path, arguments: list[str]) -> dict[str, float]:
    """Return the processor seconds by Numba's passes, of one command; other processes that it starts do not count."""
    place = folder / "passes.json"
    run(source, folder, cache, arguments, ["-c", PASSES.replace("PLACE", repr(str(place)))])
    spent: dict[str, float] = json.loads(place.read_text())
    found = {"typing": 0.0, "lowering": 0.0, "other": 0.0}
    for name, seconds in spent.items():
        found["typing" if "type_inference" in name else "lowering" if "lowering" in name else "other"] += seconds
    return found


def run(source: Path, folder: Path, cache: Path, arguments: list[str], program: list[str] | None = None) -> Taken:
    """Run a command of plywise with this source and cache; return how long it took."""
    # Python translates installed modules once, so it may keep the translations here too.
    kept = {n: v for n, v in os.environ.items() if not n.startswith("PLYWISE_") and n != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPATH": str(source), "PLYWISE_CACHE_DIR": str(cache)}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, *(program or ["-m", "plywise"]), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed: {done.stderr.strip()}")
    return Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


class Row(NamedTuple):
    game: str
    command: str
    empty: Taken
    after_another: Taken
    full: Taken


def measured(source: Path, folder: Path) -> Iterator[Row]:
    """Measure all commands of all games."""
    compileall.compile_dir(source, quiet=1)
    for game in GAMES:
        taken: dict[tuple[str, str], Taken] = {}
        for name, arguments in commands(game):
            with cache_folder() as empty:
                taken[name, "empty"] = run(source, folder, empty, arguments)
        with cache_folder() as shared:
            for other in (["search", OTHER, "--seconds", "0.05"], ["solve", OTHER]):
                run(source, folder, shared, other)
            for when in ("after another", "full"):
                for name, arguments in commands(game):
                    taken[name, when] = run(source, folder, shared, arguments)
        for name, _ in commands(game):
            row = Row(game, name, taken[name, "empty"], taken[name, "after another"], taken[name, "full"])
            print(game, name, *row[2:], flush=True)
            yield row


@contextlib.contextmanager
def cache_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cache"
        path.mkdir(mode=0o700)
        yield path


def table(rows: list[Row]) -> Iterator[str]:
    yield "| game | command | nothing compiled | after another game | compiled |"
    yield "|---|---|---|---|---|"
    for row in rows:
        taken = (row.empty, row.after_another, row.full)
        cells = [each.text() for each in taken]
        if row.game in TARGETS and row.command == "search":
            for place, target in enumerate(TARGETS[row.game]):
                cells[place] += f", target {target:g}{'' if taken[place].wall <= target else ' missed'}"
        yield f"| {row.game} | {row.command} | {' | '.join(cells)} |"


def pass_table(source: Path, folder: Path) -> Iterator[str]:
    yield f"| game |{' typing | lowering, LLVM | other |' * 2}"
    yield f"|---|{'---|' * 6}"
    for game in GAMES:
        search = next(commands(game))[1]
        with cache_folder() as cache:
            cells = [f"{s:.2f}" for s in passes(source, folder, cache, search).values()]
        with cache_folder() as cache:
            run(source, folder, cache, ["search", OTHER, "--seconds", "0.05"])
            cells += [f"{s:.2f}" for s in passes(source, folder, cache, search).values()]
        yield f"| {game} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", help="measure this commit too")
    chosen: Any = parser.parse_args()
    lines = [
        "# The first answer", "",
        f"Measured on {datetime.date.today()} with Python {platform.python_version()}, {os.cpu_count()} cores, by "
        "`python benchmarks/cold.py`: wall seconds, and in brackets processor seconds of all processes, from the start "
        "of the command to its end.", "",
        f"*After another game*: `plywise search {OTHER}` and `plywise solve {OTHER}` ran before, and for *exact depth* "
        "and *solve* also the rows above them, of the same game.", "",
    ]  # fmt: skip
    if os.getloadavg()[0] > 0.8 * (os.cpu_count() or 1):
        lines += ["The machine was busy: the times are too long.", ""]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "own.py").write_text(OWN_GAME)
        lines += ["## This version", "", *table(list(measured(SOURCE, folder))), ""]
        lines += [
            "## By pass",
            "",
            "Processor seconds of the search's own process: with nothing compiled, and after another game.",
            "",
        ]
        lines += [*pass_table(SOURCE, folder), ""]
        if chosen.commit:
            with checkout(chosen.commit) as before:
                lines += [f"## Commit {chosen.commit}", "", *table(list(measured(before, folder))), ""]
    RESULTS.write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
