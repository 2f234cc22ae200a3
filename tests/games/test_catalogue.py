"""The ready-made games by name; listing the names is cheap."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import plywise as pw
from plywise.games import catalogue, name_of


def test_every_name_is_that_of_its_game() -> None:
    names = [
        "backgammon", "checkers", "chess", "connect-four", "dog-cat-mouse", "go", "kalah", "mnk", "nim", "othello",
        "pig", "red-blue", "tic-tac-toe", "yahtzee",
    ]  # fmt: skip
    assert list(catalogue()) == names
    assert len(catalogue()) == len(names)
    for name in names:
        game = catalogue()[name]()
        assert name_of(game) == name
        assert not game.is_terminal(game.initial())
        assert game.format(game.initial()) is not None


def test_all_exported_names_exist() -> None:
    for name in pw.games.__all__:
        assert getattr(pw.games, name)
    with pytest.raises(AttributeError, match="no attribute 'Chequers'"):
        _ = pw.games.Chequers
    with pytest.raises(KeyError):
        catalogue()["chequers"]


def test_listing_the_games_does_not_import_numba() -> None:
    code = "import sys, plywise.games; list(plywise.games.catalogue()); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["connect-four", "go", "kalah", "mnk", "othello", "pig", "yahtzee"])
@pytest.mark.parametrize("wrong", [4.0, 2.5, "4", True])
def test_sizes_that_are_not_whole_numbers_are_refused(name: str, wrong: Any) -> None:
    with pytest.raises(pw.GameError, match=r"\(.*\) is not possible: "):
        catalogue()[name](wrong)


@pytest.mark.parametrize(
    ("name", "flag"),
    [("checkers", "share"), ("chess", "squares"), ("go", "superko"), ("kalah", "sweep"), ("nim", "misere"),
     ("othello", "discs_only"), ("yahtzee", "bonus")],
)  # fmt: skip
def test_flags_are_true_or_false(name: str, flag: str) -> None:
    for wrong in ("no", 1, None):
        with pytest.raises(pw.GameError, match=rf"\(.*{flag}=.*\) is not possible: {flag} must be True or False"):
            catalogue()[name](**{flag: wrong})
