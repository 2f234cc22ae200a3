"""``plywise analyse``: solves a file of positions, in one run or several."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.support import plywise

POSITIONS = "# three positions\nXX./OO./...\n\nX../.O./...\nXXX/OO./...\n"


@pytest.fixture
def positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("positions.txt").write_text(POSITIONS)
    return tmp_path / "positions.txt"


def analyse(capsys: pytest.CaptureFixture[str], *arguments: str):
    return plywise(capsys, "analyse", "tic-tac-toe", "positions.txt", "--out", "results.jsonl", *arguments)


def test_results_are_lines_of_json(positions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = analyse(capsys, "--all-moves")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("3 positions; ")
    assert answer.out.endswith("Results are in results.jsonl.\n")
    header, *results = map(json.loads, Path("results.jsonl").read_text().splitlines())
    assert (header["plywise"], header["game"], header["positions"]) == ("analysis", "TicTacToe()", 3)
    assert [(r["line"], r["value"], r["move"]) for r in results] == [
        (2, 1, "c3"),
        (4, 0, results[1]["move"]),
        (5, 1, None),
    ]
    assert results[0]["moves"]["c3"] == 1


def test_the_same_command_goes_on_and_says_so(positions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    analyse(capsys)
    whole = Path("results.jsonl").read_bytes()
    Path("results.jsonl").write_bytes(whole[:-10])
    answer = analyse(capsys, "--threads", "1", "--table-mb", "1")
    assert "3 positions, 2 of them solved before; " in answer.out
    assert Path("results.jsonl").read_bytes() == whole
    report = json.loads(analyse(capsys, "--json").out)
    assert report.pop("seconds") > 0
    assert report == {"results": "results.jsonl", "positions": 3, "known": 3, "bad": {}, "damaged": 0}


def test_results_that_were_changed_are_computed_again_and_counted(
    positions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    analyse(capsys)
    file = Path("results.jsonl")
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b'"value": 1', b'"value": 0'))
    answer = analyse(capsys)
    assert (answer.code, answer.err) == (0, "plywise: results.jsonl: damaged results, solved again: 2\n")
    assert file.read_bytes() == whole


def test_bad_lines_are_named_and_the_exit_code_is_one(positions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    positions.write_text(POSITIONS + "XXXX\n" + "nonsense\n" * 30)
    for _ in range(2):  # an earlier run's count as well
        answer = analyse(capsys)
        assert answer.code == 1
        first, *_, last = answer.err.splitlines()
        assert first.startswith("plywise: positions.txt, line 6: 'XXXX' is not a position")
        assert last == "plywise: and 11 more lines like these"
        assert answer.out.startswith("34 positions, ")
        assert ", 31 of them errors; " in answer.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--all-moves"], "all_moves is False there and True here"),
        (["--column", "1"], "column is None there and 1 here"),
        (["--threads", "0"], "threads=0 must be"),
        (["--table-mb", "-1"], "table_mb=-1.0 must be"),
    ],
)
def test_refusals_are_one_line(
    positions: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    analyse(capsys)
    answer = analyse(capsys, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_fresh_starts_over(positions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    analyse(capsys)
    answer = analyse(capsys, "--all-moves", "--fresh")
    assert answer.code == 0
    assert "before" not in answer.out


def test_games_of_more_players_are_refused(positions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "analyse", "dog-cat-mouse", "positions.txt", "--out", "results.jsonl")
    assert answer.code == 2
    assert "two players whose scores sum to zero" in answer.err
    assert not Path("results.jsonl").exists()


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "analyse", "tic-tac-toe", str(tmp_path / "nothing"), "--out", str(tmp_path / "results"))
    assert answer.code == 2
    assert "No such file" in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_in_the_middle_it_goes_on_to_the_same_file(
    how: signal.Signals, positions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    positions.write_text("X../.../...\n.../.O./X..\n" * 300)
    analyse(capsys)
    whole = Path("results.jsonl").read_bytes()
    command = [sys.executable, "-m", "plywise", "analyse", "tic-tac-toe", "positions.txt", "--out", "again.jsonl"]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    again = Path("again.jsonl")
    while not again.exists() or again.read_bytes().count(b"\n") < 3:
        time.sleep(0.001)
    os.kill(worker.pid, how)
    out, err = worker.communicate(timeout=60)
    assert again.read_bytes() != whole
    assert out == ""
    if how == signal.SIGINT:
        assert worker.returncode == 130
        assert err.startswith("plywise: stopped with ")
        assert "of 600 results in again.jsonl; to resume, run the same command" in err
    assert plywise(capsys, *command[3:]).code == 0
    assert again.read_bytes() == whole
