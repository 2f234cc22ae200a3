"""``plywise algorithms`` lists all algorithms, and each of them works."""

from __future__ import annotations

import json

import pytest

from plywise.algorithms import algorithm_named
from tests.cli.support import plywise


def test_algorithms(capsys: pytest.CaptureFixture[str]) -> None:
    assert "alphabeta_hard" in plywise(capsys, "algorithms").out
    entries = {entry["name"]: entry for entry in json.loads(plywise(capsys, "algorithms", "--json").out)}
    assert entries["aspiration"]["options"]["margin"] == 1.0
    assert entries["boolean"]["options"]["goal"] is None
    assert entries["engine"]["options"]["reductions"] is True
    assert entries["mcts"]["options"]["seed"] == 0
    assert entries["jamboree"]["options"] == {
        "threads": 2, "percentage_sequential": 50, "cutoff": 8, "table_mb": 64.0,
    }  # fmt: skip
    assert entries["parallel_minimax"]["options"] == {"threads": 2, "cutoff": 4}
    assert all(entry["summary"] for entry in entries.values())


def test_every_algorithm_of_the_list_solves_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    for entry in json.loads(plywise(capsys, "algorithms", "--json").out):
        options = ["-o", "goal=-3"] if entry["name"] == "boolean" else []
        answer = plywise(capsys, "solve", "red-blue", "--algorithm", entry["name"], *options, "--json")
        assert answer.code == 0, answer.err
        report = json.loads(answer.out)
        assert report["algorithm"] == entry["name"]
        assert report["value"] == ([-3, 3] if algorithm_named(entry["name"]).many_players else -3)
        assert not report["interrupted"]
