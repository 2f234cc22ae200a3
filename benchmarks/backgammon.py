"""Backgammon: the network against Tesauro's published linear player and against GNU Backgammon, by points a game.

Run it with ``python benchmarks/backgammon.py SECTION...``; it writes ``results/backgammon.md``.  Nobody looks ahead:
each player takes, of all positions that can follow its turn, the one that it likes best.  There is no cube; a gammon
counts 2, a backgammon 3.  Two games of a pair have the same rolls, and the players change sides.

The linear player's weights are read from ``../shared/data/backgammon/pubeval.json``, or ``backgammon`` in the folder
``$PLYWISE_DATA``; ``gnubg`` must be installed for the other section.  What is missing is skipped with a message.
``$PLYWISE_NETWORK`` names another network than the one that comes with the game.
"""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator

import numpy as np

from engine import Row, data, run
from plywise.compiling.native import Native
from plywise.compiling.reading import call_of, prepare
from plywise.compiling.rows import state_at
from plywise.engine.network import network_for
from plywise.engine.trail import LUCK, Trail, new_trail
from plywise.game import MAX, MIN, sign
from plywise.games import Backgammon
from plywise.games.backgammon.evaluation import in_contact
from plywise.games.backgammon.position import BAR, MEN, OFF, Men, Position
from plywise.layers import CHANCE
from plywise.layers.playouts import rolled
from plywise.learning.td import Desk, best_turn, find_turns, new_desk, seen
from plywise.learning.weights import Weights

GAME = Backgammon()
PAIRS = 5_000
GNUBG_PAIRS = 1_500
GNUBG_COMMANDS = (
    "set jacoby off", "set threads 1", "set evaluation chequerplay evaluation plies 0",
    "set evaluation chequerplay evaluation cubeful off",
)  # fmt: skip
CUBE = "1:1:1:0"
"""Its value, and who may double: both, for else gnubg believes that it was doubled."""
INPUTS = 5
"""Inputs of the linear player for each point."""


class Linear(Native):
    """Tesauro's player: weights for positions with contact and for races."""

    contact: np.ndarray
    race: np.ndarray

    def likes(self, mine: Men, theirs: Men, race: bool) -> float:
        """Return how much the player who has moved likes a position."""
        if mine.all_off():
            return 1e9
        weights = self.race if race else self.contact
        total: float = weights[120] * theirs.count(BAR) / 2 + weights[121] * mine.count(OFF) / MEN
        for point in range(1, 25):
            first, count = INPUTS * (24 - point), mine.count(point)
            if theirs.count(25 - point) == 1:
                total += weights[first]
            elif count == 1:
                total += weights[first + 1]
            elif count >= 2:
                total += weights[first + 2]
                if count == 3:
                    total += weights[first + 3]
                elif count >= 4:
                    total += weights[first + 4] * (count - 3) / 2
        return total


def linear_turn(game: Backgammon, state: Position, linear: Linear, desk: Desk) -> int:
    """Return the row of the position that the linear player likes best."""
    race, best, most = not in_contact(state.mine, state.theirs), -1, 0.0
    for row in range(find_turns(game, state, desk)):
        after = state_at(game, desk.turn, row)
        if after.dice == 0:
            won = game.is_terminal(after)
            value = linear.likes(after.mine if won else after.theirs, after.theirs if won else after.mine, race)
            if best < 0 or value > most:
                best, most = row, value
    return best


def one_game(
    game: Backgammon, state: Position, side: int, weights: Weights, linear: Linear, desk: Desk, trail: Trail
) -> int:
    """Play a game with the network on one side; return its points."""
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == CHANCE:
            state = game.play(state, rolled(game, state, trail))
        elif player == side:
            row, _ = best_turn(game, state, weights, desk)
            state = state_at(game, desk.turn, row)
        else:
            state = state_at(game, desk.turn, linear_turn(game, state, linear, desk))
    return sign(side) * game.score(state)


def duel(
    game: Backgammon, state: Position, weights: Weights, linear: Linear, desk: Desk, trail: Trail, points: np.ndarray
) -> int:
    """Play pairs of games, the network first as White, then as Black, with the same rolls; fill in its points."""
    for pair in range(len(points)):
        luck = trail.now[LUCK]
        points[pair, 0] = one_game(game, state, MAX, weights, linear, desk, trail)
        after = trail.now[LUCK]
        trail.now[LUCK] = luck
        points[pair, 1] = one_game(game, state, MIN, weights, linear, desk, trail)
        trail.now[LUCK] = after
    return 0


def against_linear(weights: Weights, linear: Linear, pairs: int = PAIRS, seed: int = 1) -> np.ndarray:
    """Return the network's points in pairs of games."""
    game, points = seen(GAME, weights), np.zeros((pairs, 2), dtype=np.int64)
    given = (weights, linear, new_desk(GAME, weights, True), new_trail(seed, 0, 0, False), points)
    compiled = prepare(duel, game, GAME.initial(), lambda: given)
    call_of(duel, game, GAME.initial(), given, compiled)(*given)
    return points


def pubeval() -> Iterator[Row]:
    """The network against Tesauro's linear player"""
    yield result(against_linear(network(), published_weights()))


def result(points: np.ndarray) -> Row:
    """Return games, games won and points a game with two standard errors, and gammons, among them backgammons."""
    won = (points > 0).mean(axis=1)
    each = points.mean(axis=1)

    def error(samples: np.ndarray) -> float:
        return 2 * float(samples.std(ddof=1)) / math.sqrt(len(samples))

    return {
        "games": points.size, "won": f"{won.mean():.1%} ± {error(won):.1%}",
        "points a game": f"{each.mean():+.3f} ± {error(each):.3f}",
        "gammons won": int((points > 1).sum()), "gammons lost": int((points < -1).sum()),
    }  # fmt: skip


def published_weights() -> Linear:
    """Return Tesauro's weights."""
    folder = data("backgammon")
    if folder is None:
        raise SystemExit("skipped: the linear player's weights are missing (set PLYWISE_DATA)")
    found = json.loads((folder / "pubeval.json").read_text())
    return Linear(np.array(found["contact"]), np.array(found["race"]))


# GNU Backgammon -------------------------------------------------------------------------------------------------------


class Gnubg:
    """GNU Backgammon as an external player, which answers a position and a roll with a move."""

    def __init__(self) -> None:
        program = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
        if program is None:
            raise SystemExit("skipped: gnubg is not installed")
        self.folder = tempfile.TemporaryDirectory()
        address = f"{self.folder.name}/socket"
        self.process = subprocess.Popen(
            [program, "--tty", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
            env={**os.environ, "HOME": self.folder.name}, text=True,
        )  # fmt: skip
        assert self.process.stdin is not None
        print(*GNUBG_COMMANDS, f"external {address}", sep="\n", file=self.process.stdin, flush=True)
        self.lines = connected(address).makefile("rw")

    def close(self) -> None:
        """End the program."""
        self.lines.close()
        self.process.terminate()
        self.process.communicate()
        self.folder.cleanup()

    def turn(self, state: Position) -> Position:
        """Return the position after the program's turn."""
        possible = set(turns(state))
        if len(possible) == 1:
            return possible.pop()
        board = [state.mine.count(point) if point else 0 for point in range(26)]
        for point in range(1, 26):
            board[25 - point] -= state.theirs.count(point)
        print(
            "board:us:them:0:0:0", *board, 1, *str(state.dice)[:2], 0, 0, CUBE, 1, -1, 0, BAR, "0:0:0:0:0:0:0:0",
            sep=":", file=self.lines, flush=True,
        )  # fmt: skip
        men = moved(state, self.lines.readline())
        (found,) = (each for each in possible if men == (each[:2] if each.turn == state.turn else each[1::-1]))
        return found


def connected(address: str) -> socket.socket:
    """Return a connection to a program that will soon wait for one."""
    for _ in range(100):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(address)
            return connection
        except OSError:
            connection.close()
            time.sleep(0.1)
    raise SystemExit("skipped: gnubg does not wait for a connection")


def turns(state: Position) -> Iterator[Position]:
    """Yield the positions that can follow a turn."""
    for move in GAME.moves(state):
        after = GAME.play(state, move)
        if after.dice:
            yield from turns(after)
        else:
            yield after


def moved(state: Position, text: str) -> tuple[Men, Men]:
    """Return both players' men after moves such as ``25/20* 20/15``; the bar is 25, and men are borne off to 0."""
    mine, theirs = state.mine, state.theirs
    for word in text.split():
        start, end = map(int, word.rstrip("*").split("/"))
        mine = mine.minus(start).plus(end)
        if word.endswith("*"):
            theirs = theirs.minus(25 - end).plus(BAR)
    return mine, theirs


def network_turn(game: Backgammon, state: Position, weights: Weights, desk: Desk) -> int:
    """Return the row of the position that the network likes best."""
    return best_turn(game, state, weights, desk)[0]


def against_gnubg(weights: Weights, program: Gnubg, pairs: int, seed: int = 1) -> Iterator[tuple[int, int]]:
    """Yield the network's points in pairs of games."""
    game, given = seen(GAME, weights), (weights, new_desk(GAME, weights, True))
    compiled = prepare(network_turn, game, GAME.initial(), lambda: given)

    def ours(state: Position) -> Position:
        row = call_of(network_turn, game, state, given, compiled)(*given)
        words = given[1].turn[row].tolist()
        return Position(Men(*words[:2]), Men(*words[2:4]), *words[4:])

    def points(side: int, dice: random.Random) -> int:
        state = GAME.initial()
        while not GAME.is_terminal(state):
            player = GAME.to_move(state)
            if player == CHANCE:
                rolls = list(GAME.moves(state))
                state = GAME.play(state, *dice.choices(rolls, [GAME.probability(state, roll) for roll in rolls]))
            else:
                state = ours(state) if player == side else program.turn(state)
        return sign(side) * GAME.score(state)

    for pair in range(pairs):
        yield points(MAX, random.Random(f"{seed} {pair}")), points(MIN, random.Random(f"{seed} {pair}"))


def gnubg() -> Iterator[Row]:
    """The network against GNU Backgammon at 0-ply, without the cube"""
    weights, program = network(), Gnubg()
    try:
        yield result(np.array(list(against_gnubg(weights, program, GNUBG_PAIRS))))
    finally:
        program.close()


def network() -> Weights:
    """Return the network to measure."""
    found = network_for(GAME, os.environ.get("PLYWISE_NETWORK"))
    if found is None:
        raise SystemExit("skipped: there is no network (set PLYWISE_NETWORK)")
    return Weights.from_arrays(*(getattr(found, name) for name in Weights._fields))


SECTIONS = {"pubeval": pubeval, "gnubg": gnubg}

if __name__ == "__main__":
    run("Backgammon", "backgammon", __doc__, SECTIONS)
