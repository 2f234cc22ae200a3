"""plywise compared with easyAI and OpenSpiel: the same trees, in turns, on one machine.

Run it with ``make bench``.  In each task all contestants search the same tree; separate runs count nodes to check it.
plywise runs between any two runs of a peer, so that other load affects all alike.  Times are medians.  A calibration
loop measures the speed of the machine, and fresh processes measure the time to the first answer, with and without
machine code on disk.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from contestants import PACKAGES, PEERS, Contestant, Task, is_installed, tasks
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

DEPTHS = (8, 12)
"""The depths for Connect Four."""

TARGET_RATIO = 250
"""The target for plywise's speed at the greatest depth, relative to the faster peer."""

TARGET_SECONDS = 1.5
"""The target for the first answer of a fresh process, with machine code on disk."""

BURST_SECONDS, PEER_SECONDS, MOST_ROUNDS = 0.3, 3.0, 5
"""How long plywise runs between two runs of peers; how long and how often a peer runs in total, but at least once."""

FIRST_ANSWER = """
import plywise as pw
from plywise.games import ConnectFour
print(pw.search(ConnectFour(), algorithm="alphabeta", depth=8).value, flush=True)
"""

RESULTS = Path(__file__).parent / "results"


@dataclasses.dataclass
class Row:
    """The measurements of one contestant in one task."""

    library: str
    how: str
    value: float = 0
    nodes: int = 0
    wall: list[float] = dataclasses.field(default_factory=list)
    cpu: list[float] = dataclasses.field(default_factory=list)
    reported: list[float] = dataclasses.field(default_factory=list)
    """The times that the library itself reports."""

    @property
    def seconds(self) -> float:
        return statistics.median(self.wall)

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds

    def to_json(self, first: Row) -> dict[str, Any]:
        return {
            "library": self.library,
            "search": self.how,
            "value": self.value,
            "nodes": self.nodes,
            "same_tree": self.nodes == first.nodes,
            "runs": len(self.wall),
            "seconds": _rounded(self.seconds),
            "best_seconds": _rounded(min(self.wall)),
            "cpu_seconds": _rounded(statistics.median(self.cpu)),
            "reported_seconds": _rounded(statistics.median(self.reported)) if self.reported else None,
            "nodes_per_second": round(self.speed),
            "ratio": _rounded(self.seconds / first.seconds),
            "cpu_ratio": _rounded(statistics.median(self.cpu) / statistics.median(first.cpu)),
        }


class Steps:
    """Progress on stderr, redrawn only between measurements: a drawing thread would slow the peers down."""

    def __init__(self, total: int) -> None:
        self.console = Console(stderr=True)
        columns = TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn()
        self.bar = Progress(*columns, console=self.console, auto_refresh=False, transient=True)
        self.task = self.bar.add_task("", total=total)

    def __enter__(self) -> Steps:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    @contextlib.contextmanager
    def step(self, text: str) -> Iterator[None]:
        if self.console.is_terminal:
            self.bar.update(self.task, description=text, refresh=True)
        else:
            print(text, file=sys.stderr, flush=True)
        yield
        self.bar.update(self.task, advance=1, refresh=self.console.is_terminal)


def measure(task: Task, steps: Steps) -> list[Row]:
    """Run all contestants of a task in turns, then count nodes."""
    first, *peers = task.contestants
    rows = [Row(contestant.library, contestant.how) for contestant in task.contestants]
    with steps.step(f"{task.name}: warming up"):
        first.run()
        if task.depth != DEPTHS[-1]:  # a peer that runs once, for seconds, needs no warm-up
            for peer in peers:
                peer.run()
    _burst(rows[0], first)
    for peer, row in zip(peers, rows[1:], strict=True):
        with steps.step(f"{task.name}: {peer.library}"):
            while not row.wall or (sum(row.wall) < PEER_SECONDS and len(row.wall) < MOST_ROUNDS):
                _time(row, peer)
                _burst(rows[0], first)
    for contestant, row in zip(task.contestants, rows, strict=True):
        with steps.step(f"{task.name}: counting the nodes of {contestant.library}"):
            counted = contestant.count()
            row.value, row.nodes = counted.value + 0, counted.nodes or 0  # -0.0 + 0 is 0.0
    return rows


def _time(row: Row, contestant: Contestant) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = contestant.run()
    row.wall.append(time.perf_counter() - wall)
    row.cpu.append(time.process_time() - cpu)
    if outcome.seconds is not None:
        row.reported.append(outcome.seconds)


def _burst(row: Row, contestant: Contestant) -> None:
    end = time.perf_counter() + BURST_SECONDS
    while time.perf_counter() < end:
        _time(row, contestant)


# The machine ---------------------------------------------------------------------------------------------------------


def calibrate() -> dict[str, int]:
    """Return the iterations per second of two loops without any library, the best of three runs."""

    def bytecode(count: int) -> int:
        x = 1
        for _ in range(count):
            x = (x ^ x << 13) & 0xFFFFFFFF
        return x

    def builtin(count: int) -> int:
        return sum(range(count))

    return {"python_loop": _iterations(bytecode, 1_000_000), "sum_of_range": _iterations(builtin, 10_000_000)}


def _iterations(loop: Callable[[int], int], count: int) -> int:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        loop(count)
        best = min(best, time.perf_counter() - start)
    return round(count / best)


def machine() -> dict[str, Any]:
    """Return facts about the machine that affect the results, but nothing that identifies it."""
    versions = {library: importlib.metadata.version(PACKAGES[library]) for library in ("plywise", *_installed())}
    versions |= {package: importlib.metadata.version(package) for package in ("numba", "numpy")}
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": versions,
    }


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _installed() -> tuple[str, ...]:
    return tuple(peer for peer in PEERS if is_installed(peer))


def first_answers(steps: Steps) -> dict[str, Any]:
    """Return the seconds from the start of a process to its first answer, without and with machine code on disk."""
    with tempfile.TemporaryDirectory() as folder:
        with steps.step("first answer of the first process ever"):
            cold = _first_answer(folder)
        with steps.step("first answer of later processes"):
            warm = [_first_answer(folder) for _ in range(5)]
    return {"cold": _rounded(cold), "warm": _rounded(statistics.median(warm)), "warm_worst": _rounded(max(warm))}


def _first_answer(cache: str) -> float:
    command = [sys.executable, "-c", FIRST_ANSWER]
    environment = {**os.environ, "PLYWISE_CACHE_DIR": cache}
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        answer = child.stdout.readline().strip()
        seconds = time.perf_counter() - start
    if child.returncode != 0 or answer != "0":
        raise SystemExit(f"a fresh process answered {answer!r} instead of 0, the value of Connect Four at depth 8")
    return seconds


# The report ----------------------------------------------------------------------------------------------------------


def verdict(report: dict[str, Any], depth: int) -> list[str]:
    """Return a summary of the results in a few lines."""
    rows = [row for task in report["tasks"] if task["depth"] == depth for row in task["rows"]]
    lines = []
    peers = [row for row in rows if row["library"] != "plywise"]
    if peers:
        closest = min(peers, key=lambda row: row["ratio"])
        target = f"; target: {TARGET_RATIO}" if depth == DEPTHS[-1] else ""
        lines.append(
            f"Connect Four, depth {depth}, plain alpha-beta: plywise is {closest['ratio']:,.0f} times as fast as "
            f"the faster peer, {closest['library']} (in processor time: {closest['cpu_ratio']:,.0f}{target})."
        )
    loops = report["calibration"]
    speed = max(row["nodes_per_second"] for row in rows if row["library"] == "plywise")
    lines.append(
        f"Calibration: a loop in Python makes {loops['python_loop'] / 1e6:.1f} million iterations/s here, "
        f"sum(range(n)) {loops['sum_of_range'] / 1e6:.0f} million; plywise visits "
        f"{speed / loops['python_loop']:.1f} nodes per iteration of the first."
    )
    answer = report["first_answer_seconds"]
    lines.append(
        f"First answer of a fresh process (import, Connect Four to depth 8): {answer['warm']:.2f} s, worst of five "
        f"{answer['warm_worst']:.2f} s (target: {TARGET_SECONDS}); when it must compile: "
        f"{answer['cold']:.1f} s."
    )
    for task in report["tasks"]:
        for row in task["rows"]:
            if not row["same_tree"]:
                lines.append(f"Different tree: {task['name']}, {row['library']}, {row['nodes']:,} nodes.")
            if row["value"] != task["rows"][0]["value"]:
                lines.append(f"Different value: {task['name']}, {row['library']}, {row['value']}.")
    if report["busy"]:
        lines.append("The machine was busy: some runs took over a fifth longer than their processor time.")
    return lines


HEADINGS = ("task", "library", "search", "seconds", "nodes", "nodes/s", "times slower")


def cells(task: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a task as text, in the order of ``HEADINGS``."""
    for place, row in enumerate(task["rows"]):
        seconds = row["seconds"]
        yield (
            task["name"] if place == 0 else "",
            row["library"],
            row["search"],
            f"{seconds:.2f}" if seconds >= 1 else f"{seconds:.4f}",
            f"{row['nodes']:,}",
            f"{row['nodes_per_second']:,}",
            "1" if place == 0 else f"{row['ratio']:,.0f}" if row["ratio"] >= 10 else f"{row['ratio']:.1f}",
        )


def show(report: dict[str, Any], depth: int) -> None:
    table = Table(title="plywise and its peers")
    for place, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="left" if place < 3 else "right", overflow="fold")
    for task in report["tasks"]:
        for row in cells(task):
            table.add_row(*row)
        table.add_section()
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(table)
    for line in verdict(report, depth):
        console.print(line)


def markdown(report: dict[str, Any], depth: int) -> str:
    """Return the report as Markdown."""
    here = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in here["versions"].items())
    lines = [
        "# plywise compared with easyAI and OpenSpiel",
        "",
        f"Written by `make bench` on {report['date']}: {here['processor']}, {here['cores']} cores, {here['system']}, "
        f"Python {here['python']}, {versions}.",
        "Seconds are the median of runs that took turns; nodes were counted in separate runs.",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---|---|---|--:|--:|--:|--:|",
        *("| " + " | ".join(row) + " |" for task in report["tasks"] for row in cells(task)),
        "",
        *(f"- {line}" for line in verdict(report, depth)),
        "",
        "Why the trees are the same:",
        "",
        *(f"- {task['name']}: {task['note']}" for task in report["tasks"]),
        "- OpenSpiel: its positions are C++, its searches are Python; its C++ alpha-beta cannot be called from Python.",
    ]
    return "\n".join(lines) + "\n"


def _rounded(number: float) -> float:
    return float(f"{number:.4g}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="half a minute, Connect Four to depth 8 only; writes nothing"
    )
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="default: benchmarks/results")
    options = parser.parse_args(arguments)
    depths = DEPTHS[:1] if options.quick else DEPTHS
    peers = _installed()
    missing = [peer for peer in PEERS if peer not in peers]
    for peer in missing:
        print(f"{peer} is left out: it is not installed (python -m pip install {PACKAGES[peer]})", file=sys.stderr)
    plan = tasks(depths, peers)
    with Steps(sum(2 * len(task.contestants) for task in plan) + 3) as steps:
        with steps.step("calibrating"):
            loops = calibrate()
        measured = [(task, measure(task, steps)) for task in plan]
        answers = first_answers(steps)
    report = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "machine": machine(),
        "calibration": loops,
        "first_answer_seconds": answers,
        "busy": any(row.seconds > 1.2 * statistics.median(row.cpu) for _, rows in measured for row in rows),
        "tasks": [
            {"name": task.name, "depth": task.depth, "note": task.note, "rows": [row.to_json(rows[0]) for row in rows]}
            for task, rows in measured
        ],
    }
    show(report, depths[-1])
    if options.quick or missing:
        print("Nothing was written: " + ("a quick run" if options.quick else f"without {' and '.join(missing)}") + ".")
    else:
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / "peers.json").write_text(json.dumps(report, indent=2) + "\n")
        (options.output / "peers.md").write_text(markdown(report, depths[-1]))
        print("Written: peers.json and peers.md.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("Interrupted: nothing was written.", file=sys.stderr)
        sys.exit(130)
