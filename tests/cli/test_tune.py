"""``plywise tune`` learns weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plywise.learning import search_tuning, spsa
from tests.cli.support import plywise
from tests.learning.test_search_tuning import drift
from tests.learning.test_tuning import epd


def test_tune_learns_weights_that_chess_can_play_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, weights = tmp_path / "positions.epd", tmp_path / "weights.txt"
    data.write_text(epd(seed=8, games=40))
    answer = plywise(capsys, "tune", "chess", str(data), "--iterations", "5", "--out", str(weights), "--json")
    assert answer.code == 0, answer.err
    report = json.loads(answer.out)
    assert report["after"] < report["before"]
    assert "plywise tune chess positions.epd --iterations 5 --out weights.txt" in weights.read_text()


def test_tune_without_a_file_says_that_nothing_is_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "positions.epd"
    data.write_text(epd(seed=8, games=5))
    answer = plywise(capsys, "tune", "chess", str(data), "--iterations", "1")
    assert "loss " in answer.out
    assert "not saved; use --out FILE" in answer.out


def test_tune_refuses_games_without_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "positions.epd"
    data.touch()
    answer = plywise(capsys, "tune", "tic-tac-toe", str(data))
    assert (answer.code, answer.err) == (2, "plywise: tic-tac-toe has no weights to tune; only chess has\n")


def test_tune_search_says_if_nothing_was_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    words = ("connect-four", "--search", "--games", "5", "--nodes", "50", "--threads", "1", "--network", "none")
    answer = plywise(capsys, "tune", *words, "--out", str(tmp_path / "margins.json"))
    assert answer.err == "plywise: games are played in pairs, so 4 instead of 5\n"
    assert "Nothing was learned: both engines scored alike in every pair of games. Try more --nodes." in answer.out


def test_tune_search_prints_margins_and_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    monkeypatch.setattr(search_tuning, "LEAST_GAMES", 2)
    monkeypatch.setattr(spsa.Climb, "learn", drift)
    out = tmp_path / "margins.json"
    words = ("connect-four", "--search", "--games", "8", "--nodes", "50", "--threads", "1", "--out", str(out))
    answer = plywise(capsys, "tune", *words)
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0].split() == ["margin", "before", "after", "meaning"]
    assert lines[2].split()[:2] == ["reduction", "0.8"]
    assert f"Margins in {out}. 8 games, " in answer.out
    assert "games against the margins before, Elo " in answer.out
    assert "states no swing (Tactics.swing)" in answer.out
    report = json.loads(plywise(capsys, "tune", *words, "--json").out)
    assert (report["games"], report["margins"]) == (8, json.loads(out.read_text())["margins"])
    bots = ("-1", f"engine,margins={out}", "-2", "engine", "--nodes", "50", "--games", "2")
    assert plywise(capsys, "match", "connect-four", *bots).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess"], "tune needs DATA, positions with results, or --search, to tune the search by playing"),
        (["chess", "--search"], "--search needs --out FILE, where the margins go"),
        (["chess", "some.epd", "--search", "--blend", "0.5"], "with --search, leave out DATA, --blend"),
        (["chess", "some.epd", "--hours", "1", "--random-plies", "2"], "without --search, leave out --hours, --random"),
        (["chess", "--search", "--out", "m.json", "--only", "lat,late"], "there is no margin 'lat'; there are: futil"),
        (["pig", "--search", "--out", "m.json"], "Pig(goal=100) has dice"),
        (["chess", "--search", "--out", "m.json", "--start", "none"], "cannot read margins from 'none'"),
        (["chess", "some.epd", "--network", "chess.net"], "without --search, leave out --network"),
        (["chess", "--search", "--out", "m.json", "--network", "my.net"], "cannot read a network from 'my.net'"),
        (["chess", "--search", "--out", "m.json", "--openings", "none"], "none: No such file or directory"),
    ],
)
def test_tune_search_refuses_what_it_cannot_do(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = plywise(capsys, "tune", *words)
    assert answer.code == 2
    assert answer.err.startswith(f"plywise: {message}")
    assert list(tmp_path.iterdir()) == []
