"""How to name a game on the command line, and the errors for wrong names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from plywise.errors import GameError
from plywise.games import MNK, ConnectFour, Go, Nim, RedBlue, TicTacToe, Tree
from plywise.inputs.choose import choose_game

OWN = """\
from typing import NamedTuple
import plywise as pw
class Pile(NamedTuple):
    left: int
    turn: int
class TakeAway(pw.Game):
    size: int = 21
    most: int = 3
    def initial(self): return Pile(self.size, pw.MAX)
    def to_move(self, state): return state.turn
    def moves(self, state): return range(1, min(self.most, state.left) + 1)
    def play(self, state, move): return Pile(state.left - move, 1 - state.turn)
    def is_terminal(self, state): return state.left == 0
    def score(self, state): return 1 if state.turn == pw.MIN else -1
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "own.py"
    file.write_text(OWN)
    return file


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("connect-four", ConnectFour()),
        ("connect-four:6", ConnectFour(6)),
        ("connect-four:width=6,height=5", ConnectFour(6, 5)),
        ("connect-four:6,height=5", ConnectFour(6, 5)),
        ("go:9,height=None,komi=6", Go(9, None, 6)),
        ("mnk:4,4,3", MNK(4, 4, 3)),
        ("tic-tac-toe", TicTacToe()),
        ("red-blue", RedBlue()),
        ("nim:1,2", Nim((1, 2))),
        ("nim:heaps=1,2,misere=true", Nim((1, 2), misere=True)),
        ("plywise.games.nim:Nim:2,2", Nim((2, 2))),
    ],
)
def test_games_by_name(text: str, game: object) -> None:
    assert choose_game(text) == game


@pytest.mark.parametrize(
    ("text", "size"),
    [("own.py", 21), ("own.py:TakeAway", 21), ("own.py:TakeAway:5", 5), ("own.py:size=7", 7), ("own.py:9,2", 9)],
)
def test_games_of_ones_own(own: Path, text: str, size: int) -> None:
    game = choose_game(text)
    assert type(game).__name__ == "TakeAway"
    assert game.initial().left == size


def test_a_file_somewhere_else_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_own.py").write_text("MOST = 2\n")
    (tmp_path / "far.py").write_text(
        "from neighbour_of_own import MOST\n" + OWN.replace("most: int = 3", "most: int = MOST")
    )
    game: Any = choose_game(str(tmp_path / "far.py"))
    assert game.most == 2


def test_a_file_named_like_a_module_does_not_replace_it(tmp_path: Path) -> None:
    import random

    (tmp_path / "random.py").write_text(OWN)
    choose_game(str(tmp_path / "random.py"))
    import random as again

    assert again is random
    assert str(tmp_path) not in sys.path[:1]  # which processes started from here inherit


def test_a_game_that_is_made_in_the_file(own: Path) -> None:
    Path("made.py").write_text("import plywise as pw\ngame = pw.games.Nim((1, 2))\n")
    assert choose_game("made.py") == Nim((1, 2))
    assert choose_game("made.py:game") == Nim((1, 2))
    with pytest.raises(GameError, match="takes no parameters"):
        choose_game("made.py:game:3")


@pytest.mark.parametrize(
    ("name", "content"), [("t.json", '{"player": "min", "children": [3, 5]}'), ("t.json", "[3, 5]")]
)
def test_trees_from_files(own: Path, name: str, content: str) -> None:
    Path(name).write_text(content)
    assert isinstance(choose_game(name), Tree)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("conect-four", "did you mean connect-four"),
        ("chequers", "there are: .*red-blue"),
        ("connect-four:wide=3", r"no parameter 'wide' \(it has: width=7, height=6\)"),
        ("connect-four:1,2,3", "'3' is one parameter too many"),
        ("connect-four:width=3,width=4", "given twice"),
        ("connect-four:width=x", "width='x' is not a whole number"),
        ("nim:1,misere=2", "misere=2 is not true or false"),
        ("connect-four:9,9", "not possible"),
        ("nowhere.py", "there is no file 'nowhere.py'"),
        ("nowhere.json", "nowhere.json"),
        ("no.such.module:Game", "there is no game 'no.such.module:Game'"),
        ("plywise.games:Missing", "plywise.games has no 'Missing'"),
        ("plywise.errors:PlywiseError", "is not a plywise.Game"),
        ("own.py:Pile", "has a 'Pile', but it is not a plywise.Game; games there: TakeAway"),
        ("own.py:Nothing", "has no 'Nothing'; games there: TakeAway"),
        ("syntax.py", r"syntax.py, line 2: SyntaxError: .*def broken\("),
        ("fails.py", "fails.py, line 3: ZeroDivisionError"),
        ("exits.py", "exits.py, line 1: SystemExit"),
        ("empty.py", "has no game"),
        ("several.py", "several games; choose one: several.py:One, several.py:Two"),
        ("required.py", "needs a parameter 'size'"),
        ("bad.json", "bad.json"),
    ],
)
def test_wrong_names_say_what_is_wrong(own: Path, text: str, message: str) -> None:
    Path("syntax.py").write_text("x = 1\ndef broken(:\n")
    Path("fails.py").write_text("def f():\n    return 1\ny = f() / 0\n")
    Path("exits.py").write_text("raise SystemExit(3)\n")
    Path("empty.py").write_text("x = 1\n")
    Path("several.py").write_text("import plywise as pw\nclass One(pw.Game): pass\nclass Two(pw.Game): pass\n")
    Path("required.py").write_text(OWN.replace("size: int = 21", "size: int").replace("most: int = 3", "most: int = 3"))
    Path("bad.json").write_text("{")
    with pytest.raises(GameError, match=message):
        choose_game(text)
