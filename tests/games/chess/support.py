"""Shared by the tests of chess: comparison with python-chess, random games, and files of positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from plywise.bits import popcount
from plywise.games import Chess
from plywise.games.chess import Position
from plywise.games.chess.board import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from plywise.games.chess.evaluation import VALUES

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
    return _side_material(state, state.white) - _side_material(state, state.black)


def _side_material(state: Position, own: int) -> int:
    """Return the material of the player whose men these are.  A queen counts as a bishop, a rook, and the rest."""
    return (
        VALUES[PAWN] * popcount(own & state.pawns)
        + VALUES[KNIGHT] * popcount(own & state.knights)
        + VALUES[BISHOP] * popcount(own & state.diagonal)
        + VALUES[ROOK] * popcount(own & state.straight)
        + (VALUES[QUEEN] - VALUES[BISHOP] - VALUES[ROOK]) * popcount(own & state.diagonal & state.straight)
    )
