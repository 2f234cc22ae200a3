"""A search to show: recorded, by default with the usual algorithm and as deep as can be drawn."""

from __future__ import annotations

from typing import Any

from plywise.algorithms import alphabeta
from plywise.algorithms import usual_algorithm as usual_algorithm_for
from plywise.compiling.reading import interpreted
from plywise.game import Game
from plywise.inputs.positions import position as position_meant
from plywise.result import Result
from plywise.search import search

MOST_NODES = 200
"""The most positions of the full tree at the default depth."""


def recorded(
    game: Game, position: str | None, depth: int | None, algorithm: str | None, options: dict[str, Any],
    record: bool | int = True,
) -> Result:  # fmt: skip
    """Search and record every event, to the given depth or as deep as can be drawn."""
    start = position_meant(game, position)
    name = algorithm or usual_algorithm(game)
    with interpreted():  # recording is never compiled; finding the line of play afterwards need not be either
        limit = drawable_depth(game, start) if depth is None else depth
        return search(game, start, depth=limit, algorithm=name, record=record, **options)


def usual_algorithm(game: Game) -> str:
    """Return the default algorithm for showing a search of this game."""
    return usual_algorithm_for(game, alphabeta).name


def drawable_depth(game: Game, start: Any, most: int = MOST_NODES) -> int | None:
    """Return how deep a full tree of ``most`` positions goes; None: to the end, as for every explicit tree."""
    if game.written:
        return None
    count, depth, level = 1, 0, [start]
    while level:
        below = [game.play(s, move) for s in level if not game.is_terminal(s) for move in game.moves(s)]
        count += len(below)
        if count > most:
            return max(1, depth)
        depth, level = depth + 1, below
    return None
