"""The rules match python-chess's on random games, compiled and interpreted; keys identify positions."""

from __future__ import annotations

import chess
import pytest

import plywise as pw
from plywise.compiling.native_types import native_type
from plywise.games import Chess
from plywise.games.chess import Position
from plywise.games.chess.fen import parse_fen
from tests.games.chess.support import GAME, random_boards, random_positions
from tests.readings import compiled


def uci(board: chess.Board, chess960: bool) -> set[str]:
    """Return the legal moves of a board of python-chess, castling as the king's to its rook if ``chess960``."""
    return {board.uci(move, chess960=chess960) for move in board.legal_moves}


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_and_positions_are_those_of_python_chess(chess960: bool) -> None:
    game = type(GAME)(chess960=chess960)
    before: Position | None = None
    for board in random_boards(seed=11, games=25, chess960=chess960):
        state = game.parse(board.fen())
        assert game.format(state).split()[0] == board.board_fen()
        assert state.checkers & (1 << 64) - 1 == int(board.checkers())
        ended = board.is_insufficient_material() or board.halfmove_clock >= 100
        if board.move_stack and before is not None:
            move = game.parse_move(before, board.uci(board.peek(), chess960=chess960))
            assert game.play(before, move) == state, board.fen()  # every field, the hashes among them
        if not ended:
            texts = {game.format_move(state, move) for move in game.moves(state)}
            assert texts == uci(board, chess960), board.fen()
            assert game.count_moves(state) == len(texts) == len(list(game.moves(state)))
        before = state
        over = ended or not any(board.generate_legal_moves())
        assert game.is_terminal(state) == over, board.fen()
        if over:
            mated = board.is_checkmate()
            assert game.score(state) == ((30_000 if board.turn == chess.BLACK else -30_000) if mated else 0)


def digest(game, state, seed):
    """Return a number that depends on what all rules say of a position and of those after its moves."""
    total = seed
    if not game.is_terminal(state):
        for move in game.moves(state):
            child = game.play(state, move)
            for field in child:
                total = 31 * total + field & 0xFFFFFFFFFFFF
            total = 31 * total + game.key(child) + game.count_moves(child) + game.has_move(child) & 0xFFFFFFFFFFFF
            total = 31 * total + game.is_terminal(child) + game.extension(child) & 0xFFFFFFFFFFFF
            total = 31 * total + game.evaluate(child) + game.pass_move(child).ply & 0xFFFFFFFFFFFF
    return total


@pytest.mark.parametrize("chess960", [False, True])
def test_compiled_and_interpreted_rules_agree(chess960: bool) -> None:
    for state in list(random_positions(seed=5, games=3, chess960=chess960))[::4]:
        assert compiled(digest, GAME, 1, state=state) == digest(GAME, state, 1), GAME.format(state)


def test_equal_positions_have_one_key_whatever_the_clock_says() -> None:
    one = GAME.parse("startpos moves g1f3 g8f6 f3g1 f6g8")
    assert GAME.key(one) == GAME.key(GAME.initial())
    assert one != GAME.initial()
    assert GAME.reversible(one) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
    ],
)
def test_rights_and_the_player_to_move_are_part_of_the_key(one: str, other: str) -> None:
    assert GAME.key(GAME.parse(one)) != GAME.key(GAME.parse(other))


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",  # no pawn beside it
        "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1",  # both pawns leave the king's rank
        "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",  # pinned on a file
    ],
)
def test_a_capture_in_passing_counts_only_if_it_is_legal(fen: str) -> None:
    assert GAME.format(GAME.parse(fen)).split()[3] == "-"


def test_a_pass_changes_the_mover_and_forgets_the_capture_in_passing() -> None:
    state = GAME.parse("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 5")
    passed = GAME.pass_move(state)
    assert passed == parse_fen(GAME, "4k3/8/8/3pP3/8/8/8/R3K3 b Q - 0 5")


def test_passing_is_no_option_in_check_and_with_pawns_alone() -> None:
    assert GAME.to_move(GAME.pass_move(GAME.initial())) == pw.MIN
    for fen in ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1"):
        assert GAME.pass_move(GAME.parse(fen)) == GAME.parse(fen)


@pytest.mark.parametrize(
    ("fen", "drawn"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/3BK3 b - - 0 1", True),
        ("3bk3/8/8/8/8/8/8/2B1K3 w - - 0 1", True),
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", False),
        ("3nk3/8/8/8/8/8/8/3NK3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 99 80", False),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 100 80", True),
    ],
)
def test_draws_by_rule(fen: str, drawn: bool) -> None:
    state = GAME.parse(fen)
    assert GAME.is_terminal(state) == drawn
    assert (list(GAME.moves(state)) == []) == drawn


def test_a_mate_comes_before_the_rule_of_fifty_moves() -> None:
    state = GAME.parse("R3k3/8/4K3/8/8/8/8/8 b - - 100 80")
    assert GAME.is_terminal(state)
    assert GAME.score(state) == GAME.win_score == 30_000


def test_the_fields_of_texts_share_their_machine_code() -> None:
    one, other = Chess(), Chess(chess960=True)
    assert native_type(one) == native_type(other)
    assert one != other


def test_a_search_finds_mates_and_repetitions() -> None:
    assert pw.search(GAME, "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", depth=2).value == 30_000 - 1
    perpetual = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1"  # Qe8+ Kh7 Qh5+ Kg8, a rook behind
    assert pw.search(GAME, perpetual, depth=3).value < 0
    assert pw.search(GAME, perpetual, depth=5).value == 0
