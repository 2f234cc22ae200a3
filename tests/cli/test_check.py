"""``plywise check`` reports mistakes in a game's rules in its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywise.cli.new import write_starter
from tests.cli.support import plywise


def test_the_exit_code_says_whether_the_rules_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_starter("mygame", Path())
    checked = plywise(capsys, "check", "mygame.py", "--games", "5")
    assert checked.code == 0, checked.out
    file.write_text(file.read_text().replace("def is_terminal", "def is_over"))
    assert plywise(capsys, "check", "mygame.py", "--games", "5").code == 1
