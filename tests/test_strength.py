"""The page on chess strength is written from all stored results, old and new."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from plywise.games import Chess
from plywise.inputs.positions import lines_with_positions

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
FIGURES = {
    "wins": 40, "draws": 20, "losses": 40, "games": 100, "pairs": [8, 10, 14, 10, 8], "our faults": 0,
    "their faults": 1, "date": "2026-01-31", "machine": "a machine", "search": 4711,
}  # fmt: skip


@pytest.fixture
def strength(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the program as a module."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("strength")


@pytest.fixture
def lab(strength: Any, tmp_path: Path) -> Any:
    return strength.Lab(tmp_path / "results", tmp_path / "strength.md", 4711)


def test_an_even_score_against_every_rung_gives_the_rating_between_them(lab: Any) -> None:
    for rating in (2500, 2600):
        lab.keep("ladder", {"rung": f"rated {rating}", "rating": rating, "limit": "10+0.1", **FIGURES})
    lab.keep("ladder", {"rung": "of no rating", "rating": None, "limit": "10+0.1", **FIGURES})
    text = lab.document.read_text()
    assert "**Rating 2550** (25" in text
    assert "| rated 2600 | 2600 | 100 | 40 | 20 | 40 | 50.0% |" in text
    assert "300 games, one thread each." in text
    assert text.count("| 0, 1 |") == 3


def test_a_rating_is_of_one_search(lab: Any) -> None:
    lab.keep("ladder", {"rung": "earlier rung", "rating": 2500, "limit": "10+0.1", **FIGURES})
    lab.keep("ladder", {"rung": "later rung", "rating": 2600, "limit": "10+0.1", **FIGURES, "search": 4712})
    text = lab.document.read_text()
    assert "**Rating 2600**" in text
    assert "| later rung |" in text
    assert "earlier rung" not in text


def test_matches_that_are_not_played_again_stay(lab: Any) -> None:
    losing, winning = {"losses": 80, "wins": 0, "pairs": [40, 0, 10, 0, 0]}, {"pairs": [0, 0, 10, 0, 40]}
    lab.keep("features", {"option": "futility", "limit": "8000 nodes", **FIGURES})
    lab.keep("features", {"option": "killers", "limit": "8000 nodes", **FIGURES, **winning})
    lab.keep("features", {"option": "futility", "limit": "8000 nodes", **FIGURES, **losing})
    kept = json.loads((lab.folder / "strength.json").read_text())["features"]
    assert [(row["option"], row["losses"]) for row in kept] == [("futility", 80), ("killers", 40)]
    helping, hurting = [line for line in lab.document.read_text().splitlines() if line.startswith("| `")]
    assert "`killers`" in helping
    assert "| helps |" in helping
    assert "`futility`" in hurting
    assert "| hurts |" in hurting


def test_who_is_not_installed_is_named_with_how_to_install_it(
    strength: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength.shutil, "which", lambda command, path: None)
    assert list(strength.rungs([8])) == []
    assert "stockfish is not installed: sudo apt install stockfish" in capsys.readouterr().out


def test_the_openings_are_different_positions() -> None:
    game = Chess()
    texts = [line.text for line in lines_with_positions((BENCHMARKS / "openings.txt").read_bytes())]
    states = [game.parse(text) for text in texts]
    assert len(texts) >= 60
    assert len(set(states)) == len(states)
    assert not any(game.is_terminal(state) for state in states)
