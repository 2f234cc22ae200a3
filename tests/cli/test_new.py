"""``plywise new`` writes a working game, and never overwrites a file."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import plywise as pw
from plywise.cli.new import write_starter
from plywise.study.check import check_game
from tests.cli.support import plywise


def test_new_writes_a_game_and_names_the_next_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = plywise(capsys, "new", "mygame")
    assert made.code == 0
    assert "plywise check mygame.py" in made.out
    again = plywise(capsys, "new", "mygame")
    assert again.code == 2
    assert again.err.count("\n") == 1


def starter(folder: Path, name: str, change: str = "") -> ModuleType:
    path = write_starter(name, folder)
    if change:
        path.write_text(re.sub(change, "    ", path.read_text(), flags=re.MULTILINE))
    spec = importlib.util.spec_from_file_location(f"{path.stem}_of_{folder.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_starting_file_is_a_right_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    module = starter(tmp_path, "my-game")
    assert Path(str(module.__file__)) == tmp_path / "my_game.py"
    report = check_game(module.MyGame, games=10)
    assert not report.findings, str(report)
    assert report.comparisons > 0


def test_the_optional_methods_of_the_starting_file_are_right_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    module = starter(tmp_path, "full", change=r"^    # (?=def |    |$)")
    for hook in ("evaluate", "bounds", "key", "format", "parse", "format_move", "board"):
        assert hook in vars(module.Full), hook
    report = check_game(module.Full, games=10)
    assert not report.findings, str(report)


def test_a_starting_file_never_overwrites(tmp_path: Path) -> None:
    path = write_starter("mine", tmp_path)
    path.write_text("precious")
    with pytest.raises(pw.PlywiseError, match="already exists"):
        write_starter("mine", tmp_path)
    assert path.read_text() == "precious"


@pytest.mark.parametrize("name", ["two words", "1st", "", "a/b", "class", "typing", "plywise"])
def test_names_that_are_none_are_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(pw.PlywiseError, match="cannot name a game"):
        write_starter(name, tmp_path)
    assert not list(tmp_path.iterdir())
