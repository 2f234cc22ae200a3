"""Positions set up by hand: from what is on each place of the board, and the player to move.

A game says how with ``View.set_up``; for simple games it is found by experiment (``set_up_found``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plywise.errors import PositionError
from plywise.layers.chance import Chance
from plywise.layers.layout import Grid, Points
from plywise.layers.set_up_found import inferred
from plywise.layers.view import View, cells_of

MOST_PLACES = 400
"""The most places of a board that can be set up."""


def can_set_up(game: Any) -> bool:
    """Return whether positions of a game can be set up on its board.

    >>> import plywise as pw
    >>> can_set_up(pw.games.Chess()), can_set_up(pw.games.Nim()), can_set_up(pw.games.Backgammon())
    (True, False, False)
    """
    return may_set_up(game) and (defines_set_up(game) or inferred(game) is not None)


def may_set_up(game: Any) -> bool:
    """Return whether ``can_set_up`` is worth asking: its experiments take a second or more on a large board.

    In an explicit tree there are no other positions than those that are reached.
    """
    simple = hasattr(game.initial(), "_fields") and not game.written
    return has_squares(game) and (defines_set_up(game) or simple)


def defines_set_up(game: Any) -> bool:
    """Return whether a game says itself how its positions are set up."""
    return type(game).set_up is not View.set_up


def has_squares(game: Any) -> bool:
    """Return whether the board of a game has squares or points that hold a piece each, and no dice are thrown."""
    squares = isinstance(game.layout, (Grid, Points)) and not getattr(game.layout, "stacks", 0)
    return squares and bool(game.pieces) and not isinstance(game, Chance) and game.layout.size <= MOST_PLACES


def set_up(game: Any, cells: Sequence[int], player: int) -> Any:
    """Return the position with these pieces (``piece_at`` for every place) and this player to move, and check it.

    Raises:
        PositionError: this is not possible; the message says why.
    """
    if not can_set_up(game):
        raise PositionError(f"positions of {game.title} cannot be set up on the board")
    _check_cells(game, cells)
    state = game.set_up(tuple(cells), player)
    shown = cells_of(game, state)
    wrong = next((place for place, cell in enumerate(cells) if shown[place] != cell), None)
    if wrong is not None:
        raise PositionError(f"{_named(game, cells[wrong])} cannot be on {game.layout.name(wrong) or 'that place'}")
    if not game.is_terminal(state) and game.to_move(state) != player:
        raise PositionError(f"{game.player_name(player)} cannot be to move here")
    return state


def _named(game: Any, piece: int) -> str:
    return f"{game.pieces[piece - 1].name or game.pieces[piece - 1].symbol}" if piece else "nothing"


def _check_cells(game: Any, cells: Sequence[int]) -> None:
    if len(cells) != game.layout.size:
        raise PositionError(f"the board has {game.layout.size} places, not {len(cells)}")
    for cell in cells:
        if not 0 <= cell <= len(game.pieces):
            raise PositionError(f"there is no piece {cell}; 0 is none, and pieces are 1 to {len(game.pieces)}")
