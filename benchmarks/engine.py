"""The speed of the engine, as ratios measured in one run: against the textbook, bitbully and itself.

Run it with ``make bench`` (about ten minutes), or ``python benchmarks/engine.py SECTION...`` for some sections.  The
published positions of Connect Four (Pascal Pons' test sets) are read from ``../shared/data/connect4``, or ``connect4``
in the folder ``$PLYWISE_DATA``.  Without them, the sections that need them are skipped with a message.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import json
import math
import os
import platform
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import plywise as pw
from plywise.compiling.reading import specialised
from plywise.engine.any_code import made_by
from plywise.games import ConnectFour

HERE = Path(__file__).parent
SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
GAME = ConnectFour()

MOST_PLAIN = 16
"""The greatest depth for plain alpha-beta; at 20 it would take an hour."""

MINIMAX_RS = {12: 0.038, 16: 0.098, 20: 2.2}
"""Seconds of minimax-rs 0.6.0 (Rust; its iterative search with a table of 64 MB and no evaluation) to the same depths,
measured on 2026-11-17 in turns with plywise, not in this run.
"""

Row = dict[str, Any]


def data(name: str = "connect4") -> Path | None:
    """Return a folder of published positions, or None if it is missing."""
    folder = Path(os.environ.get("PLYWISE_DATA", HERE.parent.parent / "shared" / "data")) / name
    return folder if folder.is_dir() else None


def published(name: str) -> list[tuple[str, int]]:
    """Return the positions of a set with their scores for the player to move."""
    folder = data()
    if folder is None:
        raise SystemExit(f"skipped: the published positions {name} are missing (set PLYWISE_DATA)")
    lines = (folder / f"Test_{name}").read_text().splitlines()
    return [(text, int(score)) for text, score in map(str.split, lines)]


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of ``work`` and its result."""
    gc.collect()
    begun = time.process_time()
    answer = work()
    return time.process_time() - begun, answer


def depths() -> Iterator[Row]:
    """Exact iterative search of the empty board, compared with plain alpha-beta to the same depth."""
    engine = pw.Engine(GAME)
    with made_by(specialised):  # at once, not after some seconds
        engine.search(depth=2)
    pw.search(GAME, depth=2, algorithm="alphabeta")
    for depth in (8, 12, 16, 20):
        engine.clear()
        ours, result = cpu(lambda depth=depth: engine.search(depth=depth))
        row: Row = {"depth": depth, "engine s": ours, "engine nodes": result.nodes}
        row["ns / node"] = ours / result.nodes * 1e9
        if depth <= MOST_PLAIN:
            theirs, plain = cpu(lambda depth=depth: pw.search(GAME, depth=depth, algorithm="alphabeta"))
            assert plain.value == result.value
            row |= {"alpha-beta s": theirs, "alpha-beta nodes": plain.nodes, "ratio": theirs / ours}
        leaves = 7 ** math.ceil(depth / 2) + 7 ** (depth // 2) - 1
        row["nodes / leaves of the minimal tree"] = result.nodes / leaves
        row["minimax-rs s (earlier run)"] = MINIMAX_RS.get(depth, "")
        yield row


def sets() -> Iterator[Row]:
    """The published sets, solved by plywise and by bitbully in turns, one thread each."""
    try:
        from bitbully import bitbully_core
    except ImportError:
        raise SystemExit("skipped: bitbully is not installed (pip install bitbully)") from None
    peer = bitbully_core.BitBullyCore()
    engine = pw.Engine(GAME, table_mb=64)
    large = pw.Engine(GAME, table_mb=256)
    engine.solve_many(["4444443333"])
    for name in SETS:
        rows = published(name)
        chosen = large if name.startswith("L1") else engine
        states = [GAME.parse(text) for text, _ in rows]
        scores = [score * pw.sign(GAME.to_move(state)) for state, (_, score) in zip(states, rows, strict=True)]
        boards = []
        for text, _ in rows:
            board = bitbully_core.BoardCore()
            for column in text:
                board.play(int(column) - 1)
            boards.append(board)
        ours, theirs = [], []
        for _ in range(1 if name == "L1_R3" else 3):
            chosen.clear()
            seconds, solved = cpu(lambda chosen=chosen, states=states: chosen.solve_many(states))
            assert [found.value for found in solved] == scores, name
            ours.append(seconds)
            peer.resetTranspositionTable()
            peer.resetNodeCounter()
            seconds, values = cpu(lambda boards=boards: [peer.mtdf(board, 0) for board in boards])
            assert values == [score for _, score in rows], name
            theirs.append(seconds)
        yield {
            "set": name, "positions": len(rows), "plywise µs": 1e6 * min(ours) / len(rows),
            "bitbully µs": 1e6 * min(theirs) / len(rows), "ratio": min(theirs) / min(ours),
            "plywise nodes": sum(found.nodes for found in solved) / len(rows),
            "bitbully nodes": peer.getNodeCounter() / len(rows),
        }  # fmt: skip


def empty() -> Iterator[Row]:
    """The empty board of 7 by 6, exactly, without a book, one thread."""
    engine = pw.Engine(GAME, table_mb=1024)
    engine.solve("444444333333")
    engine.clear()
    seconds, result = cpu(engine.solve)
    yield {"value": result.value, "cpu s": seconds, "nodes": result.nodes, "first move": result.line_text()[0]}


def threads() -> Iterator[Row]:
    """One thread and two, wall-clock: Jamboree solves 8 by 5, ABDADA searches 7 by 6 to depth 17 after every move."""
    wide = ConnectFour(8, 5)

    def solved(engine: pw.Engine) -> pw.Result:
        return engine.solve()

    def searched(engine: pw.Engine) -> pw.Result:  # many, because on one position luck decides
        for first in "1234567":
            for second in "1234567":
                result = engine.search(first + second, depth=17)
        return result

    for name, game, work in (("Jamboree", wide, solved), ("ABDADA", GAME, searched)):
        walls = []
        for count in (1, 2):
            engine = pw.Engine(game, table_mb=512, threads=count)
            engine.solve("1111222") if work is solved else engine.search(depth=2)
            engine.clear()
            begun = time.perf_counter()
            result = work(engine)
            walls.append(time.perf_counter() - begun)
            row = {"method": name, "threads": count, "wall s": walls[-1], "speed-up": walls[0] / walls[-1]}
            yield row | ({"nodes": result.nodes, "value": result.value} if work is solved else {})


def clock() -> Iterator[Row]:
    """How late 200 searches of 50 ms stop."""
    engine = pw.Engine(GAME, table_mb=16)
    engine.search(nodes=1000)
    late = []
    for number in range(200):
        state = GAME.initial()
        for column in str(1000 + 7 * number)[:4]:
            state = GAME.play(state, int(column) % 7)
        begun = time.perf_counter()
        engine.search(state, seconds=0.05)
        late.append(1e3 * (time.perf_counter() - begun - 0.05))
    yield {"searches": len(late), "median ms": statistics.median(late), "max ms": max(late)}


def policies() -> Iterator[Row]:
    """Nodes to solve the first positions of L2_R2 with a small table, by replacement policy."""
    states = [GAME.parse(text) for text, _ in published("L2_R2")[:100]]
    for megabytes in (0.05, 0.5, 8):
        for policy in ("always", "deepest", "two-tier", "aged"):
            engine = pw.Engine(GAME, table_mb=megabytes, policy=policy)
            seconds, solved = cpu(lambda engine=engine: engine.solve_many(states))
            nodes = sum(found.nodes for found in solved) / len(states)
            yield {"table MB": megabytes, "policy": policy, "nodes": nodes, "cpu s": seconds}


def options() -> Iterator[Row]:
    """Depth reached and nodes, with one option of the playing search off."""
    for name in (None, "reductions", "knowledge", "killers"):
        off: dict[str, Any] = {name: False} if name else {}
        engine = pw.Engine(GAME, **off)
        engine.search(nodes=100)
        engine.clear()
        seconds, result = cpu(lambda engine=engine: engine.search("44", depth=16, nodes=10**9))
        yield {"without": name or "nothing", "depth": result.depth, "nodes": result.nodes, "cpu s": seconds}


def memory() -> Iterator[Row]:
    """Peak memory of this process so far, including its tables."""
    yield {"peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


SECTIONS = {f.__name__: f for f in (depths, sets, policies, options, clock, threads, empty, memory)}


def table(rows: list[Row]) -> str:
    """Return rows as a Markdown table."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    for row in rows:
        lines.append("| " + " | ".join(text(row.get(name, "")) for name in names) + " |")
    return "\n".join(lines)


def text(value: Any) -> str:
    """Return a number with three or four digits."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def run(title: str, name: str, about: str | None, sections: Mapping[str, Callable[[], Iterator[Row]]]) -> None:
    """Measure, print, and write ``results/NAME.md`` and ``.json`` if all sections ran."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", choices=[[], *sections], help=f"some of: {', '.join(sections)}")
    chosen = parser.parse_args().sections or list(sections)
    report = [f"# {title}\n\n{datetime.date.today()}, {platform.processor() or platform.machine()}, "
              f"{os.cpu_count()} cores, Python {platform.python_version()}, plywise {pw.__version__}\n"]  # fmt: skip
    figures = {}
    for section in chosen:
        rows: list[Row] = []
        print(f"\n## {sections[section].__doc__}\n", flush=True)
        try:
            for row in sections[section]():
                rows.append(row)
                print("  ".join(f"{key}: {text(value)}" for key, value in row.items()), flush=True)
        except SystemExit as reason:
            print(reason)
        figures[section] = rows
        report.append(f"## {sections[section].__doc__}\n\n{table(rows) if rows else 'Skipped.'}\n")
    if chosen == list(sections):
        (HERE / "results" / f"{name}.md").write_text("\n".join(report))
        (HERE / "results" / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    run("The engine", "engine", __doc__, SECTIONS)
