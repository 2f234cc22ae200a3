"""``plywise compare`` shows algorithms side by side, and plots their growth."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import pytest

from plywise.games import RedBlue
from plywise.study.compare import Comparison, Disagreement, compare
from tests.cli.support import plywise


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "compare", "red-blue", "--algorithms", "minimax,alphabeta,pvs")
    assert answer.code == 0
    rows = {line.split()[0]: line.split() for line in answer.out.splitlines() if line.strip()}
    assert rows["minimax"][1:5] == ["-3", "B", "15", "8"]
    assert rows["alphabeta"][1:5] == ["-3", "B", "12", "6"]
    assert "b = 2, d = 3" in answer.out
    report = json.loads(plywise(capsys, "compare", "red-blue", "-a", "all", "--json").out)
    assert report["agree"] is True
    assert report["theory"] == {"exact": True, "depth": 3, "branching": 2, "most_leaves": 8, "fewest_leaves": 5}
    assert len(report["algorithms"]) >= 16
    found = {entry["algorithm"]: entry for entry in report["algorithms"]}
    assert found["parallel_minimax"]["nodes"] == found["minimax"]["nodes"] == 15
    assert found["jamboree"]["leaves"] is None
    assert plywise(capsys, "compare", "red-blue", "-a", "minimax,jamboree").out.count("-3") == 2


def test_a_disagreement_is_loud(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    honest = compare(RedBlue(), algorithms=["minimax", "alphabeta"])
    wrong = dataclasses.replace(honest.results[1], value=7)

    def disagree(*_: object, **__: object) -> Comparison:
        raise Disagreement(dataclasses.replace(honest, results=(honest.results[0], wrong)))

    monkeypatch.setattr(sys.modules["plywise.study.compare"], "compare", disagree)
    answer = plywise(capsys, "compare", "red-blue")
    assert answer.code == 1
    assert "DISAGREE" in answer.err
    assert "minimax -3, alphabeta 7" in answer.err


def test_compare_draws_nodes_against_depth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    file = tmp_path / "chart.png"
    report = json.loads(plywise(capsys, "compare", "red-blue", "--plot", str(file), "--json").out)
    assert report["growth"]["nodes"]["alpha-beta, best order"] == {"1": 3, "2": 6, "3": 11}
    assert file.read_bytes().startswith(b"\x89PNG")
    assert plywise(capsys, "compare", "red-blue", "--plot", str(file)).out.endswith(f"Wrote {file}\n")
    assert (
        "growth is for two players whose scores sum to zero"
        in plywise(capsys, "compare", "dog-cat-mouse", "--plot", str(file)).err
    )
