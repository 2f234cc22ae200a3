"""``plywise match``: a table, JSON, and a match that can be interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.support import plywise
from tests.inputs.test_choose import OWN


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_table_shows_results_and_elo(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "match", "tic-tac-toe", "-1", "alphabeta,depth=3,name=deep", "-2", "random", "-n", "4",
                     "--random-plies", "1", "--sprt", "0,400")  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    header, _, first, second, *_ = answer.out.splitlines()
    assert header.split() == ["games", "won", "drawn", "lost", "score", "Elo"]
    assert first.split()[:2] == ["deep", "4"]
    assert second.split()[:2] == ["random", "4"]
    assert " to " in first
    assert "Pairs with 0, ½, 1, 1½, 2 points: " in answer.out
    assert "SPRT 0 or 400 Elo: " in answer.out


def test_one_game_says_nothing_about_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "match", "nim", "-1", "random", "-2", "random", "-n", "1")
    assert (answer.code, answer.err) == (0, "")
    assert "random       1     " in answer.out
    assert "Pairs" not in answer.out
    assert re.fullmatch(r"[\d.]+ m?s\.", answer.out.splitlines()[-1])


def test_a_game_of_ones_own_in_a_file_reaches_the_workers(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.py").write_text(OWN)
    Path("random.py").write_text("raise RuntimeError('this is not the random that is meant')")
    report = json.loads(plywise(capsys, "match", "own.py", "--nodes", "100", "-2", "random", "-n", "4", "--json").out)
    assert (report["games"], report["wins"] + report["draws"] + report["losses"]) == (4, 4)
    assert (report["first"], report["second"], report["faults"]) == ("engine,nodes=100", "random", [])
    assert sum(report["pairs"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nim", "the bot 'engine' needs a limit"),
        ("nim --nodes 10 -n 0", "games=0 must be a whole number from 1 up"),
        ("nim -1 nobody -2 random", "there is no bot 'nobody'"),
        ("nim --clock soon", "'soon' is not a time control"),
        ("nim --clock 10 --seconds 1", "not both"),
        ("nim --nodes 10 --sprt 10,0", "is not a test"),
        ("nim --nodes 10 --resign much", "is not VALUE,MOVES"),
        ("nim --nodes 10 --openings missing", "missing: No such file"),
        ("nim --nodes 10 --pgn games.pgn", "Nim has no record format of its own"),
        ("dog-cat-mouse --nodes 10", "two players"),
        ("nim -1 uci:missing,nodes=1 -2 random", "play chess"),
    ],
)
def test_refusals_are_one_line(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "match", *arguments.split())
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_leaves_a_whole_file_and_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "plywise", "match", "nim", "-1", "random", "-2", "random", "-n", "100000",
               "--concurrency", "2", "--out", "games.jsonl"]  # fmt: skip
    playing = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    games = Path("games.jsonl")
    while not games.exists() or games.read_bytes().count(b"\n") < 5:
        time.sleep(0.01)
    os.killpg(playing.pid, signal.SIGINT)  # as a terminal does: the workers hear it too
    out, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert err.startswith("plywise: stopped with ")
    assert err.endswith("of 100,000 games in games.jsonl; to resume, run the same command\n")
    assert err.count("\n") == 1
    assert "won" in out
    content = games.read_bytes()
    assert content.endswith(b"\n")
    known = content.count(b"\n") - 1
    numbers = [json.loads(line)["line"] for line in content.splitlines()[1:]]
    assert len(set(numbers)) == known
    more = str(2 * (max(numbers) // 2 + 2))
    report = json.loads(plywise(capsys, *command[3:10], more, *command[11:], "--json").out)
    assert report["games"] == int(more)
    assert games.read_bytes().count(b"\n") == int(more) + 1


def test_with_dice_the_mean_score_and_the_seed_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    command = ["match", "pig:12", "-1", "star2,depth=2", "-2", "random", "-n", "2", "--seed", "5"]
    answer = plywise(capsys, *command)
    assert (answer.code, answer.err) == (0, "")
    assert "Mean score: " in answer.out
    assert "Dice from seed 5." in answer.out
    assert json.loads(plywise(capsys, *command, "--json").out)["mean"] in (-1, 0, 1)
    refused = plywise(capsys, "match", "pig", "-1", "uci:stockfish,depth=1", "-2", "random")
    assert refused.code != 0
    assert refused.err == "plywise: uci:stockfish cannot play Pig(goal=100): uci has no dice\n"
