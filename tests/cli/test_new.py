"""``plywise new`` writes a working game, and never overwrites a file."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import plywise as pw
from plywise.cli.new import starter, write_starter
from plywise.layers import LAYERS, Layer
from plywise.study.check import check_game
from tests.cli.support import plywise


def test_new_writes_a_game_and_names_the_next_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = plywise(capsys, "new", "mygame")
    assert made.code == 0
    assert "plywise check mygame.py" in made.out
    assert "plywise serve --game mygame.py" in made.out
    assert "plywise serve --game mygame.py" in Path("mygame.py").read_text()
    assert plywise(capsys, "new", "another", "--layer", "view").code == 0
    assert "plywise serve --game another.py" in Path("another.py").read_text()
    again = plywise(capsys, "new", "mygame")
    assert again.code == 2
    assert again.err.count("\n") == 1


def written(folder: Path, name: str, change: str = "", layer: str | None = None) -> ModuleType:
    path = write_starter(name, folder, layer)
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
    module = written(tmp_path, "my-game")
    assert Path(str(module.__file__)) == tmp_path / "my_game.py"
    report = check_game(module.MyGame, games=10)
    assert not report.findings, str(report)
    assert report.comparisons > 0


def test_the_starting_file_lists_every_layer() -> None:
    listed = re.findall(r"^    #   pw\.(\w+) ", starter(None), re.MULTILINE)
    assert sorted(listed) == sorted(layer.__name__ for layer in LAYERS)


def test_the_optional_methods_of_the_starting_file_are_right_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    module = written(tmp_path, "full", change=r"^    # (?=def |    |$)")
    for hook in ("evaluate", "bounds", "key", "format", "parse", "format_move", "board"):
        assert hook in vars(module.Full), hook
    report = check_game(module.Full, games=10)
    assert not report.findings, str(report)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_every_layer_has_a_game_to_start_from(layer: type[Layer], tmp_path: Path) -> None:
    game = written(tmp_path, "my-game", layer=layer.__name__).MyGame
    assert issubclass(game, layer)
    assert set(vars(game)) & {name for name in vars(layer) if name[0].islower()}, (
        "the layer is inherited, but nothing of it used"
    )
    report = check_game(game, games=10)
    assert not report.findings, str(report)
    assert report.games == 10


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_the_docs_show_the_same_game_for_every_layer(layer: type[Layer]) -> None:
    page = Path(__file__).parents[2] / "docs" / "games.md"
    section = page.read_text(encoding="utf-8").partition(f"\n### {layer.__name__}\n")[2]
    assert section.partition("```python\n")[2].startswith(starter(layer.__name__))


def test_a_game_named_like_its_position_gets_another_name(tmp_path: Path) -> None:
    text = write_starter("pile", tmp_path, "Theory").read_text()
    assert "class Pile(NamedTuple)" in text
    assert "class PileRules(pw.Theory, pw.Game)" in text


def test_a_layer_is_chosen_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert plywise(capsys, "new", "quick", "--layer", "fastest-win").code == 0
    assert "class Quick(pw.FastestWin, pw.Game)" in Path("quick.py").read_text()
    assert plywise(capsys, "new", "quicker", "--layer", "fastest_win").code == 0
    for name in ("slowest-win", ""):
        wrong = plywise(capsys, "new", "slow", "--layer", name)
        assert wrong.code == 2
        assert "fastest-win" in wrong.err
    assert not Path("slow.py").exists()


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
