"""Games that travel: what arrives is one folder and one game, however often it comes."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import Any

from plywise.cluster.parcel import Parcel
from plywise.inputs.choose import choose_game
from plywise.io.own_folder import own_folder

GAME = """
from beside import SIZE

import plywise as pw


class Small(pw.games.Nim):
    size: int = SIZE
"""


def test_a_parcel_that_comes_again_takes_no_more_room(tmp_path: Path) -> None:
    (tmp_path / "small.py").write_text(GAME)
    (tmp_path / "beside.py").write_text("SIZE = 3\n")
    parcel = Parcel.of(choose_game(str(tmp_path / "small.py")))
    games: list[Any] = []
    for _ in range(3):
        games.append(parcel.opened())
        here = [path for path in sys.path if own_folder() in Path(path).parents]
        assert len(here) == len(set(here))
    assert [game.size for game in games] == [3, 3, 3]
    assert len({sys.modules[type(game).__module__].__file__ for game in games}) == 1
    sys.path.remove(str(tmp_path))


def test_packages_travel_and_nothing_that_is_not_imported(tmp_path: Path) -> None:
    for name in ("named", "unnamed", "named/inner"):
        (tmp_path / name).mkdir()
    (tmp_path / "named" / "__init__.py").write_text("from .first import SIZE\n")
    (tmp_path / "named" / "first.py").write_text("from . import inner\nSIZE = inner.SIZE\n")
    (tmp_path / "named" / "inner" / "__init__.py").write_text("from ..second import SIZE\n")
    (tmp_path / "named" / "second.py").write_text("SIZE = 4\n")
    (tmp_path / "named" / "third.py").write_text("SIZE = 6\n")
    (tmp_path / "unnamed" / "later.py").write_text("MORE = 1\n")
    (tmp_path / "secret.py").write_text("KEY = 'do not send'\n")
    (tmp_path / "random.py").write_text("raise SystemExit\n")
    (tmp_path / "small.py").write_text(
        GAME.replace("from beside", "import random\nfrom named") + "\n    def more(self):\n        "
        "from unnamed.later import MORE\n        return MORE\n"
    )
    sys.path.append(str(tmp_path))
    importlib.import_module("secret")
    parcel = Parcel.of(choose_game(str(tmp_path / "small.py")))
    assert sorted(file.name for file in parcel.files) == [
        "named/__init__.py", "named/first.py", "named/inner/__init__.py", "named/second.py", "small.py",
        "unnamed/later.py",
    ]  # fmt: skip
    while str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))
    shutil.rmtree(tmp_path)
    game: Any = parcel.opened()
    assert (game.size, game.more()) == (4, 1)


def test_a_changed_neighbour_is_another_parcel(tmp_path: Path) -> None:
    sizes = []
    for size in (3, 5):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "small.py").write_text(GAME)
        (folder / "beside.py").write_text(f"SIZE = {size}\n")
        sys.modules.pop("beside", None)
        parcel = Parcel.of(choose_game(str(folder / "small.py")))
        game: Any = parcel.opened()
        sizes.append(game.size)
        sys.path.remove(str(folder))
    assert sizes == [3, 5]
