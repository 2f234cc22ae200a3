"""Real processes of Dask on this machine: whoever is killed, nothing is lost and nothing is done twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plywise as pw
from plywise.games import ConnectFour, TicTacToe
from tests.cluster.dask_programs import DaskPrograms
from tests.cluster.test_executors import random_positions

pytest.importorskip("distributed", reason="a cluster needs Dask: pip install 'plywise[cluster]'")

POSITIONS = 20_000
PATIENCE = 240.0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskPrograms]:
    running = DaskPrograms(tmp_path, workers=2)
    yield running
    running.close()


def kill_one(cluster: DaskPrograms, chance: random.Random) -> None:
    """Kill a worker, and start another."""
    place = chance.randrange(2)
    cluster.workers[place].kill()
    cluster.workers[place] = cluster.hire()


def disturbed(cluster: DaskPrograms, command: list[str], done: Callable[[], int], total: int) -> None:
    """Run a command on the cluster until it has finished, killing workers all the time and the command itself once."""
    chance, over = random.Random(7), threading.Event()

    def disturb() -> None:
        while not over.wait(chance.uniform(1.0, 4.0)):
            kill_one(cluster, chance)

    def run() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "plywise", *command, "--cluster", str(cluster.file)])

    killer = threading.Thread(target=disturb)
    killer.start()
    try:
        client, end = run(), time.monotonic() + PATIENCE
        while done() < total / 3:
            assert client.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        os.kill(client.pid, signal.SIGKILL)
        client.wait()
        assert done() < total
        assert run().wait(PATIENCE) == 0
    finally:
        over.set()
        killer.join()


def lines_of(file: Path) -> int:
    return len(file.read_bytes().splitlines()) - 1 if file.exists() else 0


def test_an_analysis_survives_the_death_of_everybody(cluster: DaskPrograms, tmp_path: Path) -> None:
    game = ConnectFour()
    positions, alone, together = (tmp_path / name for name in ("positions", "alone", "together"))
    positions.write_text("\n".join(random_positions(game, POSITIONS, range(18, 34))))
    command = ["analyse", "connect-four", str(positions), "--out", str(together)]
    disturbed(cluster, command, lambda: lines_of(together), POSITIONS)
    pw.analyse(game, positions, alone)
    assert together.read_bytes() == alone.read_bytes()


def test_a_match_survives_it_too(cluster: DaskPrograms, tmp_path: Path) -> None:
    games, file = 60, tmp_path / "games"
    command = [
        "match", "tic-tac-toe", "-1", "engine,depth=3", "-2", "mcts,nodes=300", "--random-plies", "2",
        "--games", str(games), "--out", str(file), "--seed", "3",
    ]  # fmt: skip
    disturbed(cluster, command, lambda: lines_of(file), games)
    numbers = [json.loads(line)["line"] for line in file.read_text().splitlines()[1:]]
    assert numbers == list(range(1, games + 1))
    pw.match(
        TicTacToe(), "engine,depth=3", "mcts,nodes=300", random_plies=2, games=games, out=tmp_path / "alone", seed=3
    )

    def moves(path: Path) -> list[tuple[str, float]]:
        return [(game["moves"], game["score"]) for game in map(json.loads, path.read_text().splitlines()[1:])]

    assert moves(file) == moves(tmp_path / "alone")
