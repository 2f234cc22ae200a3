"""How well the engine searches chess: depth, speed, threads, start-up, tactics and mates, mostly with one thread.

Run it with ``python benchmarks/chess_search.py`` (about fifteen minutes), or name some of SECTIONS to run only these.
The suites are read from ``../shared/data/chess/epd``, or ``chess/epd`` in the folder ``$PLYWISE_DATA``.  Playing
strength is measured by matches: ``make strength``.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import plywise as pw
from engine import Row, cpu, data, run
from plywise.games import Chess
from plywise.games.chess.epd import Epd, parse_epd

GAME = Chess()
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n2n2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)
SECONDS = float(os.environ.get("PLYWISE_SECONDS", "1"))
"""The time per position of the tactical suite."""
MATE_NODES = 100_000

FIRST_MOVE = """
import plywise as pw
from plywise.games import Chess
pw.search(Chess(), seconds=0.1)
"""


def suite(name: str) -> list[Epd]:
    """Return the positions of a file."""
    folder = data("chess/epd")
    if folder is None:
        raise SystemExit(f"skipped: {name} is missing (set PLYWISE_DATA)")
    return [parse_epd(GAME, line) for line in (folder / name).read_text().splitlines() if line.strip()]


def depth() -> Iterator[Row]:
    """Nodes, nodes/s and time to depth 12, from an empty table."""
    engine = pw.Engine(GAME)
    engine.search(nodes=1000)
    for fen in POSITIONS:
        engine.clear()
        seconds, result = cpu(lambda fen=fen: engine.search(fen, depth=12, exact=False))
        yield {
            "position": fen, "cpu s": seconds, "nodes": result.nodes, "nodes/s": result.nodes / seconds,
            "value": result.value, "move": GAME.format_move(result.state, result.move),
        }  # fmt: skip


THREAD_DEPTH = 16


def threads() -> Iterator[Row]:
    """Two threads: time to depth 16 in 48 positions, with one thread and two in turns, wall-clock; target 1.5."""
    engines = [pw.Engine(GAME, table_mb=64, threads=count) for count in (1, 2)]
    seconds, nodes, ratios = [0.0, 0.0], [0, 0], []
    for engine in engines:
        engine.search(nodes=1000)
    for epd in suite("bratko-kopec.epd") + suite("STS1-STS15_LAN_v3.epd")[::60][:24]:
        walls = []
        for index, engine in enumerate(engines):
            engine.clear()
            begun = time.perf_counter()
            nodes[index] += engine.search(epd.state, depth=THREAD_DEPTH, exact=False).nodes
            walls.append(time.perf_counter() - begun)
            seconds[index] += walls[index]
        ratios.append(walls[0] / walls[1])
    for index in range(2):
        yield {"threads": index + 1, "wall s": seconds[index], "nodes": nodes[index],
               "nodes/s": nodes[index] / seconds[index], "times as fast": seconds[0] / seconds[index],
               "geometric mean": statistics.geometric_mean(ratios) if index else 1}  # fmt: skip


def start() -> Iterator[Row]:
    """Seconds until the first move of a fresh process that thinks for 0.1 s: compiling, and then from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("compiling", "from the cache"):
            begun = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", FIRST_MOVE], check=True, env={**os.environ, "PLYWISE_CACHE_DIR": folder}
            )
            yield {"code": name, "wall s": time.perf_counter() - begun}


def tactics() -> Iterator[Row]:
    """Win at Chess: best moves found in one second per position."""
    engine = pw.Engine(GAME, table_mb=64)
    engine.search(nodes=1000)
    missed, positions = [], suite("wac.epd")
    for epd in positions:
        engine.clear()
        result = engine.search(epd.state, seconds=SECONDS)
        best, avoid = epd.moves(GAME, "bm"), epd.moves(GAME, "am")
        if (best and result.move not in best) or result.move in avoid:
            missed.append(epd.operations["id"][0].removeprefix("WAC."))
    yield {"positions": len(positions), "seconds": SECONDS, "solved": len(positions) - len(missed),
           "missed": " ".join(missed)}  # fmt: skip


def mates() -> Iterator[Row]:
    """Mates found within 100,000 nodes, by how far away they are."""
    engine = pw.Engine(GAME, table_mb=16)
    engine.search(nodes=1000)
    found: dict[int, list[bool]] = {}
    for epd in suite("mates2000.epd"):
        distance = int(epd.operations["bm"][0].removeprefix("#"))
        engine.clear()
        result = engine.search(epd.state, nodes=MATE_NODES)
        mate = GAME.win_score - abs(result.value) <= 1000 and (result.value > 0) == (
            (distance > 0) == (GAME.to_move(epd.state) == pw.MAX)
        )
        found.setdefault(abs(distance), []).append(mate)
    for distance, hits in sorted(found.items()):
        yield {"mate in": distance, "positions": len(hits), "found": sum(hits)}
    total = [hit for hits in found.values() for hit in hits]
    yield {"mate in": "all", "positions": len(total), "found": sum(total)}


SECTIONS = {f.__name__: f for f in (depth, threads, start, tactics, mates)}

if __name__ == "__main__":
    run("Chess: the search", "chess_search", __doc__, SECTIONS)
