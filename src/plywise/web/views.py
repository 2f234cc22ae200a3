"""What the page draws: a position as its game describes it, and values in a chart.

A game without a layout is drawn from its text form (``Game.board``).
"""

from __future__ import annotations

import math
from typing import Any

from plywise.game import Game, Move, State
from plywise.layers.layout import Pits
from plywise.layers.view import board_json, cells_of

CHART_SWINGS = 5
"""A chart reaches this many of a game's swings, such as pawns, to either side."""


def view(game: Game, state: State) -> dict[str, Any]:
    """Return a position as a board that ``static/boards.js`` draws: ``kind`` says which.

    >>> import plywise as pw
    >>> shown = view(pw.games.TicTacToe(), pw.games.TicTacToe().parse("XXX/OO./..."))
    >>> shown["kind"], shown["cells"], shown["marked"]
    ('grid', (1, 1, 1, 2, 2, 0, 0, 0, 0), [0, 1, 2])
    >>> tree = pw.games.Tree.from_lists([3, 12])
    >>> view(tree, tree.initial())["kind"]
    'text'
    """
    board = board_json(game)
    if board is None:
        return {"kind": "text", "text": game.board(state)}
    return {**board, "cells": cells_of(game, state), "marked": list(game.marked(state)),
            "mark_name": game.mark_name}  # fmt: skip


def places(game: Game, state: State, move: Move) -> dict[str, int]:
    """Return what the page highlights, or lets somebody click, for a move; nothing if that is nowhere on a board.

    >>> import plywise as pw
    >>> places(pw.games.Nim(), pw.games.Nim().initial(), pw.games.Nim().parse_move(pw.games.Nim().initial(), "b3"))
    {'from': 1, 'taken': 3}
    """
    if game.layout is None:
        return {}
    found = {
        name: int(place) for name, place in zip(("from", "to"), game.places(state, move), strict=True) if place >= 0
    }
    if isinstance(game.layout, Pits) and "from" in found:
        pit = found["from"]
        found["taken"] = int(game.piece_at(state, pit) - game.piece_at(game.play(state, move), pit))
    return found


def chart_value(game: Game, value: Any) -> float | None:
    """Return how high a value stands in the chart; None where one number is not enough."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    low, high = chart_scale(game) or (-math.inf, math.inf)
    return max(low, min(high, float(value)))


def chart_scale(game: Game) -> tuple[float, float] | None:
    """Return the lowest and the highest value that the chart shows; None: whatever there is."""
    if math.isfinite(game.swing):
        return (-CHART_SWINGS * float(game.swing), CHART_SWINGS * float(game.swing))
    low, high = (float(end) for end in game.bounds(game.initial()))
    return (low, high) if math.isfinite(low) and math.isfinite(high) and low < high else None
