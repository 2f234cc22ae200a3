"""plywise: write the rules of a game once, get everything that computer game playing knows.

>>> import plywise as pw
>>> print(pw.solve(pw.games.TicTacToe()).value)
0
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

from plywise.errors import (
    CacheWarning,
    CompileWarning,
    GameError,
    PlywiseError,
    PositionError,
    ProofError,
    SearchError,
)

if TYPE_CHECKING:
    from plywise import algorithms, bits, explain, games, tables
    from plywise.cells import Cells
    from plywise.compiling.reading import interpreted
    from plywise.engine.dfpn import dfpn
    from plywise.engine.engine import Engine
    from plywise.explain.widget import show
    from plywise.game import MAX, MIN, Game, sign
    from plywise.games.adapt import adapt
    from plywise.layers import (
        CHANCE,
        Banked,
        Chance,
        Counting,
        FastestWin,
        Features,
        Grid,
        ManyPlayers,
        Piece,
        Pits,
        Playouts,
        Points,
        Recurrence,
        Sheet,
        Symmetry,
        Tactics,
        Theory,
        View,
    )
    from plywise.learning.search_tuning import tune_search
    from plywise.learning.train import train
    from plywise.match.match import match
    from plywise.proof.proof import Proof
    from plywise.proof.verify import check_proof
    from plywise.result import Result
    from plywise.search import search, solve
    from plywise.study.analyse import analyse
    from plywise.study.check import check_game
    from plywise.study.compare import compare
    from plywise.tables.tabulate import tabulate
    from plywise.warm import warm

__version__ = "0.1.0"

_HOMES = {
    "Cells": "plywise.cells",
    "Game": "plywise.game",
    "MAX": "plywise.game",
    "CHANCE": "plywise.layers",
    "Banked": "plywise.layers",
    "Chance": "plywise.layers",
    "Counting": "plywise.layers",
    "FastestWin": "plywise.layers",
    "Features": "plywise.layers",
    "Grid": "plywise.layers",
    "ManyPlayers": "plywise.layers",
    "Piece": "plywise.layers",
    "Pits": "plywise.layers",
    "Playouts": "plywise.layers",
    "Points": "plywise.layers",
    "Recurrence": "plywise.layers",
    "Sheet": "plywise.layers",
    "Symmetry": "plywise.layers",
    "Tactics": "plywise.layers",
    "Theory": "plywise.layers",
    "View": "plywise.layers",
    "MIN": "plywise.game",
    "sign": "plywise.game",
    "adapt": "plywise.games.adapt",
    "analyse": "plywise.study.analyse",
    "Proof": "plywise.proof.proof",
    "check_game": "plywise.study.check",
    "check_proof": "plywise.proof.verify",
    "compare": "plywise.study.compare",
    "dfpn": "plywise.engine.dfpn",
    "Engine": "plywise.engine.engine",
    "interpreted": "plywise.compiling.reading",
    "match": "plywise.match.match",
    "Result": "plywise.result",
    "search": "plywise.search",
    "show": "plywise.explain.widget",
    "solve": "plywise.search",
    "tabulate": "plywise.tables.tabulate",
    "train": "plywise.learning.train",
    "tune_search": "plywise.learning.search_tuning",
    "warm": "plywise.warm",
}


_MODULES = ("algorithms", "bits", "explain", "games", "tables")


def __dir__() -> list[str]:
    """Return the public names, imported yet or not, for Tab completion after ``pw.``."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> Any:
    """Import heavy modules on first use: ``plywise --help`` needs neither NumPy nor Numba."""
    if name in _MODULES:
        return importlib.import_module(f"plywise.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'plywise' has no attribute {name!r}")
    home = importlib.import_module(_HOMES[name])
    for other, where in _HOMES.items():
        if where == home.__name__:
            globals()[other] = getattr(home, other)
    return globals()[name]


class _Face(types.ModuleType):
    """The package.  Importing the module ``plywise.search`` does not replace the function ``search``."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face

__all__ = [
    "CHANCE", "MAX", "MIN", "Banked", "CacheWarning", "Cells", "Chance", "CompileWarning", "Counting", "Engine",
    "FastestWin", "Features", "Game", "GameError", "Grid", "ManyPlayers", "Piece", "Pits", "Playouts", "PlywiseError",
    "Points", "PositionError", "Proof", "ProofError", "Recurrence", "Result", "SearchError", "Sheet", "Symmetry",
    "Tactics", "Theory", "View", "adapt", "algorithms", "analyse", "bits", "check_game", "check_proof", "compare",
    "dfpn", "explain", "games", "interpreted", "match", "search", "show", "sign", "solve", "tables", "tabulate",
    "train", "tune_search", "warm",
]  # fmt: skip
