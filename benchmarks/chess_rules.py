"""The speed of the chess rules compared with python-chess in one run, and a check of the published perft counts.

Run it with ``python benchmarks/chess_rules.py`` (about ten minutes), or name some of SECTIONS to run only these.  The
published counts are read from ``../shared/data/chess/perft``, or ``chess/perft`` in the folder ``$PLYWISE_DATA``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import chess

import plywise as pw
from engine import Row, cpu, data, run
from plywise.algorithms import perft
from plywise.algorithms.watch import Tally, tally_arrays
from plywise.compiling.reading import prepare
from plywise.compiling.reading import run as run_compiled
from plywise.games import Chess

GAME = Chess()
COUNTING = GAME.counted()

POSITIONS = {
    "initial": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
    "Kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    "middlegame": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
}
"""Positions with the depth that python-chess counts in about a second; plywise counts two plies deeper."""

SECONDS = 300
"""The time limit for each file of published counts."""


def their_perft(board: chess.Board, depth: int) -> int:
    """Return python-chess's count, which does not play the last move either."""
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += their_perft(board, depth - 1)
        board.pop()
    return count


def walk(game: Any, state: Any, depth: int, watch: Any) -> int:
    """Count like perft, but play every move."""
    if depth == 0:
        return 1
    count = 0
    for move in game.moves(state):
        count += walk(game, game.play(state, move), depth - 1, watch)
    return count


def walked(state: Any, depth: int) -> int:
    """Return the count of ``walk``, compiled."""
    watch = Tally(**tally_arrays(depth))
    compiled = prepare(walk, COUNTING, state, lambda: (depth, watch))
    return int(run_compiled(walk, COUNTING, state, (depth, watch), watch, compiled))


def speed() -> Iterator[Row]:
    """Perft compared with python-chess: million sequences per second, the best of three runs, in turns."""
    perft(GAME, None, 1)
    walked(GAME.initial(), 1)
    for name, (fen, depth) in POSITIONS.items():
        state, board = GAME.parse(fen), chess.Board(fen)
        ours, playing, theirs = [], [], []
        for _ in range(3):
            seconds, count = cpu(lambda state=state, depth=depth: perft(GAME, state, depth + 2))
            ours.append(count / seconds / 1e6)
            seconds, count = cpu(lambda state=state, depth=depth: walked(state, depth + 1))
            playing.append(count / seconds / 1e6)
            seconds, count = cpu(lambda board=board, depth=depth: their_perft(board, depth))
            theirs.append(count / seconds / 1e6)
            assert count == perft(GAME, state, depth)
        yield {
            "position": name, "plywise": max(ours), "plywise, playing every move": max(playing),
            "python-chess": max(theirs), "ratio": max(ours) / max(theirs),
        }  # fmt: skip


def published() -> Iterator[Row]:
    """The published counts, to the greatest depth that fits the time; every count is checked."""
    folder = data("chess/perft")
    if folder is None:
        raise SystemExit("skipped: the published counts are missing (set PLYWISE_DATA)")
    for name in ("standard.epd", "fischer.epd"):
        counts = []
        for line in (folder / name).read_text().splitlines():
            fen, *known = line.split(";")
            for depth, count in map(str.split, known):
                counts.append((int(count), int(depth[1:]), fen))
        begun, checked, sequences, largest = time.perf_counter(), 0, 0, 0
        for wanted, plies, fen in sorted(counts):
            if time.perf_counter() - begun > SECONDS:
                break
            assert perft(GAME, fen, plies) == wanted, (fen, plies, wanted)
            checked, sequences, largest = checked + 1, sequences + wanted, wanted
        seconds = time.perf_counter() - begun
        yield {
            "file": name, "counts": len(counts), "checked": checked, "largest": largest, "s": seconds,
            "million/s": sequences / seconds / 1e6,
        }  # fmt: skip


def start() -> Iterator[Row]:
    """Seconds for a fresh process to count perft to depth 4, without and with machine code on disk."""
    code = "import plywise as pw; print(pw.algorithms.perft(pw.games.Chess(), None, 4))"
    with tempfile.TemporaryDirectory() as folder:
        for name in ("compiling", "compiled before"):
            begun = time.perf_counter()
            environment = {**os.environ, "PLYWISE_CACHE_DIR": folder}
            subprocess.run([sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL)
            yield {"machine code": name, "s": time.perf_counter() - begun}


SECTIONS = {"speed": speed, "published": published, "start": start}

if __name__ == "__main__":
    print(f"plywise {pw.__version__}, python-chess {chess.__version__}")
    run("The rules of chess", "chess_rules", __doc__, SECTIONS)
