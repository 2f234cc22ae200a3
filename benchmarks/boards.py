"""The cost of large boards: Gomoku as a newcomer would write it, on ``pw.Cells`` and on a tuple.

Run it with ``python benchmarks/boards.py``.  It takes about four minutes, mostly to compile tuples, and writes
``results/boards.md``.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import plywise as pw
from plywise.bits import with_item

RESULTS = Path(__file__).parent / "results" / "boards.md"
ROUNDS = 3


class Board(NamedTuple):
    cells: Any
    turn: int


class Gomoku(pw.Game):
    """A row of five wins.  It scans the whole board for rows."""

    size: int = 15
    row: int = 5

    def initial(self):
        return Board(pw.Cells([0] * self.size**2), pw.MAX)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if self.winner(state) == 0:
            for cell in range(self.size**2):
                if state.cells[cell] == 0:
                    yield cell

    def play(self, state, move):
        return Board(state.cells.with_item(move, state.turn + 1), 1 - state.turn)

    def is_terminal(self, state):
        return self.winner(state) != 0 or 0 not in state.cells

    def score(self, state):
        winner = self.winner(state)
        return 0 if winner == 0 else 1000 if winner == 1 else -1000

    def winner(self, state):
        for y in range(self.size):
            for x in range(self.size):
                stone = state.cells[y * self.size + x]
                if stone != 0:
                    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                        if self.has_row(state, stone, x, y, dx, dy):
                            return stone
        return 0

    def has_row(self, state, stone, x, y, dx, dy):
        for step in range(self.row):
            i, j = x + step * dx, y + step * dy
            if not (0 <= i < self.size and 0 <= j < self.size) or state.cells[j * self.size + i] != stone:
                return False
        return True


class GomokuEvaluated(Gomoku):
    """The same, with an evaluation that counts the stones in all rows that one player can still fill."""

    def evaluate(self, state):
        total = 0
        for y in range(self.size):
            for x in range(self.size):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    total += self.worth(state, x, y, dx, dy)
        return min(max(total, -900), 900)

    def worth(self, state, x, y, dx, dy):
        last = y + dy * (self.row - 1)
        if x + dx * (self.row - 1) >= self.size or not 0 <= last < self.size:
            return 0
        first = second = 0
        for step in range(self.row):
            stone = state.cells[(y + step * dy) * self.size + x + step * dx]
            if stone == 1:
                first += 1
            elif stone == 2:
                second += 1
        return first * first if second == 0 else -second * second if first == 0 else 0


class OnTuple(Gomoku):
    @functools.cached_property
    def empty(self):
        return (0,) * self.size**2

    def initial(self):
        return Board(self.empty, pw.MAX)

    def play(self, state, move):
        return Board(with_item(state.cells, move, state.turn + 1), 1 - state.turn)


class OnTupleEvaluated(GomokuEvaluated):
    empty = OnTuple.empty
    initial = OnTuple.initial
    play = OnTuple.play


GAMES = {"plain": (Gomoku, OnTuple), "evaluated": (GomokuEvaluated, OnTupleEvaluated)}


def measure(kind: str, on_tuple: bool, size: int, nodes: int) -> dict[str, Any]:
    """Measure in this process: processor seconds of the first search, and nodes per second of a later one."""
    game = GAMES[kind][on_tuple](size, min(size, 5))
    began = time.process_time()
    pw.search(game, nodes=1)
    first = time.process_time() - began
    engine = pw.Engine(game)
    began = time.process_time()
    found = engine.search(nodes=nodes)
    return {"first": first, "speed": found.nodes / (time.process_time() - began), "nodes": found.nodes}


def measured(*arguments: Any, cache: str) -> dict[str, Any]:
    """Run ``measure`` in a new process."""
    command = [sys.executable, __file__, json.dumps(arguments)]
    answer = subprocess.run(command, env=os.environ | {"PLYWISE_CACHE_DIR": cache}, stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


def row(kind: str, size: int, nodes: int) -> str:
    print(f"{size}x{size}, {kind} ...", file=sys.stderr)
    with tempfile.TemporaryDirectory() as cache:
        cold = [measured(kind, on_tuple, size, 1000, cache=cache) for on_tuple in (False, True)]
        warm = [[measured(kind, t, size, nodes, cache=cache)["speed"] for t in (False, True)] for _ in range(ROUNDS)]
    cells, tuples = (max(speeds) for speeds in zip(*warm, strict=True))
    return (
        f"| {size}x{size}, {kind} | {cold[0]['first']:.1f} s | {cold[1]['first']:.1f} s "
        f"| {cells:,.0f} | {tuples:,.0f} | {cells / tuples:.1f} |"
    )


def main() -> None:
    if len(sys.argv) == 2:
        print(json.dumps(measure(*json.loads(sys.argv[1]))))
        return
    lines = [
        "# Boards", "",
        f"`python benchmarks/boards.py`, Python {platform.python_version()}, {platform.machine()}: Gomoku by the "
        f"engine, processor time, the best of {ROUNDS} runs in turns.",
        "", "| | first search, Cells | first search, tuple | nodes/s, Cells | nodes/s, tuple | ratio |",
        "|---|--:|--:|--:|--:|--:|",
        row("plain", 3, 100_000), row("plain", 15, 100_000), row("evaluated", 15, 20_000), "",
    ]  # fmt: skip
    RESULTS.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
