"""Learning: what an evaluation costs, hand-written, linear and by a network; self-play; training.

Run it with ``make bench``, or ``python benchmarks/learning.py``.  It takes about four minutes, and writes
``results/learning.md``.  All figures are processor time of one core.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine import Row, run
from plywise.compiling.reading import call_of, prepare, specialised
from plywise.compiling.rows import rows_of, state_at
from plywise.engine.any_code import made_by
from plywise.engine.engine import Engine
from plywise.engine.judged import with_network
from plywise.engine.network import NONE
from plywise.game import Game, State
from plywise.games import MNK, Checkers, Chess, ConnectFour, Othello
from plywise.learning.examples import Examples
from plywise.learning.lessons import Subject, has_evaluation
from plywise.learning.positions import PositionFile, hashes_in, read_positions
from plywise.learning.self_play import SelfPlay
from plywise.learning.trainer import train
from plywise.learning.weights import Shape, Weights

GAMES = (Chess(), ConnectFour(), Othello(), MNK(6, 6, 4), Checkers())
SECONDS = 15
NODES = 500_000
ROUNDS = 100
HIDDEN = (0, 32, 64)
EXAMPLES, ACTIVE, EPOCHS = 200_000, 22, 4


def evaluations() -> Iterator[Row]:
    """An evaluation, of the moves of positions one after the other, and the whole search"""
    for game in GAMES:
        yield _evaluation(game, game, "own" if has_evaluation(game) else "none", NONE)
        for hidden in HIDDEN:
            network = Subject(game, hidden).blank()
            name = f"network, {hidden} hidden units" if hidden else "linear network"
            yield _evaluation(game, with_network(game, network), name, network)


def _evaluation(game: Game, judged: Game, name: str, network: Any) -> Row:
    states = _siblings(game, 2000)
    given = (rows_of(states, game.initial(), True), ROUNDS, np.zeros(1))
    ready = prepare(evaluate_all, judged, states[0], lambda: given)
    call = call_of(evaluate_all, judged, states[0], given, ready)
    call(*given)
    seconds = min(_seconds(lambda: call(*given)) for _ in range(3))
    with made_by(specialised):
        engine = Engine(game, network=network)
        engine.search(nodes=1000)
        begun = time.process_time()
        nodes = engine.search(nodes=NODES).nodes
    spent = time.process_time() - begun
    return {
        "game": repr(game), "evaluation": name, "ns an evaluation": round(seconds / ROUNDS / len(states) * 1e9),
        "million nodes/s": nodes / spent / 1e6,
    }  # fmt: skip


def evaluate_all(game: Any, state: State, rows: Any, rounds: int, total: np.ndarray) -> int:
    """Evaluate positions again and again."""
    for _ in range(rounds):
        for index in range(len(rows)):
            total[0] += game.evaluate(state_at(game, rows, index))
    return 0


def _siblings(game: Game, count: int) -> list[State]:
    """Return positions as a search meets them: a few moves of each position of random games."""
    chance = random.Random(1)
    found: list[State] = []
    state = game.initial()
    while len(found) < count:
        children = [game.play(state, move) for move in game.moves(state)]
        children = [child for child in children if not game.is_terminal(child)]
        found += children[:6]
        state = chance.choice(children) if children else game.initial()
    return found


def _seconds(work: Any) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def self_play() -> Iterator[Row]:
    """Self-play: 500 nodes for a position of a game, 100 for one beside it, two of which follow each"""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            yield _played(game, Path(folder) / "positions")


def _played(game: Game, path: Path) -> Row:
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


def training() -> Iterator[Row]:
    """Training: forwards and backwards, with Adam, for positions of 22 features of 768, eight buckets"""
    chance = np.random.default_rng(1)
    starts = ACTIVE * np.arange(EXAMPLES + 1)
    own, their = (chance.integers(0, 768, EXAMPLES * ACTIVE).astype(np.uint16) for _ in range(2))
    examples = Examples(
        own, starts, their, starts, chance.integers(0, 8, EXAMPLES).astype(np.uint8),
        chance.random(EXAMPLES).astype(np.float32), np.zeros(EXAMPLES, np.float32), np.arange(EXAMPLES, dtype=np.int32),
    )  # fmt: skip
    for hidden in HIDDEN:
        start = Weights.random(Shape(768, hidden, 8))
        train(examples, start, epochs=1, threads=1)
        seconds = _seconds(partial(train, examples, start, epochs=EPOCHS, threads=1))
        yield {"hidden units": hidden, "positions/s": round(EPOCHS * EXAMPLES / seconds)}


if __name__ == "__main__":
    run("Learning", "learning", __doc__, {"evaluations": evaluations, "self-play": self_play, "training": training})
