"""Games as people call them, for headings and lists of choices."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from plywise.explain.text import listing
from plywise.game import Game
from plywise.games import Tree
from plywise.games.adapt import Adapted

TITLES = {
    "ConnectFour": "Connect Four",
    "DogCatMouse": "Dog, cat, mouse",
    "MNK": "m, n, k",
    "RedBlue": "RED-BLUE",
    "TicTacToe": "Tic-tac-toe",
}
"""By the name of the class, where that is not how people write it."""


def title(game_class: type[Game]) -> str:
    """Return what a game is called, whatever its parameters are.

    >>> import plywise as pw
    >>> title(pw.games.ConnectFour), title(pw.games.Chess)
    ('Connect Four', 'Chess')
    """
    return TITLES.get(game_class.__name__, game_class.__name__)


def in_words(game: Game, capital: bool = False) -> str:
    """Return a game as part of a sentence, or as its beginning, with its parameters if they are not the usual ones.

    >>> import plywise as pw
    >>> in_words(pw.games.Chess()), in_words(pw.games.Chess(draws=False)), in_words(pw.games.MNK(4, 4, 3))
    ('Chess', 'Chess with no draws', 'm, n, k with m 4, n 4 and k 3')
    >>> in_words(pw.games.Nim((1, 2), misere=True)), in_words(pw.games.Tree.from_lists([[3, 12], [2, 4]]))
    ('Nim with heaps 1 2 and misere', 'a tree of 7 nodes, 4 leaves')
    """
    if type(game) is Tree:
        leaves = sum(not node.children for node in game.nodes)
        return f"{'A' if capital else 'a'} tree of {len(game.nodes):,} nodes, {leaves:,} leaves"
    if isinstance(game, Adapted):
        return type(game.walker.board).__name__
    parameters = list(_parameters(game))
    return f"{title(type(game))} with {listing(parameters)}" if parameters else title(type(game))


def _parameters(game: Game) -> Iterator[str]:
    """Yield the parameters of a game if one of them is unusual: that one, and all that are no mere switches."""
    told = [field for field in dataclasses.fields(game) if field.init and field.repr]
    fields = [field for field in told if isinstance(getattr(game, field.name), (bool, int, float, str, tuple))]
    unusual = {field.name for field in fields if getattr(game, field.name) != _usual(field)}
    for field in fields:
        name, value = field.name.replace("_", " "), getattr(game, field.name)
        if isinstance(value, bool):
            if field.name in unusual:
                yield name if value else f"no {name}"
        elif field.name in unusual or (unusual and not isinstance(value, str)):
            yield f"{name} {' '.join(map(str, value)) if isinstance(value, tuple) else value}"


def _usual(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
