"""Optional features of games, one small class a file.

A game inherits the layers it wants before ``Game``, as in ``class Chess(Tactics, Recurrence, View, Game)``.  A game
without a layer has the layer's default methods, which cost nothing.
"""

from __future__ import annotations

from typing import Any

from plywise.layers.banked import Banked
from plywise.layers.chance import CHANCE, Chance
from plywise.layers.counting import Counting
from plywise.layers.fastest_win import FastestWin
from plywise.layers.features import Features
from plywise.layers.layer import Layer
from plywise.layers.layout import Grid, Piece, Pits, Points, Sheet
from plywise.layers.many_players import ManyPlayers
from plywise.layers.playouts import Playouts
from plywise.layers.recurrence import Recurrence, recurs
from plywise.layers.symmetry import Symmetry
from plywise.layers.tactics import Tactics
from plywise.layers.theory import Theory
from plywise.layers.view import View

LAYERS: tuple[type[Layer], ...] = (
    Tactics, Theory, Symmetry, Banked, Recurrence, FastestWin, ManyPlayers, Chance, Playouts, Counting, Features, View,
)  # fmt: skip
"""All layers, in the usual order of base classes."""


def path_matters(game: Any) -> bool:
    """Return whether a value may depend on the moves before: on repetitions, or on the plies to a win."""
    return isinstance(game, (Recurrence, FastestWin))


def must_deepen(game: Any) -> bool:
    """Return whether the engine solves a game by deepening, since values depend on the path or on chance."""
    return path_matters(game) or isinstance(game, Chance)


def is_solitaire(game: Any) -> bool:
    """Return whether one player plays alone; the opposite score, which a search may want, is then nobody's."""
    return isinstance(game, ManyPlayers) and game.players == 1


__all__ = [
    "CHANCE", "LAYERS", "Banked", "Chance", "Counting", "FastestWin", "Features", "Grid", "Layer", "ManyPlayers",
    "Piece", "Pits", "Playouts", "Points", "Recurrence", "Sheet", "Symmetry", "Tactics", "Theory", "View",
    "is_solitaire", "must_deepen", "path_matters", "recurs",
]  # fmt: skip
