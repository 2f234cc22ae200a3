"""Shared by the tests of chess: comparison with python-chess, random games, and files of positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
import pytest

from plywise.compiling.rows import rows_of, state_at
from plywise.games import Chess
from plywise.games.chess import Position
from plywise.games.chess.board import BLACK, WHITE
from plywise.games.chess.simple import material as side_material
from tests.readings import compiled

GAME = Chess()
DATA = Path(__file__).parents[4] / "shared" / "data" / "chess"


def data_file(name: str) -> Path:
    """Return a file of positions; the test is skipped where there is none."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no file {path}")
    return path


def random_boards(seed: int, games: int, chess960: bool = False, plies: int = 160) -> Iterator[chess.Board]:
    """Yield the positions of random games, played by python-chess."""
    chance = random.Random(seed)
    for _ in range(games):
        board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
        for _ in range(plies):
            yield board
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material() or board.halfmove_clock >= 100:
                break
            special = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
            board.push(chance.choice(special if special and chance.random() < 0.5 else moves))


def random_positions(seed: int, games: int, chess960: bool = False) -> Iterator[Position]:
    """Yield the positions of the same games."""
    for board in random_boards(seed, games, chess960):
        yield GAME.parse(board.fen())


def material(state: Position) -> int:
    """Return White's material minus Black's, in ``VALUES``."""
    return side_material(GAME.seen_by(state, WHITE)) - side_material(GAME.seen_by(state, BLACK))


def evaluate_rows(game, state, rows, values):
    """Evaluate positions in one loop."""
    for index in range(len(rows)):
        values[index] = game.evaluate(state_at(game, rows, index))


def assert_compiled_evaluations_equal(game: Chess, states: list[Position]) -> None:
    """Check that compiled and interpreted evaluations of positions are equal."""
    values = np.zeros(len(states), dtype=np.int64)
    compiled(evaluate_rows, game, rows_of(states, game.initial(), True), values)
    for state, value in zip(states, values.tolist(), strict=True):
        assert game.evaluate(state) == value, game.format(state)
