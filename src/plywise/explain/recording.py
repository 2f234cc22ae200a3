"""A search to be shown: recorded, by the usual algorithm and as deep as can be drawn unless somebody says otherwise."""

from __future__ import annotations

from typing import Any

from plywise.compiling.reading import interpreted
from plywise.game import Game
from plywise.inputs.positions import position as position_meant
from plywise.result import Result
from plywise.search import search

MOST_NODES = 200
"""Positions of the full tree to which the depth is limited if nobody says how deep."""


def recorded(
    game: Game, position: str | None, depth: int | None, algorithm: str | None, options: dict[str, Any],
    record: bool | int = True,
) -> Result:  # fmt: skip
    """Search with every event kept, as deep as was asked or as can be drawn."""
    start = position_meant(game, position)
    name = algorithm or usual_algorithm(game)
    with interpreted():  # recording is; what finds the line of play afterwards need not be compiled for it either
        limit = drawable_depth(game, start) if depth is None else depth
        return search(game, start, depth=limit, algorithm=name, record=record, **options)


def usual_algorithm(game: Game) -> str:
    """Return the algorithm that shows how this game is searched, where none is named."""
    return "alphabeta" if game.is_zero_sum() else "maxn"


def drawable_depth(game: Game, start: Any, most: int = MOST_NODES) -> int | None:
    """Return how deep a full tree of ``most`` positions goes; None: to the end.  Written trees always do."""
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
