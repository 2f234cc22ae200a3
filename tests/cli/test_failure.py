"""Every error is one line on stderr and exit code 2; users never see a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.support import plywise
from tests.inputs.test_choose import OWN


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
        ("search red-blue -d 2 -o nonsense=true", "engine has no option nonsense="),
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
        ("compare dog-cat-mouse --algorithms minimax", "needs maxn"),
        ("perft red-blue", "Missing option"),
        ("perft red-blue --depth 0", "depth=0 must be"),
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
    assert f"{file}, line 12, in TakeAway.play: NameError: name 'mvoe' is not defined" in answer.err
    assert answer.err.count("\n") == 1


LONG = "x" * 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "red-blue", "--nodes", "99999999999999999999999"], "nodes=99999999999999999999999 must be"),
        (["search", "red-blue", "--seconds", "1e400"], "seconds=inf must be"),
        (["search", "red-blue", "--depth", "99999999999"], "depth=99999999999 must be"),
        (["search", "red-blue", "-a", "mcts", "-s", "1", "-o", "memory_mb=1e12"], "is more than this machine has"),
        (["search", "red-blue", "-d", "2", "--table-mb", "1e-9"], "table_mb=1e-09 must be"),
        (["search", "red-blue", "-d", "2", "--table-mb", "1e12"], "is more than this machine has"),
        (["search", "red-blue", "-d", "2", "--table-mb", "nan"], "'nan' is not a number"),
        (["search", "red-blue", "-a", "pvs", "-o", f"alpha={'9' * 400}"], "is neither a number"),
        (["search", "red-blue", "-d", "2", "-o", "game=1"], "game is not an option"),
        (["search", "red-blue", "-d", "2", "-o", "history=1"], "history is not an option"),
        (["solve", "red-blue", "-o", "self=1"], "self is not an option"),
        (["solve", "red-blue", "-o", "on_progress=1"], "on_progress is not an option"),
        (["solve", "red-blue", "--proof", "/dev/null"], "'/dev/null' cannot be written: it is a device"),
        (["solve", "red-blue", "--proof", "/proc/x.json"], "'/proc/x.json' cannot be written"),
        (["tune", "chess", "--search", "--out", "/proc/x.json"], "'/proc/x.json' cannot be written"),
        (["verify", "/dev/zero"], "/dev/zero is not a plywise proof"),
        (["verify", "nested"], "nested is not a plywise proof: line 1 is nested too deeply"),
        (["tree", "nested.json"], "nested.json"),
        (["tree", "binary.json"], "binary.json: 'binary.json' is not a text file"),
        (["analyse", "red-blue", "binary", "--out", "results"], "'binary' is not a text file"),
        (["analyse", "red-blue", "/dev/zero", "--out", "results"], "'/dev/zero' is not a text file"),
        (["analyse", "red-blue", "nested", "--out", "/dev/null"], "'/dev/null' cannot be written: it is a device"),
        (["analyse", "red-blue", "nested", "--out", "."], "'.' cannot be written: it is a folder"),
        (["analyse", "red-blue", "nested", "--out", "no/where"], "'no/where' cannot be written: there is no folder"),
        (["analyse", "red-blue", "nested", "--out", "results", "--threads", "999999"], "threads=999999 must be"),
        (["match", "red-blue", "-1", "random", "-2", "random", "--openings", "binary"], "'binary' is not a text file"),
        (["match", "red-blue", "-1", "random", "-2", "random", "--out", "/dev/null"], "'/dev/null' cannot be written"),
        (["match", "red-blue", "-1", "engine,nodes=5,game=x"], "cannot have game=: it is not an option"),
        (["match", "red-blue", "-1", f"engine,nodes={'9' * 30}"], "must be a whole number from 1 to 2^62"),
        (["match", "chess", "-1", "random", "-2", "random", "--pgn", "/dev/null"], "'/dev/null' cannot be written"),
        (["perft", "red-blue", "--depth", "99999999999"], "depth=99999999999 must be"),
        (["serve", "--host", ""], "--host is empty"),
        (["tune-jamboree", "dog-cat-mouse"], "two players whose scores sum to zero"),
        (["search", "chess:weights_file=/nonexistent", "-d", "1"], "cannot read weights from '/nonexistent'"),
        (["search", "chess:weights_file=1", "-d", "1"], "cannot read weights from '1'"),
        (["search", "chess:weights_file=/dev/zero", "-d", "1"], "'/dev/zero' is not a text file"),
        (["tune", "chess", "/dev/zero"], "'/dev/zero' is not a text file"),
        (["search", "nim:9999999999999999999999", "-d", "1"], "each a whole number from 0 to 10,000"),
        ([LONG], "No such command 'xxx"),
        (["search", LONG, "-d", "1"], "there is no game 'xxx"),
        (["search", f"{LONG}.py", "-d", "1"], "there is no file 'xxx"),
        (["search", f"red-blue:{LONG}", "-d", "1"], "is one parameter too many for RedBlue"),
        (["search", "red-blue", "-d", "1", "-p", LONG], "is not a position: it needs"),
        (["search", "red-blue", "-d", "1", "-a", LONG], "there is no algorithm 'xxx"),
        (["search", "red-blue", "-d", "1", "-o", f"{LONG}=1"], "has no option xxx"),
        (["search", "red-blue", "-d", LONG], "for '--depth'"),
        (["match", "red-blue", "-1", LONG], "there is no bot 'xxx"),
        (["verify", LONG], "File name too long"),
        (["search", "red-blue", "-d", "1", "-p", "\x1b[31m\udcff"], r"'\x1b[31m\udcff' is not a position"),
    ],
)  # fmt: skip
def test_what_was_given_never_fills_the_screen(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nested").write_text("[" * 100_000)
    (tmp_path / "nested.json").write_text("[" * 100_000)
    (tmp_path / "binary").write_bytes(b"\x7fELF\x02\x01\x01\x00\x00\xff\xfe\n" * 50)
    (tmp_path / "binary.json").write_bytes(b"[\x00\x01]")
    answer = plywise(capsys, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("plywise: ")
    assert answer.err.count("\n") == 1
    assert len(answer.err) <= 301
    assert answer.err[:-1].isprintable()
    assert message in answer.err


def test_a_file_that_rules_need_is_no_matter_of_compiling(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET")
    answer = plywise(capsys, "search", "chess:weights_file=/nonexistent", "-d", "1")
    message = "plywise: cannot read weights from '/nonexistent': No such file or directory\n"
    assert (answer.code, answer.err) == (2, message)


def test_a_bot_may_have_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(
        capsys, "match", "red-blue", "-1", f"random,name=\x1b[31m{'red' * 1000}", "-2", "random", "-n", "2"
    )
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert r"\x1b[31mredred" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 300


RAISING = OWN.replace(
    "def play(self, state, move): ",
    """def play(self, state, move):
        if state.left < 4: raise {}
        """,
)


@pytest.mark.parametrize("raised", ["EOFError('no')", "SystemExit('no')", "BrokenPipeError('no')", "KeyError('no')"])
@pytest.mark.parametrize("command", ["solve", "search -s 1", "search -s 1 -a mcts", "solve -a minimax", "perft -d 9"])
def test_rules_that_raise_are_no_interruption(
    raised: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.py"
    file.write_text(RAISING.format(raised))
    name, *options = command.split()
    answer = plywise(capsys, name, f"{file}:TakeAway:7", *options)
    assert answer.code == 2
    assert f"{file}, line 13, in TakeAway.play: {raised.partition('(')[0]}: " in answer.err
    assert "no" in answer.err
    assert answer.err.count("\n") == 1


def test_compiled_rules_that_raise_are_no_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET")
    file = tmp_path / "own.py"
    file.write_text(RAISING.format("EOFError('no')"))
    moved = tmp_path / "moved.py"  # shares the machine code, in which file and line are those of the first
    moved.write_text("\n" * 20 + file.read_text())
    for path, begins in ((file, 12), (moved, 32)):
        answer = plywise(capsys, "perft", f"{path}:TakeAway:7", "-d", "9")
        assert answer.code == 2
        lines = (begins, begins + 1)  # of the method, if what is known may not be its own; of the statement
        assert answer.err in [f"plywise: {path}, line {line}, in TakeAway.play: EOFError: no\n" for line in lines]


def test_compiled_rules_that_fail_are_no_mistake_of_plywise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PLYWISE_INTERPRET")
    file = tmp_path / "own.py"
    file.write_text(OWN.replace("return 1 if state.turn", "return 1 // (state.turn - 1) if state.turn"))
    answer = plywise(capsys, "search", str(file), "-a", "minimax")
    assert answer.code == 2
    assert answer.err == (
        "plywise: the compiled rules of TakeAway raised ZeroDivisionError: integer division by zero; "
        "run the same command with PLYWISE_INTERPRET=1 to see where\n"
    )


def test_a_mistake_of_plywise_asks_to_be_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("oh")

    monkeypatch.setattr("plywise.cli.games._classes", fail)
    monkeypatch.setattr("plywise.inputs.own_code.is_own", lambda file: False)
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
