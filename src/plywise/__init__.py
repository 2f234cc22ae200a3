"""plywise: write the rules of a game once, get everything that computer game playing knows.

>>> import plywise as pw
>>> print(pw.solve(pw.games.TicTacToe()).value)
0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from plywise.errors import CompileWarning, GameError, PlywiseError, PositionError, SearchError
from plywise.game import MAX, MIN, Game, sign

if TYPE_CHECKING:
    from plywise import algorithms, bits, games
    from plywise.adapt import adapt
    from plywise.algorithms.prove import Proof, check_proof
    from plywise.reading import interpreted
    from plywise.result import Result
    from plywise.search import search, solve

__version__ = "0.1.0"

_HOMES = {
    "adapt": "plywise.adapt",
    "Proof": "plywise.algorithms.prove",
    "check_proof": "plywise.algorithms.prove",
    "interpreted": "plywise.reading",
    "Result": "plywise.result",
    "search": "plywise.search",
    "solve": "plywise.search",
}


def __getattr__(name: str) -> Any:
    """Import what is heavy when it is first asked for: ``plywise --help`` and a class of rules do not need Numba."""
    if name in ("algorithms", "bits", "games", "explain"):
        return importlib.import_module(f"plywise.{name}")
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'plywise' has no attribute {name!r}")


__all__ = [
    "MAX", "MIN", "CompileWarning", "Game", "GameError", "PlywiseError", "PositionError", "Proof", "Result",
    "SearchError", "adapt", "algorithms", "bits", "check_proof", "games", "interpreted", "search", "sign", "solve",
]  # fmt: skip
