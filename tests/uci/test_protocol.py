"""Parsing UCI: any line can be read, and no line ends a session."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.io.transcript import Transcript
from plywise.uci.engine_options import UCI_OPTIONS, option_named
from plywise.uci.protocol import (
    FLAGS,
    LONGEST_REMARK,
    MOST_TIME,
    NUMBERS,
    Go,
    parse_go,
    parse_position,
    parse_setoption,
    score_text,
)
from plywise.uci.session import Session

VOCABULARY = [
    *FLAGS, *NUMBERS, "searchmoves", "uci", "isready", "setoption", "name", "value", "position", "fen", "startpos",
    "moves", "go", "stop", "ponderhit", "ucinewgame", "bench", "d", "debug", "on", "Hash", "Threads", "MultiPV",
    "e2e4", "e7e8q",
    "-1", "0", "5", "99999999999999999999", "1e3", "true", "", "8/8/8/8/8/8/8/8", "w", "-",
]  # fmt: skip
lines = st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(VOCABULARY), st.text(max_size=5))).map(" ".join))


class Deaf(Transcript):
    """Discards its output."""

    def say(self, text: str) -> None:
        assert text.splitlines(), "nothing is said without words"


@given(st.lists(lines, max_size=6))
def test_no_line_ends_a_session(said: list[str]) -> None:
    session = Session(Deaf())  # whose thinker, which has not begun, gets all of it to do
    for line in said:
        session.do_line(line)


@given(st.lists(st.one_of(st.sampled_from([*FLAGS, *NUMBERS, "searchmoves", "7", "e2e4"]), st.text(max_size=4))))
def test_of_go_everything_that_can_be_understood_counts(words: list[str]) -> None:
    go = parse_go(words)
    for name in FLAGS:
        assert getattr(go, name) == (name in words)
    for name in NUMBERS:
        value = getattr(go, name)
        assert value is None or name in words or (name == "depth" and value == 1 and go.complaints)


def test_what_a_gui_sent_is_not_sent_back_whole_or_raw() -> None:
    said: list[str] = []
    session = Session(Deaf())
    session.say = session.thinker.say = said.append  # type: ignore[assignment]
    long = "\x1b[2J" + 5000 * "x"
    for line in (f"go {long}", f"go depth {long}", f"setoption name {long}", f"setoption name Hash value {long}", long):
        session.do_line(line)
        while not session.thinker.jobs.empty():
            job = session.thinker.jobs.get()
            if job is not None and getattr(job, "func", None) == session.thinker.set_option:
                job()
    assert len(said) >= 5
    for line in said:
        assert line.startswith("info string ")
        assert len(line) <= LONGEST_REMARK
        assert line.isprintable()


def test_go_has_every_parameter() -> None:
    text = "wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 movetime 8 mate 9 searchmoves e2e4 a7a8q ponder"
    assert parse_go(text.split()) == Go(1, 2, 3, 4, 5, 6, 7, 8, 9, None, False, True, ("e2e4", "a7a8q"))
    assert parse_go(["perft", "3"]).perft == 3
    assert parse_go(["infinite"]).infinite
    assert parse_go(["depth", "x", "nodes", "1"]).complaints == ("depth needs a number, not 'x'",)
    for words in (["depth", "x"], ["perft"], ["winc", "5", "movetime"]):  # which would search for ever
        assert parse_go(words).depth == 1
        assert parse_go(words).complaints[-1] == "no valid limit: searching one ply deep"
    assert parse_go(["nodes", "x", "infinite"]).depth is None
    assert parse_go(["wtime", "-5", "depth", "0"]) == Go(wtime=-5, depth=1)
    assert Go(wtime=1500, binc=20, btime=10).clock(black=False) == (1.5, 0.0)
    assert Go(wtime=1500, binc=20, btime=10).clock(black=True) == (0.01, 0.02)
    assert Go(wtime=1500).clock(black=True) is None
    assert parse_go(["movetime", "9" * 18, "nodes", "9" * 18]) == Go(movetime=MOST_TIME, nodes=10**18 - 1)


def test_position_and_setoption_are_split_into_their_parts() -> None:
    assert parse_position(["startpos", "moves", "e2e4", "e7e5"]) == ("startpos", ["e2e4", "e7e5"])
    assert parse_position(["fen", "8/8", "w", "-", "-", "0", "1"]) == ("8/8 w - - 0 1", [])
    assert parse_position([]) == ("", [])
    assert parse_setoption(["name", "Move", "Overhead", "value", "100"]) == ("Move Overhead", "100")
    assert parse_setoption(["name", "Clear", "Hash"]) == ("Clear Hash", "")
    assert parse_setoption([]) == ("", "")


def test_options_are_declared_and_read() -> None:
    assert [option.declaration() for option in UCI_OPTIONS][:2] == [
        "option name Hash type spin default 64 min 1 max 65536",
        "option name Clear Hash type button",
    ]
    ponder, size = option_named("PONDER"), option_named("hash")
    assert ponder is not None
    assert size is not None
    assert ponder.read("true") is True
    assert size.read("128") == 128
    for option, text in ((ponder, "maybe"), (size, "0"), (size, "1.5"), (size, ""), (size, "9" * 5000), (size, "٣")):
        with pytest.raises(ValueError, match=r"Ponder must be true or false|Hash must be a number from 1 to 65536"):
            option.read(text)
    assert option_named("nonsense") is None


@given(st.integers(1, 300))
def test_mates_are_told_in_moves(plies: int) -> None:
    """The winner mates at an odd ply; the loser is mated at an even one."""
    assert score_text(30_000 - plies, 30_000, 1000) == f"mate {(plies + 1) // 2}"
    assert score_text(-30_000 + plies, 30_000, 1000) == f"mate {-(plies // 2)}"


def test_a_session_begins_without_what_is_heavy() -> None:
    code = "import sys, plywise.uci.session; print(sorted({'numpy', 'numba', 'typer', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
