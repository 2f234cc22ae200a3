"""Tabulate a game again and again, and kill the work each time, until ten kills later the file is done.

``python -m tests.tables.killing NAME FILE`` prints how often it killed, and how often the work began with a checkpoint.
It makes the table once without a file first, so that everything is compiled, and forks a process for each attempt.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import plywise as pw
from plywise.games import Chess, ConnectFour, Pig
from plywise.tables import checkpoint, graph
from tests.tables.graphs import random_walk

WORKS: dict[str, Callable[[], tuple[pw.Game, str | None]]] = {
    "layers": lambda: (ConnectFour(4, 4), None),
    "one large cycle": lambda: (random_walk(2, 20_000, dice=False, forward=0.0), None),
    "king and rook": lambda: (Chess(), "8/8/8/4k3/8/8/8/K6R w - - 0 1"),
    "many cycles": lambda: (random_walk(1, 20_000, dice=False, forward=0.97), None),
    "dice": lambda: (Pig(20), None),
}
"""Games with their roots."""

KILLS = 10


def main() -> None:
    game, root = WORKS[sys.argv[1]]()
    file = Path(sys.argv[2])
    checkpoint.LEAST_SECONDS = checkpoint.SHARE = 0
    graph.STEP = 500
    pw.tabulate(game, root, threads=1)
    chance = random.Random(3)
    kills = resumed = 0
    while not file.exists():
        before = written(file)
        resumed += before is not None
        child = os.fork()
        if child == 0:
            pw.tabulate(game, root, out=file, threads=1 + kills % 2)
            os._exit(0)
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if kills < KILLS and written(file) not in (None, before):
                time.sleep(chance.random() * 0.01)
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                kills += 1
                break
            time.sleep(0.001)
    pw.tabulate(game, root, out=file)  # the last one may have been killed with the file in place, before it tidied up
    print(kills, resumed)


def written(file: Path) -> int | None:
    """Return when the checkpoint of a file was written; None if there is none."""
    try:
        return file.with_name(f"{file.name}.part").stat().st_mtime_ns
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    main()
