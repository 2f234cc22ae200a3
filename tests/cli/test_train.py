"""``plywise train``: what it prints, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywise.learning import train as training
from tests.cli.support import plywise

SECOND = 1 / 3600


def test_what_cannot_be_trained_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = plywise(capsys, "train", "pig", "--out", str(tmp_path / "pig.net"), "--data", "none.positions")
    assert "has dice" in dice.err
    assert "above 0" in plywise(capsys, "train", "nim", "--out", str(tmp_path / "nim.net"), "--hours", "0").err
    nothing = plywise(capsys, "train", "nim", "--out", str(tmp_path / "nim.net"), "--data", str(tmp_path / "none"))
    assert "cannot read positions" in nothing.err
    assert "cannot correct" in plywise(capsys, "train", "nim", "--out", str(tmp_path / "nim.net"), "--correct").err
    assert "no folder" in plywise(capsys, "train", "nim", "--out", str(tmp_path / "none" / "nim.net")).err
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_the_search_solves_is_not_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    monkeypatch.setattr(training, "SHORTEST_ROUND", 1.0)
    monkeypatch.setattr(training, "ROUNDS", 4000)  # or it takes as long as the hour allows
    answer = plywise(capsys, "train", "red-blue", "--out", str(tmp_path / "tiny.net"), "--threads", "1")
    assert answer.code == 1
    assert answer.err == "plywise: the game is so small that the search solves it: there is nothing to learn\n"
    assert not (tmp_path / "tiny.net").exists()


def test_the_command_prints_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    monkeypatch.setattr(training, "SHORTEST_ROUND", 3.0)
    monkeypatch.setattr(training, "LEAST_GAMES", 2)
    monkeypatch.setattr(training, "MOST_GAMES", 20)
    words = ("--hours", str(6 * SECOND), "--nodes", "50", "--opening", "4", "--hidden", "4", "--match-nodes", "50")
    answer = plywise(capsys, "train", "mnk:5,4,4", "--out", str(tmp_path / "five.net"), "--threads", "1", *words)
    assert answer.out.split("\n")[0].split() == ["round", "positions", "loss", "games", "score", "Elo"]
    assert "Network: " in answer.out
    assert answer.code == (0 if (tmp_path / "five.net").exists() else 1)
    if answer.code:
        assert "no network was better" in answer.err
