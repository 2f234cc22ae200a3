"""``plywise uci`` speaks UCI."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import process


@pytest.mark.parametrize("log", [[], ["--log", "transcript.txt"]])
def test_uci_introduces_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    answer = process("uci", *log, "uci")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("id name plywise")
    assert answer.out.endswith("uciok\n")
    assert ("transcript.txt" in [file.name for file in tmp_path.iterdir()]) == bool(log)
    assert process("uci", "--nonsense").code == 2
