"""The part of ``plywise check`` that is about ``View``: a board in integers that fit it, and words of one line.

Only a game that inherits ``View`` is asked; the defaults of the others are known to be right.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

from plywise.game import Move
from plywise.layers import View
from plywise.layers.layout import Layout, Piece, Pits

ABOUT = {
    "event": "check",
    "date": "2000-01-01",
    "round": "1",
    "max": "a",
    "min": "b",
    "result": "*",
    "reason": "",
    "clock": "-",
}


def check_view(examination: Any, place: Any, moves: Iterable[Move], over: bool) -> None:
    """Check what people see of a position.

    Args:
        examination: what asks the game and writes mistakes down.
        place: the position, and how it was reached.
        moves: the legal moves there.
        over: whether the game is over.
    """
    game = examination.game
    if not isinstance(game, View):
        return
    if place.above is None and not _constants_fit(examination):
        return
    if isinstance(game.layout, Layout):
        _check_pieces(examination, place)
        for move in moves:
            _check_places(examination, place, move)
        marked = _asked(examination, "marked", place, place.state)
        _check_numbers(examination, place, "marked", list(marked), least=0)
    for move in moves:
        _check_text(examination, place, "move_name", place.state, move)
    if over:
        _check_text(examination, place, "ending", place.state)
        _check_text(examination, place, "score_text", examination.game.score(place.state))
        lineage = place.lineage()
        played = [each.move for each in lineage[1:]]
        _asked(examination, "record", place, lineage[0].state, played, ABOUT)


def _constants_fit(examination: Any) -> bool:
    """Check what does not depend on a position; returns whether boards can be checked."""
    game = examination.game
    for name in ("title", "description", "mark_name", "record_suffix"):
        value = getattr(game, name)
        if not _is_line(value):
            examination.found("view-text", f"{name} must be a text of one line, not {value!r}", subject=name)
    if game.layout is not None and not isinstance(game.layout, Layout):
        message = f"layout must be a Grid, Points or Pits, not {game.layout!r}"
    elif not isinstance(game.pieces, tuple) or not all(isinstance(piece, Piece) for piece in game.pieces):
        message = f"pieces must be a tuple of Piece, not {game.pieces!r}"
    else:
        return True
    examination.found("layout", message)
    return False


def _check_pieces(examination: Any, place: Any) -> None:
    game = examination.game
    most = float("inf") if isinstance(game.layout, Pits) else len(game.pieces)
    for where in range(game.layout.size):
        piece = _asked(examination, "piece_at", place, place.state, where)
        if not isinstance(piece, numbers.Integral) or not 0 <= int(piece) <= most:
            allowed = "a whole number of stones" if isinstance(game.layout, Pits) else f"0 to {len(game.pieces)}"
            raise examination.wrong("piece-at", f"piece_at must return {allowed}, not {piece!r}, at {where}", place)


def _check_places(examination: Any, place: Any, move: Move) -> None:
    found = _asked(examination, "places", place, place.state, move)
    if not isinstance(found, tuple) or len(found) != 2:
        message = f"places must return two places, not {found!r}, for {examination.move_text(place.state, move)}"
        raise examination.wrong("places", message, place)
    _check_numbers(examination, place, "places", found, least=-1)


def _check_numbers(examination: Any, place: Any, method: str, found: Iterable[Any], least: int) -> None:
    last = examination.game.layout.size - 1
    for number in found:
        if not isinstance(number, numbers.Integral) or not least <= int(number) <= last:
            allowed = f"0 to {last}{', or -1 for nowhere' if least < 0 else ''}"
            raise examination.wrong("places", f"{method} must return places from {allowed}; {number!r} is none", place)


def _check_text(examination: Any, place: Any, method: str, *arguments: Any) -> None:
    text = _asked(examination, method, place, *arguments)
    if not _is_line(text):
        raise examination.wrong("view-text", f"{method} must return a text of one line, not {text!r}", place, method)


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and "\n" not in text


def _asked(examination: Any, method: str, place: Any, *arguments: Any) -> Any:
    return examination.ask(method, *arguments, place=place, rule="view-raises")
