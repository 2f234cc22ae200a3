"""Behaviour in a real terminal: keys, the live display, and a tidy screen afterwards."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

ALTERNATE, USUAL = b"\x1b[?1049h", b"\x1b[?1049l"
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plywise", *arguments],
            stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.seen = b""

    def until(self, text: str, seconds: float = 60) -> None:
        """Read until a text appears."""
        end = time.monotonic() + seconds
        while text.encode() not in self.seen:
            assert time.monotonic() < end, f"no {text!r} in {self.seen.decode(errors='replace')}"
            self._read(0.2)

    def type(self, keys: str) -> None:
        self.seen = b""
        os.write(self.master, keys.encode())

    def end(self, seconds: float = 60) -> int:
        """Wait for the end of the command and return its exit code."""
        before, end = self.seen, time.monotonic() + seconds
        while self._read(1):
            if time.monotonic() > end:
                self.process.kill()
                pytest.fail(f"it does not end: {self.seen.decode(errors='replace')}")
        code = self.process.wait(seconds)
        self.seen = before + self.seen[len(before) :]
        os.close(self.master)
        return code

    def _read(self, seconds: float) -> bool:
        if select.select([self.master], [], [], seconds)[0]:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # Linux: the other end is closed
                return False
            self.seen += piece
            return bool(piece)
        return self.process.poll() is None


def test_keys_walk_through_the_steps() -> None:
    terminal = Terminal("tree", "red-blue", "--steps")
    terminal.until("step 1 of 33")
    assert ALTERNATE in terminal.seen
    terminal.type(" ")
    terminal.until("step 2 of 33")
    terminal.type("\x1b[C")
    terminal.until("step 3 of 33")
    terminal.type("\x1b[D")
    terminal.until("step 2 of 33")
    terminal.type("\x1b[C" * 6 + "\x1b[D")  # a burst, as from a key held down
    terminal.until("step 7 of 33")
    terminal.type("\x1b[F")
    terminal.until("The root (Min) returns -3.")
    terminal.type("\x7f")
    terminal.until("step 32 of 33")
    terminal.type("q")
    assert terminal.end() == 0
    assert USUAL in terminal.seen


def test_ctrl_c_among_the_steps_leaves_the_terminal_as_it_was() -> None:
    terminal = Terminal("tree", "red-blue", "--steps")
    terminal.until("step 1 of 33")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert USUAL in terminal.seen
    assert SHOWN in terminal.seen
    assert b"Traceback" not in terminal.seen


def test_a_search_with_a_clock_tells_every_depth() -> None:
    terminal = Terminal("search", "tic-tac-toe", "--seconds", "0.5")
    terminal.until("searched")
    assert terminal.end() == 0
    assert b"depth   1  value    0" in terminal.seen
    assert b"depth   2  value    0" in terminal.seen
    assert re.search(rb"depth   3  value    0 +[\d.]+ s +\d+ nodes +[\d.]+k?/s +\d+% full  \S+ \S+ \S+", terminal.seen)
    assert terminal.seen.count(HIDDEN) == terminal.seen.count(SHOWN)


def test_ctrl_c_during_a_search_gives_the_best_so_far() -> None:
    terminal = Terminal("search", "connect-four", "--seconds", "60")
    terminal.until("depth   2")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert b"value     0" in terminal.seen
    assert b" s (interrupted)" in terminal.seen
    assert b"Traceback" not in terminal.seen
    assert terminal.seen.rfind(SHOWN) > terminal.seen.rfind(HIDDEN)


def test_a_solution_shows_its_bounds_and_ctrl_c_prints_what_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    terminal = Terminal("solve", "connect-four")
    terminal.until("Solving: value from -18 to 18, ")
    assert re.search(rb"[\d.]+k? nodes, [\d.]+k?/s", terminal.seen)
    terminal.type("\x03")
    assert terminal.end() == 130
    assert b"value     from -18 to 18 (proven)" in terminal.seen
    assert re.search(rb"searched  by engine: [\d,]+ nodes, [\d.]+ s \(interrupted\)", terminal.seen)
    assert b"Traceback" not in terminal.seen
    assert terminal.seen.rfind(SHOWN) > terminal.seen.rfind(HIDDEN)


def test_ctrl_c_while_compiling_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET", raising=False)
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    terminal = Terminal("solve", "connect-four")
    terminal.until("Compiling the engine and the rules for ConnectFour, once")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert terminal.seen.count(b"plywise: interrupted") == 1
    assert b"Traceback" not in terminal.seen
    assert terminal.seen.rfind(SHOWN) > terminal.seen.rfind(HIDDEN)


def test_play_replies_while_it_compiles_and_ctrl_c_ends_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET", raising=False)
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    terminal = Terminal("play", "connect-four", "--seconds", "0.2")
    terminal.until("X to move: ")
    terminal.type("4\r")
    terminal.until("O plays ")
    assert b"(Thinking in plain Python while the fast code is made.)" in terminal.seen
    assert not list(tmp_path.glob("*.machinecode"))
    terminal.until("X to move: ")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert b"Traceback" not in terminal.seen
    assert not list(tmp_path.glob("*.machinecode"))


def test_random_games_tell_how_it_stands_without_a_line_each_time() -> None:
    terminal = Terminal("search", "tic-tac-toe", "--algorithm", "mcts", "--seconds", "1")
    terminal.until("Searching: ")
    assert terminal.end() == 0
    assert b"depth   1" not in terminal.seen


def test_an_analysis_shows_how_far_it_is(tmp_path: Path) -> None:
    positions, out = tmp_path / "positions", tmp_path / "results"
    positions.write_text("X../.../...\n" * 3000)
    terminal = Terminal("analyse", "tic-tac-toe", str(positions), "--out", str(out))
    terminal.until("/3000")
    terminal.until("/s")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert b"plywise: stopped with " in terminal.seen
    assert terminal.seen.rfind(SHOWN) > terminal.seen.rfind(HIDDEN)


def test_a_match_shows_how_it_stands_and_leaves_one_table() -> None:
    terminal = Terminal("match", "nim", "-1", "random", "-2", "random", "-n", "20", "--nodes", "1")
    terminal.until("of 20 games")
    assert terminal.end() == 0
    assert terminal.seen.rindex(SHOWN) > terminal.seen.rindex(HIDDEN)
    after = terminal.seen[terminal.seen.rindex(SHOWN) :].decode()
    assert after.count("drawn") == 1
    assert "Pairs with" in after


UNCOMPILED = """
import plywise as pw
from typing import NamedTuple


class Line(NamedTuple):
    cells: tuple
    turn: int


class Sliced(pw.Game):
    def initial(self): return Line((0,) * 30, 0)
    def to_move(self, state): return state.turn
    def moves(self, state): return [i for i in range(30) if state.cells[i] == 0]
    def play(self, state, move):
        return Line(state.cells[:move] + (state.turn + 1,) + state.cells[move + 1:], 1 - state.turn)
    def is_terminal(self, state): return 0 not in state.cells
    def score(self, state): return sum(i * state.cells[i] for i in range(30)) % 101 - 50
"""


def test_ctrl_c_ends_the_search_of_rules_that_could_not_be_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET", raising=False)
    file = tmp_path / "sliced.py"
    file.write_text(UNCOMPILED)
    terminal = Terminal("solve", str(file))
    terminal.until("Solving: value unknown, ")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert b"value     unknown" in terminal.seen
    assert re.search(rb"searched  by engine: [\d,]+ nodes, [\d.]+ s \(interrupted\)", terminal.seen)
