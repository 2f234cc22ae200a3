"""Self-play: positions to learn from, and the size of the file that holds them.

Run it with ``make bench``, or ``python benchmarks/self_play.py``.  It takes about two minutes, and writes
``results/self_play.md``.  One thread plays and the same core writes the file, so all figures are for one core.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from engine import Row, run
from plywise.game import Game
from plywise.games import MNK, Checkers, Chess, ConnectFour, Othello
from plywise.learning.positions import PositionFile, hashes_in, read_positions
from plywise.learning.self_play import SelfPlay

GAMES = (Chess(), ConnectFour(), Othello(), MNK(6, 6, 4), Checkers())
SECONDS = 15


def one_core() -> Iterator[Row]:
    """500 nodes for a position of a game, 100 for one beside it, two of which follow each; processor time"""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            yield _row(game, Path(folder) / "positions")


def _row(game: Game, path: Path) -> Row:
    self_play = SelfPlay(game, seed=1)
    hashes = hashes_in(next(iter(self_play.chunks(positions=1))))
    self_play.nodes = self_play.games = 0
    begun = time.process_time()
    with PositionFile(path, repr(game), "", self_play.words, left_out=hashes) as file:
        for chunk in self_play.chunks(SECONDS):
            file.append(chunk)
    played = time.process_time() - begun
    begun = time.process_time()
    positions = read_positions(path)
    read = time.process_time() - begun
    return {
        "game": repr(game), "positions/s": round(len(positions) / played), "nodes a position": self_play.nodes
        // len(positions), "positions a game": len(positions) // self_play.games, "million nodes/s": self_play.nodes
        / played / 1e6, "proven": f"{positions.proven.mean():.0%}", "bytes a position": path.stat().st_size
        / len(positions), "read, million positions/s": len(positions) / read / 1e6,
    }  # fmt: skip


if __name__ == "__main__":
    run("Self-play", "self_play", __doc__, {"one-core": one_core})
