"""``plywise perft`` counts sequences of moves."""

from __future__ import annotations

import json

import pytest

from tests.cli.support import plywise


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "perft", "connect-four", "--depth", "4")
    assert answer.code == 0
    assert [line.split()[1] for line in answer.out.splitlines()[2:]] == ["7", "49", "343", "2,401"]
    report = json.loads(plywise(capsys, "perft", "tic-tac-toe", "-d", "3", "--divide", "--json").out)
    assert [row["count"] for row in report["moves"]] == [56] * 9
