"""The real GTP program: it thinks, stops when asked, and leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from plywise.match.gtp_program import GtpFailure, GtpProgram

COMMAND = [sys.executable, "-m", "plywise", "gtp"]
SMALL = "go:3"
LATE = 5.0
"""Seconds that an answer may be late on a busy machine."""


@pytest.fixture(scope="module")
def program() -> Iterator[GtpProgram]:
    started = GtpProgram(" ".join([*COMMAND, SMALL, "--seconds", "600"]))
    yield started
    started.close()


def begin_thinking(program: GtpProgram) -> None:
    """Begin a search that takes ten minutes."""
    program.ask("clear_board")
    assert program.process.stdin is not None
    program.process.stdin.write("genmove black\n")
    program.process.stdin.flush()
    time.sleep(1.0)


def answer(program: GtpProgram) -> str:
    return "".join(program._answer("genmove", time.monotonic() + LATE))


def test_it_thinks_with_a_clock(program: GtpProgram) -> None:
    program.ask("clear_board")
    program.ask("time_settings 0 1 1")
    begun = time.monotonic()
    assert program.ask("genmove b") == "B2"
    assert time.monotonic() - begun < 1 + LATE
    with pytest.raises(GtpFailure, match="it refused 'play w b2': 'illegal move'"):
        program.ask("play w b2")
    program.ask("time_settings 0 1 0")


def test_gogui_interrupts_a_search(program: GtpProgram) -> None:
    begin_thinking(program)
    assert program.process.stdin is not None
    program.process.stdin.write("# interrupt\n")
    program.process.stdin.flush()
    assert answer(program).startswith("= ")
    assert program.ask("name") == "plywise"


@pytest.mark.parametrize(("how", "code"), [("quit", 0), ("end", 0), ("Ctrl-C", 130)])
def test_it_stops_thinking_and_leaves(how: str, code: int) -> None:
    program = GtpProgram(" ".join([*COMMAND, SMALL, "--seconds", "600"]))
    try:
        begin_thinking(program)
        assert program.process.stdin is not None
        if how == "quit":
            program.process.stdin.write("quit\n")
            program.process.stdin.flush()
        elif how == "end":
            program.process.stdin.close()
        elif os.name == "nt":
            pytest.skip("Windows has no SIGINT for other processes")
        else:
            program.process.send_signal(signal.SIGINT)
        assert answer(program).startswith("= ")
        assert program.process.wait(LATE) == code
    finally:
        program.process.kill()
        program.process.wait()


def test_a_script_is_carried_out_to_its_end() -> None:
    script = "1 boardsize 3\n2 clear_board\n\n# a comment\n3 genmove b\n4 genmove w\n5 quit\n6 name\n"
    command = [*COMMAND, SMALL, "--nodes", "2000", "--seed", "1", "--option", "exploration=0.5"]
    ended = subprocess.run(command, input=script, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0
    assert [line.split()[0] for line in ended.stdout.splitlines() if line] == ["=1", "=2", "=3", "=4", "=5"]
