"""Every UCI command against the real process."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from tests.uci.support import COMMAND, COMPILING, Talk, infos

LATE = 0.5
"""Seconds that an answer may be late on a busy machine."""

MATE_IN_TWO = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"  # Morphy: Ra6, and bxa6 or a bishop's move is met by b7 or Rxa7
BACK_RANK = "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
QUEEN_UP = "fen 4k3/8/8/8/8/8/8/3QK3 w - - 0 1"


@pytest.fixture(scope="module")
def program() -> Iterator[Talk]:
    talk = Talk()
    talk.say("uci")
    talk.until("uciok")
    talk.ready()
    yield talk
    talk.kill()


@pytest.fixture
def talk(program: Talk) -> Talk:
    """The program, as new."""
    program.say("stop", "ucinewgame", "position startpos")
    for name, value in (("MultiPV", "1"), ("Threads", "1"), ("UCI_Chess960", "false"), ("UCI_LimitStrength", "false")):
        program.say(f"setoption name {name} value {value}")
    program.settle()
    return program


# Coming and going -----------------------------------------------------------------------------------------------------


def test_uci_is_answered_before_anything_is_loaded() -> None:
    talk = Talk()
    talk.say("uci")
    lines = talk.until("uciok")
    taken = time.perf_counter() - talk.begun
    assert lines[0].startswith("id name plywise")
    assert lines[1].startswith("id author")
    declared = [line.split(" type ")[0] for line in lines if line.startswith("option name")]
    for name in ("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960", "Clear Hash",
                 "UCI_LimitStrength", "UCI_Elo"):  # fmt: skip
        assert f"option name {name}" in declared
    assert taken < 0.3 + LATE
    talk.say("quit")
    assert talk.process.wait(5) == 0


def test_quit_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    talk = Talk(PLYWISE_CACHE_DIR=str(tmp_path))
    talk.say("uci", "isready")
    heard = talk.until("info string compiling the engine", 60)
    assert "readyok" not in heard
    talk.say("quit")
    assert talk.process.wait(5) == 0
    talk.kill()


@pytest.mark.parametrize("last", ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 3", "isready", ""])
def test_the_end_of_the_input_ends_it(last: str) -> None:
    talk = Talk()
    talk.say("uci", last)
    assert talk.leave(COMPILING) == 0
    lines = talk.until("bestmove" if "go" in last else "readyok" if last else "uciok")
    assert "uciok" in lines
    talk.kill()


def test_a_transcript_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "transcript.txt"
    talk = Talk("--log", str(file))
    talk.say("uci", "nonsense", "quit")
    assert talk.process.wait(5) == 0
    lines = [line.split(maxsplit=1)[1] for line in file.read_text().splitlines()]
    assert lines[0] == "> uci"
    assert "< uciok" in lines
    assert lines[-1] == "> quit"
    assert Talk("--log", str(tmp_path / "no" / "where")).process.wait(5) == 2


def test_a_command_is_done_alone() -> None:
    talk = Talk("bench", "3")
    first = talk.until("info string position 12", COMPILING)
    nodes = talk.heard.get(timeout=5)
    assert nodes is not None
    assert nodes.split()[1::2] == ["nodes", "nps"]
    assert len([line for line in first if line.startswith("info string position")]) == 12
    assert talk.process.wait(5) == 0
    again = Talk("bench", "3")
    assert int(again.until(nodes.split()[0], COMPILING)[-1].split()[0]) == int(nodes.split()[0])


# Searching ------------------------------------------------------------------------------------------------------------


def test_a_search_to_a_depth_tells_every_depth(talk: Talk) -> None:
    best, before = talk.go("go depth 5")
    told = infos(before)
    assert [int(info["depth"]) for info in told if info["bound"] == "exact"] == [1, 2, 3, 4, 5]
    assert told[-1]["pv"].split()[0] == best
    for info in told:
        board = chess.Board()
        for move in info["pv"].split():
            board.push_uci(move)  # which must be legal
        assert int(info["nodes"]) > 0
        assert int(info["seldepth"]) >= int(info["depth"])
        assert 0 <= int(info["hashfull"]) <= 1000


def test_nodes_and_movetime_are_limits(talk: Talk) -> None:
    _, before = talk.go("go nodes 20000")
    assert 0 < int(infos(before)[-1]["nodes"]) <= 20_000
    begun = time.perf_counter()
    talk.go("go movetime 300")
    assert 0.2 < time.perf_counter() - begun < 0.3 + LATE


def test_limits_can_be_combined_and_the_first_one_counts(talk: Talk) -> None:
    begun = time.perf_counter()
    talk.go("go wtime 200 btime 200 movetime 20000")
    assert time.perf_counter() - begun < 0.2 + LATE
    begun = time.perf_counter()
    talk.go("go wtime 900000 btime 900000 movetime 100")
    assert time.perf_counter() - begun < 0.1 + LATE


def test_times_beyond_all_clocks_are_no_errors(talk: Talk) -> None:
    for name in ("movetime", "wtime"):
        best, before = talk.go(f"go depth 2 {name} {'9' * 18}")
        assert infos(before)[-1]["pv"].split()[0] == best
        assert not [line for line in before if "error" in line]


def test_infinite_ends_by_stop_alone_and_isready_is_answered_meanwhile(talk: Talk) -> None:
    talk.say(f"position {QUEEN_UP}", "go infinite")
    talk.until("info depth 5")
    assert not [line for line in talk.ready() if line.startswith("bestmove")]
    begun = time.perf_counter()
    talk.say("stop")
    talk.until("bestmove")
    assert time.perf_counter() - begun < LATE


def test_a_proven_mate_does_not_end_an_infinite_search(talk: Talk) -> None:
    talk.say(f"position {BACK_RANK}", "go infinite")
    time.sleep(0.5)
    assert not [line for line in talk.ready() if line.startswith("bestmove")]
    assert talk.go("stop")[0] == "a1a8"


def test_pondering_ends_after_ponderhit(talk: Talk) -> None:
    talk.say("position startpos moves e2e4 e7e5", "go ponder wtime 2000 btime 2000 winc 100 binc 100")
    time.sleep(0.7)
    assert not [line for line in talk.ready() if line.startswith("bestmove")]
    begun = time.perf_counter()
    talk.go("ponderhit")
    assert time.perf_counter() - begun < 1.4 + LATE
    talk.say("go ponder wtime 60000 btime 60000")
    begun = time.perf_counter()
    talk.go("stop")
    assert time.perf_counter() - begun < LATE


def test_stop_and_ponderhit_without_a_search_do_nothing(talk: Talk) -> None:
    talk.say("stop", "ponderhit", "stop")
    assert talk.ready() == ["readyok"]


def test_a_second_go_ends_the_first(talk: Talk) -> None:
    talk.say("go infinite", "go depth 2")
    talk.until("bestmove")
    talk.until("bestmove")


def test_only_searchmoves_are_searched(talk: Talk) -> None:
    best, before = talk.go("go depth 4 searchmoves a2a3 h2h3")
    assert best in ("a2a3", "h2h3")
    assert {info["pv"].split()[0] for info in infos(before)} <= {"a2a3", "h2h3"}
    best, before = talk.go("go depth 2 searchmoves e2e5 nonsense")
    assert sum("is not" in line for line in before) == 2
    assert chess.Board().is_legal(chess.Move.from_uci(best))


def test_several_lines_are_in_order_and_begin_differently(talk: Talk) -> None:
    talk.say(f"position {QUEEN_UP}", "setoption name MultiPV value 4")
    best, before = talk.go("go depth 5")
    last = infos(before)[-4:]
    assert [info["multipv"] for info in last] == ["1", "2", "3", "4"]
    assert {info["depth"] for info in last} == {"5"}
    assert len({info["pv"].split()[0] for info in last}) == 4
    values = [int(info["score"].split()[1]) for info in last]
    assert values == sorted(values, reverse=True)
    assert best == last[0]["pv"].split()[0]


def test_a_mate_in_two_is_found_and_one_in_one_is_not(talk: Talk) -> None:
    talk.say(f"position {MATE_IN_TWO}")
    best, before = talk.go("go mate 2", COMPILING)
    assert best == "a1a6"
    assert infos(before)[-1]["score"] == "mate 2"
    assert infos(talk.go("go mate 1", COMPILING)[1])[-1]["score"].startswith("cp ")


def test_being_mated_is_told(talk: Talk) -> None:
    talk.say("position fen 7k/8/5K2/8/8/8/8/6Q1 b - - 0 1")
    assert infos(talk.go("go depth 4")[1])[-1]["score"] == "mate -1"


@pytest.mark.parametrize(
    ("fen", "answer", "score"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "(none)", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "(none)", "cp 0"),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "h8g8", "cp 0"),
    ],
)
def test_games_that_are_over_have_an_answer(talk: Talk, fen: str, answer: str, score: str) -> None:
    talk.say(f"position fen {fen}")
    best, before = talk.go("go depth 3")
    assert best == answer
    assert any(f"score {score}" in line for line in before)


def test_repetitions_before_the_position_count(talk: Talk) -> None:
    talk.say(f"position {QUEEN_UP}")
    alone = infos(talk.go("go depth 3 searchmoves d1d2")[1])[-1]["score"]
    assert int(alone.split()[1]) > 500
    talk.say(f"position {QUEEN_UP} moves d1d2 e8e7 d2d1 e7e8")
    assert infos(talk.go("go depth 3 searchmoves d1d2")[1])[-1]["score"] == "cp 0"


def test_perft_counts_for_each_move(talk: Talk) -> None:
    talk.say("go perft 3")
    lines = talk.until("Nodes searched", COMPILING)
    assert lines[-1] == "Nodes searched: 8902"
    assert "e2e4: 600" in lines
    assert sum(int(line.split()[1]) for line in lines if line[:1] in "abcdefgh" and ": " in line) == 8902


def test_castling_is_written_as_the_option_says(talk: Talk) -> None:
    talk.say("setoption name UCI_Chess960 value true", "position fen 4k3/8/8/8/8/8/8/R3K2R w HA - 0 1")
    assert talk.go("go depth 1 searchmoves e1h1")[0] == "e1h1"
    talk.say("setoption name UCI_Chess960 value false", "position")
    assert [line for line in talk.settle() if line.startswith("info string position ignored")]
    talk.say("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert talk.go("go depth 1 searchmoves e1c1")[0] == "e1c1"


def test_what_is_wrong_is_told_and_ignored(talk: Talk) -> None:
    talk.say("position startpos moves e2e4")
    for wrong in (
        "position startpos moves e2e4 e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position",
        "position fen",
    ):
        talk.say(wrong)
        assert [line for line in talk.ready() if line.startswith("info string position ignored")], wrong
    for wrong in (
        "setoption name Hash value much",
        "setoption name Nothing value 1",
        "setoption",
        "setoption name Hash",
    ):
        talk.say(wrong)
        assert [line for line in talk.ready() if line.startswith("info string")], wrong
    best, _ = talk.go("go depth 1")
    board = chess.Board()
    board.push_uci("e2e4")
    assert board.is_legal(chess.Move.from_uci(best))


def test_garbage_does_not_stop_it(talk: Talk) -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    words = ["go", "position", "fen", "startpos", "moves", "e2e4", "depth", "1", "-7", "setoption", "name", "MultiPV",
             "value", "stop", "ponderhit", "d", "searchmoves", "movetime", "mate", "é", "\x00"]  # fmt: skip
    for _ in range(60):
        talk.say(" ".join(chance.choice(words) for _ in range(chance.randrange(1, 7))))
        talk.say(bytes(chance.randrange(256) for _ in range(10)).replace(b"q", b"") + b"\n", "stop")
    talk.say("ucinewgame", "position startpos", "setoption name MultiPV value 1")
    talk.settle()
    best, _ = talk.go("go depth 2")
    assert chess.Board().is_legal(chess.Move.from_uci(best))


def test_two_threads_and_another_table_play_as_well(talk: Talk) -> None:
    talk.say("setoption name Threads value 2", "setoption name Hash value 8", f"position {BACK_RANK}")
    for _ in range(5):
        talk.say("setoption name Clear Hash")
        assert talk.go("go depth 5")[0] == "a1a8"
    talk.say("position startpos")
    begun = time.perf_counter()
    talk.go("go movetime 200")
    assert time.perf_counter() - begun < 0.2 + LATE


def test_a_weak_player_is_fast_and_legal(talk: Talk) -> None:
    talk.say("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    played = set()
    for _ in range(12):
        best, before = talk.go("go wtime 60000 btime 60000")
        assert chess.Board().is_legal(chess.Move.from_uci(best))
        assert {info["multipv"] for info in infos(before)} == {"1"}
        played.add(best)
    assert len(played) > 1


# A client's view ------------------------------------------------------------------------------------------------------


def test_a_game_by_python_chess_is_legal_and_in_time() -> None:
    """A second for the game and 0.05 s a move leave no margin."""
    engine = chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=COMPILING)
    try:
        engine.timeout = COMPILING
        engine.ping()
        engine.timeout = 10
        board, clocks = chess.Board(), [1.0, 1.0]
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=0.05, black_inc=0.05)
            begun = time.perf_counter()
            played = engine.play(board, limit)  # an illegal move would raise
            mover = 0 if board.turn else 1
            clocks[mover] += 0.05 - (time.perf_counter() - begun)
            assert clocks[mover] > 0, f"lost on time at ply {board.ply()}"
            assert played.move is not None
            board.push(played.move)
    finally:
        engine.close()


def test_many_short_searches_are_in_time(talk: Talk) -> None:
    late = []
    for number in range(60):
        allowed = (20, 40, 80)[number % 3]
        begun = time.perf_counter()
        talk.go(f"go wtime {allowed} btime {allowed}")
        late.append(time.perf_counter() - begun - allowed / 1000)
    assert sorted(late)[-2] < 0, f"late by up to {max(late)} s"  # once, the machine itself may be busy
