"""``plywise tune`` learns weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import plywise
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
