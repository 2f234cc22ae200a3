"""FEN, coordinate and algebraic notation, EPD and PGN: written as python-chess writes them, and read strictly."""

from __future__ import annotations

import io
import random
import time

import chess
import chess.pgn
import pytest

import plywise as pw
from plywise.games import Chess
from plywise.games.chess.epd import Epd, format_epd, parse_epd
from plywise.games.chess.fen import chess960_fen
from plywise.games.chess.notation import format_san, parse_san
from plywise.games.chess.pgn import format_pgn, read_pgn
from plywise.games.records import PlayedMove, Record
from tests.games.chess.support import GAME, data_file, random_boards
from tests.games.support import check_refused, check_texts

# FEN ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chess960", [False, True])
def test_fen_is_that_of_python_chess(chess960: bool) -> None:
    for board in random_boards(seed=31, games=8, chess960=chess960):
        assert GAME.format(GAME.parse(board.fen())) == board.fen()
        assert Chess(chess960=True).format(GAME.parse(board.fen())).split()[2] == board.shredder_fen().split()[2]


@pytest.mark.parametrize("seed", range(3))
def test_texts_are_read_as_what_they_were_written_from(seed: int) -> None:
    check_texts(GAME, seed)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "a FEN has 6 fields (or 4, without its counters), not 0"),
        ("8/8/8/8/8/8/8/8 w - - 0", "a FEN has 6 fields (or 4, without its counters), not 5"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "the board must have 8 ranks separated by /, not 7"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1, '4K2', has fewer than 8 squares"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1, '4K4', has more than 8 squares"),
        ("4k3/8/8/8/8/8/8/4KNNNN w - - 0 1", "rank 1, '4KNNNN', has more than 8 squares"),
        ("4k3/8/8/4x3/8/8/8/4K3 w - - 0 1", "rank 5 has 'x', which is neither a piece"),
        ("4k3/8/8/4031/8/8/8/4K3 w - - 0 1", "rank 5 has '0', which is neither a piece"),
        ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "rank 5, '44', has two numbers in a row"),
        ("4k3/8/8/8/8/8/8/4\u212a3 w - - 0 1", "a FEN is written in ASCII"),  # the sign for Kelvin, a capital k
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the player to move must be w or b, not 'x'"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "there is a pawn on a1, on the first or last rank"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 b - - 0 1", "White has 17 men"),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black, who is not to move, is in check"),
        ("4k3/8/3N4/8/B7/8/4R3/4K3 b - - 0 1", "more than two men give check"),
        ("k7/1K6/8/8/8/8/8/7R w - - 0 1", "the kings are on adjacent squares"),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "castling rights must be letters of KQkq"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "White cannot castle (K): there is no rook on that side of the king on e1"),
        ("4k3/8/8/8/8/8/8/4K2R w G - 0 1", "White cannot castle (G): there is no rook on g1"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "White cannot castle (K) with the king on e2"),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "White cannot castle (K): there is no rook"),
        ("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "White has two castling rights on the same side of the king in 'HG'"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "White has two castling rights on the same side"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d3 0 1", "the en passant square must be on rank 6, or -, not 'd3'"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - e6 0 1", "no pawn can be captured en passant on e6: there is none on e5"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "no pawn can have passed d6: it or d7 is occupied"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "the halfmove clock must be a number from 0 to 9999, not 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "the move number must be a number from 0 to 9999, not '-1'"),
        (f"4k3/8/8/8/8/8/8/4K3 w - - {'9' * 5000} 1", "the halfmove clock must be a number from 0 to 9999"),
        (f"chess960:{'9' * 5000}", "a FEN has 6 fields"),
        ("chess960:960", "960 is not a starting position of Chess960: numbers are 0 to 959"),
        ("startpos moves e2e5", "move 1: 'e2e5' is not a legal move here; did you mean e3 or e4?"),
    ],
)
def test_what_is_no_position_is_explained_in_a_line(fen: str, message: str) -> None:
    check_refused(message, GAME.parse, fen)


def test_random_junk_is_refused_in_words() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        letters = list("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        for _ in range(chance.randrange(1, 5)):
            letters[chance.randrange(len(letters))] = chance.choice("rnbqkpRNBQKP12345678/ wb-KQkqae3609 é²")
        text = "".join(letters)
        try:
            state = GAME.parse(text)
        except pw.PositionError:
            continue
        assert chess.Board(GAME.format(state)).is_valid(), text


def test_starting_positions_of_chess960_have_their_numbers() -> None:
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        assert chess960_fen(number) == board.shredder_fen()
    assert GAME.parse("chess960:518") == GAME.initial()


def test_a_position_may_be_followed_by_moves_even_beyond_a_draw() -> None:
    assert GAME.format(GAME.parse("startpos moves")) == GAME.format(GAME.initial())
    after = GAME.parse("fen 4k3/8/8/8/8/8/8/R3K3 w Q - 99 80 moves a1a2 e8e7 a2a1")
    assert GAME.format(after) == "8/4k3/8/8/8/8/8/R3K3 b - - 102 81"


# Moves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chess960", [False, True])
def test_algebraic_notation_is_that_of_python_chess(chess960: bool) -> None:
    for board in random_boards(seed=41, games=2, chess960=chess960):
        state = GAME.parse(board.fen())
        for move in GAME.moves(state):
            known = board.parse_uci(Chess(chess960=chess960).format_move(state, move))
            assert format_san(GAME, state, move) == board.san(known)
            assert parse_san(GAME, state, board.san(known)) == move


def test_castling_is_the_kings_way_in_chess_and_the_way_to_the_rook_in_chess960() -> None:
    usual = GAME.parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    other = GAME.parse("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")
    texts = {GAME.format_move(usual, move) for move in GAME.moves(usual)}
    assert {"e1g1", "e1c1"} <= texts
    assert {"e1h1", "e1a1"} <= {Chess(chess960=True).format_move(usual, move) for move in GAME.moves(usual)}
    assert {"e1g1", "e1b1"} <= {GAME.format_move(other, move) for move in GAME.moves(other)}
    for text in ("e1g1", "e1h1", "O-O", "0-0", "O-O!?"):
        assert GAME.format_move(usual, GAME.parse_move(usual, text)) == "e1g1"


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        ("startpos", "e2e5", "'e2e5' is not a legal move here; did you mean e3 or e4?"),
        ("4k3/P7/8/8/8/8/1P2P3/4K3 w - - 0 1", "a8", "did you mean a8=B, a8=N, a8=Q+ or a8=R+?"),
        ("startpos", "♘f6", "'Nf6' is not a legal move here; did you mean Nf3?"),
        ("startpos", "?!", "'?!' is not a legal move here; some of the 20 legal moves are: Na3 Nc3 Nf3 Nh3 a3"),
        ("4k3/8/8/8/8/8/3K4/R6R w - - 0 1", "Rd1", "'Rd1' is ambiguous: it may be Rad1 or Rhd1"),
        ("4k3/P7/8/8/8/8/3K4/8 w - - 0 1", "a8", "'a8' is not a legal move here"),
        ("k7/8/K7/8/8/8/8/1R6 b - - 0 1", "a8a7", "'a8a7' is not a legal move here: the game is over"),
    ],
)
def test_a_wrong_move_is_explained(fen: str, text: str, message: str) -> None:
    check_refused(message, GAME.parse_move, GAME.parse(fen), text)


@pytest.mark.parametrize("text", ["exd6", "exd6e.p.", "exd6ep+!?", "exd6!ep", "exd6+!?=", "e5xd6e.p"])
def test_what_follows_a_move_is_left_out(text: str) -> None:
    state = GAME.parse("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert GAME.format_move(state, parse_san(GAME, state, text)) == "e5d6"


@pytest.mark.parametrize("text", ["-" * 20_000, "e4" + "-" * 20_000 + "x", "ep" * 10_000])
def test_a_long_word_is_refused_at_once(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(pw.PositionError, match="is not a legal move here"):
        GAME.parse_move(GAME.initial(), text)
    assert time.process_time() - begun < 1.0  # a regular expression could take hours


# EPD ------------------------------------------------------------------------------------------------------------------


def test_epd_is_read_as_what_it_was_written_from() -> None:
    line = '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id "two; words"; c0 ""; hmvc 7; fmvn 30;'
    epd = parse_epd(GAME, line)
    assert epd.operations == {"bm": ("e4", "e3"), "id": ("two; words",), "c0": ("",), "hmvc": ("7",), "fmvn": ("30",)}
    assert GAME.format(epd.state) == "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30"
    assert [GAME.format_move(epd.state, move) for move in epd.moves(GAME, "bm")] == ["e2e4", "e2e3"]
    assert epd.moves(GAME, "am") == ()
    assert format_epd(epd) == line
    assert parse_epd(GAME, format_epd(Epd(GAME.initial(), {}))).state == GAME.initial()


def test_perft_files_are_epd() -> None:
    epd = parse_epd(GAME, "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 ;D1 16 ;D2 71")
    assert epd.operations == {"D1": ("16",), "D2": ("71",)}
    assert (epd.state.clock, epd.state.ply) == (3, 16)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 17;", "'17;' is not an operation, such as bm e4;"),
        ('4k3/8/8/8/8/8/8/4K3 w - - id "open;', "a quotation mark in id is not closed"),
        ("4k3/8/8/8/8/8/8/4K3 w", "it must start with the first 4 fields of a FEN, but has 2"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc;", "hmvc must have one operand, a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - fmvn 1 2;", "fmvn must have one operand, a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", "the halfmove clock must be a number"),
    ],
)
def test_wrong_epd_is_explained(line: str, message: str) -> None:
    check_refused(message, parse_epd, GAME, line)


@pytest.mark.parametrize("name", ["wac", "bratko-kopec", "STS1-STS15_LAN_v3"])
def test_test_suites_are_understood(name: str) -> None:
    lines = data_file(f"epd/{name}.epd").read_text().splitlines()
    for line in list(filter(str.strip, lines))[:300]:
        epd = parse_epd(GAME, line)
        assert epd.moves(GAME, "bm") or epd.moves(GAME, "am"), line


# PGN ------------------------------------------------------------------------------------------------------------------

GAMES = """
[Event "A \\"quoted\\" name"]
[White "One"]
[Result "1-0"]

1. e4 {best} e5 2. Qh5?! $6 (2. Nf3 Nc6 (2... d6 {Philidor}) 3. Bb5) 2... Nc6 ; a remark
3. Bc4 Nf6?? 4. Qxf7# 1-0

% for other programs
[Event "From a position"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40"]

40... Kd7 41.e4 Ke6 *

[Event "Without a result"]

1. d4
[Event "Last"]
[Variant "Chess960"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]
{ before the first move } 9. g3 g6 10. e4 1/2-1/2
"""


def test_games_are_read_with_headers_comments_and_annotations() -> None:
    first, second, third, last = read_pgn(GAME, GAMES)
    assert first.headers == {"Event": 'A "quoted" name', "White": "One", "Result": "1-0"}
    assert first.result == "1-0"
    assert [played.comment for played in first.played] == ["best", "", "", "a remark", "", "", ""]
    assert [played.annotations for played in first.played] == [(), (), (6, 6), (), (), (4,), ()]
    assert GAME.is_terminal(first.positions(GAME)[-1])
    assert GAME.format(second.positions(GAME)[-1]) == "8/8/4k3/8/4P3/8/8/4K3 w - - 1 42"
    assert (third.result, len(third.played)) == ("*", 1)
    assert (last.result, last.comment, len(last.played)) == ("1/2-1/2", "before the first move", 3)


@pytest.mark.parametrize("chess960", [False, True])
def test_games_that_are_written_are_read_by_everybody(chess960: bool) -> None:
    game = Chess(chess960=chess960)
    for seed in range(6):
        boards = random_boards(seed, games=1, chess960=chess960, plies=200)
        board = next(boards)
        start = game.parse(board.fen())
        for _ in boards:
            pass
        state, played = start, []
        for number, move in enumerate(board.move_stack):
            known = game.parse_move(state, board.uci(move, chess960=chess960))
            played.append(PlayedMove(known, "a comment" if number % 7 == 0 else "", (1,) if number % 5 == 0 else ()))
            state = game.play(state, known)
        record = Record(start, tuple(played), "1/2-1/2", {"White": "A\\B", "Event": 'say "x"'}, "to begin with")
        text = format_pgn(game, record)
        assert max(map(len, text.splitlines())) <= 80
        (again,) = read_pgn(game, text)
        assert (again.start, again.played, again.result) == (record.start, record.played, record.result)
        assert {**again.headers, **record.headers} == again.headers
        peer = chess.pgn.read_game(io.StringIO(text))
        assert peer is not None
        assert not peer.errors
        assert list(peer.mainline_moves()) == board.move_stack


def test_a_game_from_an_opening_of_usual_chess_is_no_chess960() -> None:
    start = GAME.parse("startpos moves e2e4 c7c5 g1f3")
    moves = [GAME.parse_move(start, "d7d6")]
    about = {"event": "a\nmatch", "max": "Kasparov", "min": "Topalov", "result": "1-0", "clock": "180+2", "reason": "",
             "date": "1999-01-20"}  # fmt: skip
    text = GAME.record(start, moves, about)
    headers = chess.pgn.read_game(io.StringIO(text)).headers
    assert "Variant" not in headers
    assert (headers["White"], headers["Black"], headers["Result"]) == ("Kasparov", "Topalov", "1-0")
    assert (headers["Event"], headers["TimeControl"]) == ("a match", "180+2")
    assert headers["Date"] == "1999.01.20"
    assert "Termination" not in headers
    assert "1... d6 1-0" in text or "2... d6 1-0" in text
    shuffled = GAME.parse("chess960:1 moves a2a3")
    assert '[Variant "Chess960"]' in GAME.record(shuffled, [], {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 e5 2. Ke3", "PGN, game 1, line 1, White's move 2: 'Ke3' is not a legal move here; did you mean Ke2"),
        ("1. e4 *\n\n1. e4 e6 )", "PGN, game 2, line 3: ')' without '('"),
        ("1. e4 (e5", "PGN, game 1, line 1: '(' without ')'"),
        ("1. e4 { e5", "PGN, game 1, line 1: the comment does not end"),
        (f"1. e4 ${'9' * 5000}", "PGN, game 1, line 1: '$99"),
        ('[FEN "junk"]\n\n*', "PGN, game 1, line 3: 'junk' is not a position: a FEN has 6 fields"),
        ('[FEN "junk"]', "PGN, game 1, line 1: 'junk' is not a position: a FEN has 6 fields"),
        ('[FEN "junk"]\n\n1. e4', "PGN, game 1, line 3: 'junk' is not a position: a FEN has 6 fields"),
    ],
)
def test_wrong_pgn_is_explained(text: str, message: str) -> None:
    check_refused(message, lambda: list(read_pgn(GAME, text)))


@pytest.mark.parametrize("text", [f"1. e4 ${'9' * 5000}", f"1. e4 {'e5' * 5000}", f"1. e4 \x1b[31m{'?' * 5000}",
                                  f'[FEN "{"x" * 5000}"]\n\n*'])  # fmt: skip
def test_an_error_in_pgn_echoes_only_a_part_of_a_long_token(text: str) -> None:
    with pytest.raises(pw.PositionError) as caught:
        list(read_pgn(GAME, text))
    assert len(str(caught.value)) <= 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "name", ['He said "1-0"', "back\\slash\\", '[Evil "1"]', '\\"', "a]b[c", "x} ; % $5 (", "Müller, Ö."]
)
def test_a_player_may_have_any_name_in_pgn(name: str) -> None:
    text = GAME.record(GAME.initial(), [], {"max": name, "min": "other", "result": "1-0"})
    (again,) = read_pgn(GAME, text)
    assert again.headers["White"] == name
    assert set(again.headers) == {"Event", "Site", "Date", "Round", "White", "Black", "Result"}
    peer = chess.pgn.read_game(io.StringIO(text))
    assert peer is not None
    assert (peer.headers["Black"], len(peer.headers)) == ("other", 7)  # it leaves escapes as they are


def test_a_line_break_in_a_name_ends_no_header() -> None:
    text = GAME.record(GAME.initial(), [], {"max": 'one"]\n[Evil "1\r\n\ttwo\x1b[0m', "result": "*"})
    (again,) = read_pgn(GAME, text)
    assert again.headers["White"] == 'one"] [Evil "1   two [0m'
    assert "Evil" not in again.headers


@pytest.mark.parametrize(
    ("headers", "result", "message"),
    [
        ({'Evil "1': "v"}, "*", "'Evil \"1' cannot be the name of a PGN header"),
        ({"Two\nLines": "v"}, "*", r"'Two\nLines' cannot be the name"),
        ({"a]b": "v"}, "*", "'a]b' cannot be the name"),
        ({"": "v"}, "*", "'' cannot be the name"),
        ({}, '1-0 [Evil "1"]', "is not a result of a game; results are: 1-0 0-1 1/2-1/2 *"),
    ],
)
def test_what_pgn_cannot_write_is_refused(headers: dict[str, str], result: str, message: str) -> None:
    check_refused(message, format_pgn, GAME, Record(GAME.initial(), [], result, headers))
