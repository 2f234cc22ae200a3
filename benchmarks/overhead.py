"""The time that a call takes besides its search: one position at a time, one ply deep, and before each search of UCI.

Run it with ``python benchmarks/overhead.py``.  It takes some seconds, or a minute or two if machine code must be made
first, and writes ``results/overhead.md``.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import plywise as pw
from plywise.games import Chess, ConnectFour, TicTacToe
from plywise.uci.going import Going
from plywise.uci.protocol import parse_go
from plywise.uci.thinker import Thinker

RESULTS = Path(__file__).parent / "results" / "overhead.md"
REPEATS = 200
POSITIONS, STONES, ROUNDS = 200, range(20, 33), 5
GAME = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7"
MOVES = GAME.split()


class Row(NamedTuple):
    """Times in milliseconds."""

    what: str
    median: float
    best: float
    target: float | None = None

    def text(self) -> str:
        target = "" if self.target is None else f"{self.target:.1f}{'' if self.median < self.target else ', missed'}"
        return f"| {self.what} | {self.median:.2f} | {self.best:.2f} | {target} |"


def row(what: str, times: list[float], target: float | None = None) -> Row:
    return Row(what, 1000 * statistics.median(times), 1000 * min(times), target)


def timed(call: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def repeated(what: str, call: Callable[[], Any], target: float | None = None) -> Row:
    call()
    return row(what, [timed(call) for _ in range(REPEATS)], target)


def unfinished(chance: random.Random, game: ConnectFour) -> Any:
    """Return a random position of Connect Four with some of the ``STONES``, before the end of the game."""
    while True:
        state = game.initial()
        for _ in range(chance.choice(STONES)):
            state = game.play(state, chance.choice(list(game.moves(state))))
            if game.is_terminal(state):
                break
        else:
            return state


def solving() -> Iterator[Row]:
    """The same positions in one batch and one by one, in turns, from an empty table each time."""
    game, chance = ConnectFour(), random.Random(1)
    states = [unfinished(chance, game) for _ in range(POSITIONS)]
    engine = pw.Engine(game)
    batch, single = [], []
    for _ in range(1 + ROUNDS):
        engine.clear()
        batch.append(timed(lambda: engine.solve_many(states)) / POSITIONS)
        engine.clear()
        single.append(timed(lambda: [engine.solve(state) for state in states]) / POSITIONS)
    yield row(f"`Engine.solve_many`, {POSITIONS} positions of Connect Four: each", batch[1:])
    yield row("`Engine.solve`, the same one by one: each", single[1:])
    more = [alone - together for alone, together in zip(single[1:], batch[1:], strict=True)]
    yield row("the difference", more, target=1.0)


def one_ply() -> Iterator[Row]:
    for game in (TicTacToe(), ConnectFour(), Chess()):
        engine, name = pw.Engine(game), type(game).__name__
        yield repeated(f"`Engine.search(depth=1)`, {name}", lambda e=engine: e.search(depth=1), target=0.5)
        yield repeated(f"`plywise.search(game, depth=1)`, {name}", lambda g=game: pw.search(g, depth=1), target=0.5)


def before_uci_searches() -> Iterator[Row]:
    """From the arrival of ``go depth 1`` to the start of the clock of the search, along a game."""
    begun = []
    thinker = Thinker(lambda text: None)
    thinker._load()
    thinker._tell = lambda result: begun.append(time.perf_counter() - result.seconds)  # type: ignore[method-assign]
    waits = []
    for number in range(REPEATS):
        thinker.set_position("startpos", MOVES[: 1 + number % len(MOVES)])
        going = Going(parse_go(["depth", "1"]))
        thinker.think(going)
        waits.append(begun.pop() - going.received)
    yield row("UCI: from `go` to the search", waits[len(MOVES) :], target=0.5)


def round_trips() -> Iterator[Row]:
    """``go depth 1`` of a running program, until its ``bestmove``."""
    program = [str(Path(sys.executable).with_name("plywise-uci"))]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:

        def ask(line: str, answer: str) -> None:
            print(line, file=engine.stdin, flush=True)
            while not engine.stdout.readline().startswith(answer):  # type: ignore[union-attr]
                pass

        times = []
        for number in range(REPEATS):
            ask(f"position startpos moves {' '.join(MOVES[: 1 + number % len(MOVES)])}\nisready", "readyok")
            times.append(timed(lambda: ask("go depth 1", "bestmove")))
        print("quit", file=engine.stdin, flush=True)
    yield row("`plywise-uci`: `go depth 1` until `bestmove`", times[len(MOVES) :])


def busy() -> list[str]:
    """Return a remark for the report if other programs kept the machine busy."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return [] if load < cores else ["", f"The machine was busy (load {load:.0f} on {cores} cores): see the best times."]


def main() -> None:
    rows = [row for part in (solving, one_ply, before_uci_searches, round_trips) for row in part()]
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    lines = [
        "# Overhead of a call", "",
        f"`python benchmarks/overhead.py`, {machine}. Milliseconds, with machine code in memory.",
        "", "| | median | best | target |", "|---|--:|--:|--:|", *(row.text() for row in rows), *busy(), "",
    ]  # fmt: skip
    RESULTS.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
