"""``benchmarks/dice.py``: its positions are as it says, and its match resumes."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the program as a module."""
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("dice")


def test_the_positions_follow_a_roll_without_doubles(dice: Any) -> None:
    for text in dice.POSITIONS:
        state = dice.GAME.parse(text)
        assert dice.GAME.format(state) == text
        assert 10 < state.dice < 66
        assert state.dice % 11


def test_all_searches_agree(dice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "TURNS", {2: 2, 3: 3})
    monkeypatch.setattr(dice, "POSITIONS", dice.POSITIONS[:2])
    rows = list(dice.searches())
    assert [row["position"] for row in rows] == [*dice.POSITIONS, "all"] * 2
    assert rows[2]["star2, nodes"] == rows[0]["star2, nodes"] + rows[1]["star2, nodes"]


def test_the_match_resumes(dice: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "TURNS", {1: 1, 2: 2})
    monkeypatch.setattr(dice, "GAMES", tmp_path)
    for count in (2, 4):
        monkeypatch.setattr(dice, "MATCH", count)
        (row,) = dice.match()
        assert (row["games"], row["won"] + row["lost"], row["faults"]) == (count, count, 0)
    (file,) = tmp_path.iterdir()
    assert len(file.read_text().splitlines()) == 5
