"""Ready-made games.  Each is imported on first use, so listing them costs nothing."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from plywise.game import Game

if TYPE_CHECKING:
    from plywise.games.backgammon import Backgammon
    from plywise.games.checkers import Checkers
    from plywise.games.chess import Chess
    from plywise.games.connect_four import ConnectFour
    from plywise.games.dog_cat_mouse import DogCatMouse
    from plywise.games.go import Go
    from plywise.games.kalah import Kalah
    from plywise.games.mnk import MNK, TicTacToe
    from plywise.games.nim import Nim
    from plywise.games.othello import Othello
    from plywise.games.pig import Pig
    from plywise.games.red_blue import RedBlue
    from plywise.games.tree import Tree
    from plywise.games.yahtzee import Yahtzee

_HOMES = {
    "Backgammon": "backgammon",
    "Checkers": "checkers",
    "Chess": "chess",
    "ConnectFour": "connect_four",
    "DogCatMouse": "dog_cat_mouse",
    "Go": "go",
    "Kalah": "kalah",
    "MNK": "mnk",
    "Nim": "nim",
    "Othello": "othello",
    "Pig": "pig",
    "RedBlue": "red_blue",
    "TicTacToe": "mnk",
    "Tree": "tree",
    "Yahtzee": "yahtzee",
}

_CATALOGUE = {
    "backgammon": "Backgammon",
    "checkers": "Checkers",
    "chess": "Chess",
    "connect-four": "ConnectFour",
    "dog-cat-mouse": "DogCatMouse",
    "go": "Go",
    "kalah": "Kalah",
    "mnk": "MNK",
    "nim": "Nim",
    "othello": "Othello",
    "pig": "Pig",
    "red-blue": "RedBlue",
    "tic-tac-toe": "TicTacToe",
    "yahtzee": "Yahtzee",
}

__all__ = [
    "MNK", "Backgammon", "Checkers", "Chess", "ConnectFour", "DogCatMouse", "Go", "Kalah", "Nim", "Othello", "Pig",
    "RedBlue", "TicTacToe", "Tree", "Yahtzee", "catalogue",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plywise.games' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"plywise.games.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


class _Catalogue(Mapping[str, Callable[..., Game]]):
    """The games whose parameters are plain numbers, by their names on the command line."""

    def __getitem__(self, name: str) -> Callable[..., Game]:
        return __getattr__(_CATALOGUE[name])  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(_CATALOGUE)

    def __len__(self) -> int:
        return len(_CATALOGUE)


def catalogue() -> Mapping[str, Callable[..., Game]]:
    """Return the ready-made games by their names on the command line.

    >>> catalogue()["connect-four"](width=6)
    ConnectFour(width=6, height=6)
    """
    return _Catalogue()


def name_of(game: Game | type[Game]) -> str:
    """Return the name of a game on the command line: ``ConnectFour`` is ``connect-four``."""
    name = (game if isinstance(game, type) else type(game)).__name__
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
