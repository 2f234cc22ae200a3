"""``plywise warm`` compiles in advance."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import process


def test_warm_makes_machine_code_and_clear_deletes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    answer = process("warm", "red-blue", "--algorithms", "alphabeta")
    assert answer.code == 0, answer.err
    assert "Ready: 2 functions for 1 game" in answer.out
    assert len(list(tmp_path.glob("*.machinecode"))) == 2
    assert "Deleted 2 files" in process("warm", "--clear").out
    assert not list(tmp_path.glob("*.machinecode"))
