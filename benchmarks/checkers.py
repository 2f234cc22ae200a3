"""Checkers: the rules beside other programs and published counts, endgame tables, and what the evaluation is worth.

Run it with ``make bench``, or ``python benchmarks/checkers.py SECTION...`` for some sections.  It writes
``results/checkers.md``.  All sections take about ten minutes, most of it for pydraughts and for the table of four
pieces, which needs 1.7 GB of memory.  You can stop the match at any time, and it resumes where it was; its games are
kept in ``results/checkers``.
"""

from __future__ import annotations

import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import plywise as pw
from engine import HERE, Row, cpu, run
from plywise.compiling.fingerprint import rules_digest
from plywise.games import Checkers
from plywise.games.checkers import Position
from plywise.games.checkers.board import bit_of, square_on
from plywise.games.checkers.moves import START, Jumps, capture_of, ground_of, jumpers, next_capture, steps

GAME = Checkers()
GAMES = HERE / "results" / "checkers"

PUBLISHED = (
    7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128, 388_623_673,
)  # fmt: skip
"""Sequences of moves by their length (Bik; OEIS A133046)."""

COMPARED = 10_000
"""Positions whose moves are compared with each of the other programs."""

MATCH = 200
NODES = 2_000
RANDOM_PLIES = 6


# Counting -------------------------------------------------------------------------------------------------------------


class EveryOrder(Checkers):
    """Checkers in which a king's capture counts once for each order of the same jumps, as in Bik's counts."""

    def count_moves(self, state: Position) -> int:
        return sum(1 for _ in self.moves(state))

    def moves(self, state: Position) -> Iterator[int]:
        left = jumpers(state)
        if left == 0:
            for move in steps(state):
                yield move
        while left:
            source = left & -left
            ground = ground_of(state, source)
            jumps = next_capture(Jumps(source, 0, START), ground)
            while jumps.taken:
                yield capture_of(source, jumps.taken)
                jumps = next_capture(jumps, ground)
            left ^= source


def perft() -> Iterator[Row]:
    """Perft from the initial position, and sequences a second beside other programs"""
    for game, name in ((GAME, "plywise"), (EveryOrder(), "plywise, every order of a king's jumps counts")):
        perft_of(game, 2)  # compile
        for depth in range(8 if game is GAME else 12, 13):
            yield _counted(name, depth, partial(perft_of, game))
    yield _counted("OpenSpiel", 6, count_openspiel)
    yield _counted("pydraughts", 4, count_pydraughts)


def perft_of(game: Checkers, depth: int) -> int:
    """Return the number of sequences of moves by plywise."""
    return pw.algorithms.perft(game, None, depth)


def _counted(program: str, depth: int, count: Callable[[int], int]) -> Row:
    seconds, found = cpu(partial(count, depth))
    known = PUBLISHED[depth - 1]
    return {"program": program, "plies": depth, "sequences": found, "published": known, "difference": found - known,
            "s": seconds, "a second": found / seconds}  # fmt: skip


def count_openspiel(depth: int) -> int:
    """Return the number of sequences of moves by OpenSpiel, called from Python; it is C++ inside."""

    def count(peer: Any, plies: int) -> int:
        following = list(turns(peer))
        return len(following) if plies == 1 else sum(count(after, plies - 1) for after in following)

    return count(openspiel(), depth)


def count_pydraughts(depth: int) -> int:
    """Return the number of sequences of moves by pydraughts."""

    def count(board: Any, plies: int) -> int:
        if plies == 0:
            return 1
        total = 0
        for move in board.legal_moves():
            board.push(move)
            total += count(board, plies - 1)
            board.pop()
        return total

    return count(draughts().Board(variant="english"), depth)


# Position by position -------------------------------------------------------------------------------------------------


def rules() -> Iterator[Row]:
    """The positions after each move of random games, compared with other programs"""
    yield {"program": "pydraughts", **compare_pydraughts(COMPARED, seed=1)}
    yield {"program": "OpenSpiel", **compare_openspiel(COMPARED, seed=2)}


def compare_pydraughts(count: int, seed: int) -> Row:
    """Compare positions of random games with pydraughts."""
    chance, state, tally = random.Random(seed), GAME.initial(), _Tally()
    board = draughts().Board
    while tally.positions < count:
        text = GAME.format(state._replace(clock=0))
        expected = set()
        for move in board(variant="english", fen=text).legal_moves():
            after = board(variant="english", fen=text)
            after.push(move)
            expected.add(GAME.parse(after.fen))
        tally.compare(state, expected)
        state = GAME.play(state, chance.choice(list(GAME.moves(state))))
        if GAME.is_terminal(state):
            state = GAME.initial()
    return tally.row()


def compare_openspiel(count: int, seed: int) -> Row:
    """Compare positions of random games with OpenSpiel."""
    chance, peer, tally = random.Random(seed), openspiel(), _Tally()
    while tally.positions < count:
        following = list(turns(peer))
        player = 1 - peer.current_player()
        tally.compare(position_of(peer), {position_of(after)._replace(turn=player) for after in following})
        peer = chance.choice(following)
        if peer.is_terminal():
            peer = openspiel()
    return tally.row()


class _Tally:
    """What was compared."""

    def __init__(self) -> None:
        self.positions = self.moves = self.captures = 0

    def compare(self, state: Position, expected: set[Position]) -> None:
        moves = list(GAME.moves(state))
        found = {GAME.play(state, move)._replace(clock=0) for move in moves}
        assert found == expected, (GAME.format(state), found, expected)
        self.positions += 1
        self.moves += len(moves)
        self.captures += GAME.extension(state)

    def row(self) -> Row:
        return {"positions": self.positions, "with captures": self.captures, "moves": self.moves, "differences": 0}


def draughts() -> Any:
    """Return the module of pydraughts."""
    return _installed("draughts", "pydraughts")


def openspiel() -> Any:
    """Return the initial position of OpenSpiel."""
    return _installed("pyspiel", "open_spiel").load_game("checkers").new_initial_state()


def _installed(module: str, package: str) -> Any:
    try:
        return __import__(module)
    except ImportError:
        raise SystemExit(f"skipped: {package} is not installed (pip install {package})") from None


def turns(peer: Any) -> Iterable[Any]:
    """Yield the positions after a player's moves; in OpenSpiel each jump of a capture is a move."""
    player = peer.current_player()
    for action in peer.legal_actions():
        after = peer.child(action)
        if not after.is_terminal() and after.current_player() == player:
            yield from turns(after)
        else:
            yield after


def position_of(peer: Any) -> Position:
    """Return a position of OpenSpiel, where who begins sits at the bottom of the board."""
    places = "".join(line[1:] for line in str(peer).splitlines()[:8])
    black, white, kings = (
        sum(bit_of(square_on(63 - place)) for place, letter in enumerate(places) if letter in letters)
        for letters in ("o8", "+*", "8*")
    )
    return Position(black, white, kings, peer.current_player(), 0)


# Tables and games -----------------------------------------------------------------------------------------------------


def endings() -> Iterator[Row]:
    """Endgame tables of up to 2, 3 and 4 pieces"""
    pw.tabulate(GAME, "B:WK29:BK32")  # compile
    for pieces in (2, 3, 4):
        with tempfile.TemporaryDirectory() as folder:
            file, began = Path(folder) / "table", time.perf_counter()
            used, table = cpu(partial(pw.tabulate, GAME, pieces=pieces, out=file))
            about = table.summary
            yield {
                "pieces": pieces, "positions": about.positions, "won by Black": about.won, "drawn": about.drawn,
                "longest win, plies": about.longest_win, "processor s": used, "s": time.perf_counter() - began,
                "MB": file.stat().st_size / 1e6,
                "peak MB of this process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
            }  # fmt: skip


def match() -> Iterator[Row]:
    """The linear evaluation against the course's share of the pieces, at equal nodes, after random moves"""
    GAMES.mkdir(parents=True, exist_ok=True)
    bots = [f"engine,nodes={NODES},name={name}" for name in ("linear", "share")]
    ended = pw.match(
        GAME, *bots, rival=Checkers(share=True), games=MATCH, random_plies=RANDOM_PLIES,
        out=GAMES / f"evaluations-{rules_digest(GAME)}.jsonl",
    )  # fmt: skip
    about = ended.estimate
    assert ended.score is not None
    yield {
        "games": ended.played, "nodes a move": NODES, "won": ended.wins, "drawn": ended.draws, "lost": ended.losses,
        "score": f"{ended.score:.1%}", "wanted": "65 %",
        "Elo, with 95 % error bars": f"{about.elo:+.0f} ({about.low:+.0f} to {about.high:+.0f})",
        "faults": len(ended.faults),
    }  # fmt: skip


def size() -> Iterator[Row]:
    """Moves in a position and plies of a game, in 20 games of the engine with 2,000 nodes a move after random moves"""
    engine, chance = pw.Engine(GAME), random.Random(3)
    branching: list[int] = []
    lengths: list[int] = []
    for _ in range(20):
        state = GAME.initial()
        keys: list[tuple[int, int, int]] = []
        while not GAME.is_terminal(state) and keys.count(GAME.key(state)) < GAME.repetitions - 1:
            moves = list(GAME.moves(state))
            branching.append(len(moves))
            keys.append(GAME.key(state))
            chosen = None if len(keys) <= RANDOM_PLIES else engine.search(state, nodes=NODES).move
            state = GAME.play(state, chance.choice(moves) if chosen is None else chosen)
        lengths.append(len(keys))
    yield {"moves in a position": statistics.mean(branching), "plies of a game": statistics.mean(lengths)}


SECTIONS = {"perft": perft, "rules": rules, "endings": endings, "match": match, "size": size}

if __name__ == "__main__":
    run("Checkers", "checkers", __doc__, SECTIONS)
