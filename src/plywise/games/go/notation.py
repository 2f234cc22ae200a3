"""Positions of Go as text: rows of points, or a list of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.errors import PositionError
from plywise.games.go.area import NOWHERE, Area, common, is_empty, union, without
from plywise.games.move_list import after_moves

if TYPE_CHECKING:
    from plywise.games.go.go import Go, Stones

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The names of columns, without I."""
PLAYERS = ("black", "white")


def written_position(game: Go, state: Stones) -> str:
    """Return the rows from the top, the player to move, the move before, and the point that may not be retaken."""
    points = "".join(".XO"[game.piece_at(state, point)] for point in range(game.size))
    words = [written_rows(game, points, state.turn), *["pass"] * state.passes]
    if state.last != NOWHERE:
        words.append(game.layout.name(state.last))
    if state.ko != NOWHERE:
        words += ["ko", game.layout.name(state.ko)]
    return " ".join(words)


def written_rows(game: Go, points: str, turn: int) -> str:
    """Return the rows of points from the top, and the player to move."""
    rows = "/".join(points[i : i + game.width] for i in range(0, game.size, game.width))
    return f"{rows} {PLAYERS[turn]}"


def read_position(game: Go, text: str) -> Stones:
    """Return the position of a text: rows of points and what follows them, or a list of moves from the empty board.

    Raises:
        PositionError: it is neither; the message says what is allowed.
    """
    words = text.split()
    if not words or "/" not in words[0]:
        return after_moves(game, game.initial(), words, text)  # type: ignore[no-any-return]
    try:
        return _of_rows(game, words)
    except PositionError as error:
        raise PositionError(f"{text!r} is not a position: {error}") from None


def _of_rows(game: Go, words: list[str]) -> Stones:
    rows, points = words[0].split("/"), words[0].upper().replace("/", "")
    if [len(row) for row in rows] != [game.width] * game.rows or set(points) - set("XO."):
        example = game.format(game.initial())
        raise PositionError(f"it needs {game.rows} rows of {game.width} points, each X, O or a point, separated by "
                            f"slashes, and the player to move, such as {example!r}, or a list of moves")  # fmt: skip
    if len(words) < 2 or words[1].lower() not in PLAYERS:
        raise PositionError("'black' or 'white', who is to move, must follow the rows")
    turn, rest = PLAYERS.index(words[1].lower()), words[2:]
    passes = sum(word.lower() == "pass" for word in rest)
    ko = last = NOWHERE
    if passes == 0 and len(rest) > 1 and rest[-2].lower() == "ko":
        ko, rest = _point(game, rest[-1]), rest[:-2]
    if passes == 0 and len(rest) == 1:
        last, rest = _point(game, rest[0]), []
    if len(rest) != passes or passes > 2:
        raise PositionError("only the move before and 'ko' with a point may follow the player, or one or two passes")
    return with_stones(game, points, turn, ko, last, passes)


def with_stones(game: Go, points: str, turn: int, ko: int = NOWHERE, last: int = NOWHERE, passes: int = 0) -> Stones:
    """Return the position with these stones, X, O or a point for every point of the board.

    Raises:
        PositionError: it is not possible; the message says why.
    """
    mine, theirs = (_stones(game, points, "XO"[colour]) for colour in (turn, 1 - turn))
    state = game.initial()._replace(mine=mine, theirs=theirs, ko=ko, last=last, passes=passes, turn=turn)
    _check(game, state)
    return state


def _point(game: Go, name: str) -> int:
    """Return the point with this name."""
    point = game.layout.place(name)
    if point < 0:
        raise PositionError(f"{name!r} is not a point; points are A1 to {game.layout.name(game.width - 1)}")
    return point


def _stones(game: Go, points: str, symbol: str) -> Area:
    stones = game.initial().mine
    for point, found in enumerate(points):
        if found == symbol:
            stones = union(stones, game.at(point))
    return stones


def _check(game: Go, state: Stones) -> None:
    """Check that a position is possible.

    Raises:
        PositionError: it is not; the message says why.
    """
    empty = game.empty(state)
    for stones in (state.mine, state.theirs):
        dead = without(stones, game.spread_within(stones, common(stones, game.beside(empty))))
        if not is_empty(dead):
            raise PositionError(f"the stones at {game.layout.name(game.point(dead))} have no liberty")
    if state.last != NOWHERE and not game.has(state.theirs, state.last):
        name, colour = game.layout.name(state.last), PLAYERS[1 - state.turn]
        raise PositionError(f"the move before, {name}, is not one of the {colour} stones")
    if state.ko != NOWHERE and not is_empty(without(game.beside(game.at(state.ko)), state.theirs)):
        colour = PLAYERS[1 - state.turn]
        raise PositionError(f"{game.layout.name(state.ko)} is no ko: it is not surrounded by {colour} stones")
    if state.ko != NOWHERE and not game.has(empty, state.ko):
        raise PositionError(f"{game.layout.name(state.ko)} is no ko: it is not empty")
