"""For tests of matches: a game that harms bots that evaluate, chess by python-chess, and UCI and xboard programs."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, NamedTuple

from plywise.errors import PositionError
from plywise.game import Game
from plywise.games import Nim
from plywise.games.nim import Heaps
from plywise.layers import Recurrence, View

PROGRAMS = Path(__file__).parent / "programs"


def program(name: str, *arguments: str) -> str:
    """The command that starts one of the programs."""
    return " ".join([sys.executable, str(PROGRAMS / f"{name}.py"), *arguments])


def _die(times: int) -> None:
    """Die, but at most ``times`` times, as if the system were short of memory; the file ``$TRAP`` counts them."""
    counter = Path(os.environ["TRAP"])
    deaths = len(counter.read_text()) if counter.exists() else 0
    if deaths < times:
        counter.write_text("x" * (deaths + 1))
        os.kill(os.getpid(), signal.SIGKILL)


class TrapNim(Nim):
    """Nim in which a bot that evaluates comes to harm, late in the game."""

    INTERPRETED_ONLY: ClassVar[bool] = True
    trap: str = "raise"

    def evaluate(self, state: Heaps) -> int:
        if 0 < sum(state.heaps) <= sum(self.heaps) // 2:
            if self.trap == "exit":
                os._exit(3)
            if self.trap.startswith("kill"):
                _die(int(self.trap.removeprefix("kill")))
                return 0
            if self.trap == "sleep":
                time.sleep(60)
            raise ZeroDivisionError("caught in a trap")
        return 0


class Ring(NamedTuple):
    place: int
    turn: int
    plies: int


class RingWalk(Recurrence, Game):
    """Two players step around a ring of four places; nothing ever ends but by repetition, which Max wins."""

    INTERPRETED_ONLY: ClassVar[bool] = True
    repetitions: int = 2  # type: ignore[misc]

    def initial(self) -> Ring:
        return Ring(0, 0, 0)

    def to_move(self, state: Ring) -> int:
        return state.turn

    def moves(self, state: Ring) -> Iterator[int]:
        yield 1

    def play(self, state: Ring, move: int) -> Ring:
        return Ring((state.place + move) % 4, 1 - state.turn, state.plies + 1)

    def is_terminal(self, state: Ring) -> bool:
        return False

    def score(self, state: Ring) -> int:
        return 0

    def key(self, state: Ring) -> tuple[int, int]:
        return state.place, state.turn

    def reversible(self, state: Ring) -> int:
        return state.plies

    def repetition(self, state: Ring) -> int:
        return 1


class FEN(NamedTuple):
    text: str


class BorrowedChess(View, Game):
    """Chess, as far as python-chess knows it."""

    INTERPRETED_ONLY: ClassVar[bool] = True

    def initial(self) -> FEN:
        import chess

        return FEN(chess.STARTING_FEN)

    def _board(self, state: FEN):
        import chess

        return chess.Board(state.text)

    def to_move(self, state: FEN) -> int:
        return 0 if self._board(state).turn else 1

    def moves(self, state: FEN) -> Iterator[int]:
        board = self._board(state)
        if not board.is_game_over():
            for move in board.legal_moves:
                yield move.from_square | move.to_square << 6 | (move.promotion or 0) << 12

    def _move(self, move: int):
        import chess

        return chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)

    def play(self, state: FEN, move: int) -> FEN:
        board = self._board(state)
        board.push(self._move(move))
        return FEN(board.fen())

    def is_terminal(self, state: FEN) -> bool:
        return bool(self._board(state).is_game_over())

    def score(self, state: FEN) -> int:
        return {"1-0": 1, "0-1": -1}.get(self._board(state).result(), 0)

    def format(self, state: FEN) -> str:
        return state.text

    def parse(self, text: str) -> FEN:
        import chess

        try:
            return FEN(chess.Board(text).fen())
        except ValueError as error:
            raise PositionError(f"{text!r} is not a position: {error}") from None

    def format_move(self, state: FEN, move: int) -> str:
        return str(self._move(move).uci())

    def record(self, start, moves, about):
        texts, state = [], start
        for move in moves:
            texts.append(self.format_move(state, move))
            state = self.play(state, move)
        return f"[White {about.get('max')}] [Result {about.get('result')}] {' '.join(texts)}\n"
