"""What a network sees of a chess position, compared with python-chess."""

from __future__ import annotations

import random

import chess
import pytest

import plywise as pw

GAME = pw.games.Chess()
KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)
WORTH = {chess.PAWN: 0, chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 3, chess.KING: 3}
"""A man is attacked by a lesser one if that is worth less here; no queen is lesser than a king."""


def some_boards(seed: int, count: int) -> list[chess.Board]:
    """Return positions of random games."""
    chance, board = random.Random(seed), chess.Board()
    found: list[chess.Board] = []
    while len(found) < count:
        if board.is_game_over() or board.ply() > 120:
            board = chess.Board()
        board.push(chance.choice(list(board.legal_moves)))
        found.append(board.copy())
    return found


def seen(board: chess.Board, player: chess.Color) -> list[int]:
    """Return the features of a position by their definition."""
    king = board.king(player)
    assert king is not None
    turned = (56 if player == chess.BLACK else 0) ^ (7 if chess.square_file(king) >= 4 else 0)
    found = []
    for square, piece in board.piece_map().items():
        attackers = [board.piece_at(other) for other in board.attackers(not piece.color, square)]
        code = int(piece.color != player) | KINDS.index(piece.piece_type) + 1 << 1
        code |= 16 if attackers else 0
        code |= 32 if any(man and WORTH[man.piece_type] < WORTH[piece.piece_type] for man in attackers) else 0
        code |= 64 if board.attackers(piece.color, square) else 0
        found.append(64 * code + (square ^ turned))
    return sorted(found)


@pytest.mark.parametrize("seed", range(3))
def test_men_are_seen_with_their_attackers_and_defenders(seed: int) -> None:
    for board in some_boards(seed, 100):
        state = GAME.parse(board.fen())
        for player in (pw.MAX, pw.MIN):
            assert sorted(GAME.features(state, player)) == seen(board, player == pw.MAX), board.fen()


def test_both_players_see_a_turned_board_alike() -> None:
    for board in some_boards(7, 100):
        state, turned = GAME.parse(board.fen()), GAME.parse(board.mirror().fen())
        for player in range(2):
            assert sorted(GAME.features(state, player)) == sorted(GAME.features(turned, 1 - player))
        assert GAME.bucket(state) == GAME.bucket(turned)
