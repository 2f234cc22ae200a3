"""Whatever goes wrong is one line on stderr and exit code 2; no traceback reaches a person."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.support import plywise
from tests.cli.test_choose import OWN


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("search", "Missing argument"),
        ("search red-blue --nonsense", "No such option"),
        ("search red-blue --depth x", "--depth"),
        ("search red-blue --depth 0", "depth=0"),
        ("search red-blue", "needs a limit: --depth, --seconds or --nodes"),
        ("search red-blue -d 2 -a nothing", "there is no algorithm 'nothing'"),
        ("search red-blue -d 2 -p XYZ", "'XYZ' is not a position"),
        ("search red-blue -d 2 -p BRB", "the game is over"),
        ("search red-blue -d 2 -a minimax -o alpha=1", "minimax has no option alpha="),
        ("search red-blue -d 2 -a alphabeta -o alpha", "is not NAME=VALUE"),
        ("search red-blue -d 2 -a alphabeta -o alpha=much", "neither a number nor true or false"),
        ("search red-blue -d 2 -a alphabeta -o alpha=3 -o beta=2", "must be below"),
        ("search red-blue -d 2 -o nonsense=true", "the engine has no option nonsense="),
        ("search red-blue -d 2 --threads 0", "threads=0 must be"),
        ("search red-blue -d 2 -a minimax --threads 2", "minimax has no option threads="),
        ("search red-blue -d 2 -a mcts", "mcts has no depth="),
        ("solve red-blue --weak -a memo", "weak=True is for the engine"),
        ("search no-such-game -d 2", "there is no game 'no-such-game'"),
        ("search missing.py -d 2", "there is no file 'missing.py'"),
        ("solve red-blue -a boolean", "boolean needs goal="),
        ("solve red-blue --proof no/such/folder/file", "there is no folder"),
        ("solve red-blue --proof", "requires an argument"),
        ("verify missing.gz", "missing.gz: No such file"),
        ("compare red-blue --algorithms minimax,nothing", "there is no algorithm 'nothing'"),
        ("compare red-blue --algorithms boolean", "cannot be compared"),
        ("compare dog-cat-mouse --algorithms minimax", "only maxn"),
        ("perft red-blue", "Missing option"),
        ("perft red-blue --depth 0", "from 1 up"),
        ("tree red-blue -a minimax --strict", "minimax has no option strict="),
        ("tree missing.json", "missing.json"),
        ("play red-blue --side 3", "allowed are: none, max, min, 1, 2"),
        ("warm no-such-game", "there is no game"),
        ("warm nim:0 --algorithms engine", "the game is over"),
    ],
)
def test_errors_are_one_line_and_code_two(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, *arguments.split())
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("plywise: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


def test_a_mistake_in_the_rules_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN.replace("state.left - move, 1", "state.left - mvoe, 1"))
    answer = plywise(capsys, "search", str(file), "-d", "2")
    assert answer.code == 2
    assert f"{file}, line 12: NameError: name 'mvoe' is not defined" in answer.err
    assert answer.err.count("\n") == 1


def test_a_mistake_of_plywise_asks_to_be_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("oh")

    monkeypatch.setattr("plywise.cli.catalogue._classes", fail)
    monkeypatch.setattr("plywise.cli.failure._is_own", lambda file: False)
    answer = plywise(capsys, "games")
    assert answer.code == 2
    assert "please report it" in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that can be opened, but not read")
def test_a_file_that_fails_while_it_is_read_is_no_mistake_of_plywise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = plywise(capsys, "analyse", "red-blue", "/proc/self/mem", "--out", str(tmp_path / "results"))
    assert (answer.code, answer.out) == (2, "")
    assert "Input/output error" in answer.err
    assert "should not happen" not in answer.err
    assert answer.err.count("\n") == 1


def test_a_warning_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "warns.py"
    file.write_text(OWN + "import warnings\nwarnings.warn('take care')\n")
    answer = plywise(capsys, "search", str(file), "-d", "2")
    assert answer.code == 0
    assert answer.err == "plywise: warning: take care\n"


def test_a_reader_that_leaves_is_no_error() -> None:
    command = [sys.executable, "-m", "plywise", "tree", "tic-tac-toe", "--depth", "4"]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.readline()
    writer.stdout.close()
    assert b"Traceback" not in writer.stderr.read()
    writer.wait(60)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C")
def test_ctrl_c_at_a_question_is_code_130_without_a_word() -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "plywise", "play", "red-blue"]
    player = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert player.stdout is not None
    assert player.stderr is not None
    seen = b""
    while not seen.endswith(b"to move: "):
        seen += player.stdout.read(1)
    time.sleep(1)  # a signal that comes just before the process waits for input would be noticed only later
    player.send_signal(signal.SIGINT)
    assert player.wait(60) == 130
    assert player.stderr.read() == b""
