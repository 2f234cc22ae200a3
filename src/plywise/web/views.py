"""What the page draws: a position as a board that its scripts know, and values as people read them.

A game without a board of its own is drawn from its text form (``Game.board``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plywise.explain.text import number
from plywise.game import Game, State
from plywise.inputs.limits import LONGEST_LINE

PAWN = 100
"""Chess counts in hundredths of a pawn, people in pawns."""

CHESS_SCALE = 5.0
"""Pawns: more is drawn as this much."""


def view(game: Game, state: State) -> dict[str, Any]:
    """Return a position as one of the boards that ``static/boards.js`` draws: ``kind`` says which.

    >>> import plywise as pw
    >>> view(pw.games.TicTacToe(), pw.games.TicTacToe().parse("XXX/OO./..."))
    {'kind': 'marks', 'rows': ['XXX', 'OO.', '...'], 'line': [[0, 0], [0, 1], [0, 2]]}
    >>> view(pw.games.Nim(), pw.games.Nim().initial())
    {'kind': 'heaps', 'heaps': [3, 4, 5], 'names': 'abc'}
    """
    from plywise.games import MNK, Chess, ConnectFour, Nim

    if isinstance(game, Chess):
        return chess_view(state)
    if isinstance(game, ConnectFour):
        *rows, columns = (line.replace(" ", "") for line in game.board(state).splitlines())
        return {"kind": "drop", "rows": rows, "columns": columns, "line": line_in(rows, 4)}
    if isinstance(game, MNK):
        rows = game.format(state).split("/")
        return {"kind": "marks", "rows": rows, "line": line_in(rows, game.k)}
    if isinstance(game, Nim):
        from plywise.games.nim import NAMES

        return {"kind": "heaps", "heaps": list(state.heaps), "names": NAMES[: len(state.heaps)]}
    return {"kind": "text", "text": game.board(state)}


def chess_view(state: Any) -> dict[str, Any]:
    """Return the squares row by row from a8, as letters of FEN, and where a king is in check."""
    from plywise.games.chess.fen import letter_at

    squares = [letter_at(state, 8 * rank + file) for rank in reversed(range(8)) for file in range(8)]
    king = "k" if state.ply & 1 else "K"
    return {"kind": "chess", "squares": "".join(squares), "check": squares.index(king) if state.checkers else None}


def line_in(rows: Sequence[str], length: int) -> list[list[int]]:
    """Return the cells, as row and column, of a line of equal letters; none if there is none."""
    for row, cells in enumerate(rows):
        for column, letter in enumerate(cells):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [[row + i * down, column + i * right] for i in range(length)]
                if letter != "." and all(
                    r < len(rows) and 0 <= c < len(rows[r]) and rows[r][c] == letter for r, c in line
                ):
                    return line
    return []


def value_text(game: Game, value: Any) -> str:
    """Return what a position is worth for Max, in the words of the game.

    >>> import plywise as pw
    >>> chess = pw.games.Chess()
    >>> value_text(chess, 35), value_text(chess, 29_997), value_text(chess, -29_998), value_text(pw.games.Nim(), 1)
    ('+0.35', 'White mates in 2', 'Black mates in 1', '+1')
    """
    from plywise.games import Chess

    if not isinstance(value, (int, float)):
        return number(value)
    plies = game.win_score - abs(value)
    if plies <= LONGEST_LINE:
        winner, moves = game.player_name(0 if value > 0 else 1), max(1, math.ceil(plies / 2))
        return f"{winner} mates in {moves}" if isinstance(game, Chess) else f"{winner} wins in {moves}"
    if isinstance(game, Chess):
        return f"{value / PAWN:+.2f}"
    return f"+{number(value)}" if value > 0 else number(value)


def chart_value(game: Game, value: Any) -> float | None:
    """Return how high a value stands in the chart; None where one number is not enough."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    low, high = chart_scale(game) or (-math.inf, math.inf)
    return max(low, min(high, float(value) / _unit(game)))


def chart_scale(game: Game) -> tuple[float, float] | None:
    """Return the lowest and the highest value that the chart shows; None: whatever there is."""
    from plywise.games import Chess

    if isinstance(game, Chess):
        return (-CHESS_SCALE, CHESS_SCALE)
    low, high = (float(end) for end in game.bounds(game.initial()))
    return (low, high) if math.isfinite(low) and math.isfinite(high) and low < high else None


def _unit(game: Game) -> int:
    from plywise.games import Chess

    return PAWN if isinstance(game, Chess) else 1
