"""Data for the page: positions as boards, and values for the chart.

A game without a layout is shown as text (``Game.board``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from plywise.game import Game, Move, State
from plywise.layers.chance import CHANCE
from plywise.layers.layout import Grid, Pits, Sheet
from plywise.layers.setting_up import may_set_up
from plywise.layers.view import board_json, cells_of
from plywise.web.offered_games import MOST_MOVES_SHOWN

GAMES_KNOWN = 100
"""How many games the page remembers whose pieces move, or do not."""

ROLLS_AT_FIRST = 10
"""The most rolls before the first move of a player that ``pieces_move`` looks through."""

CHART_SWINGS = 5
"""The range of the chart to either side, in the game's swings (pawns in chess)."""


def view(game: Game, state: State) -> dict[str, Any]:
    """Return a position as a board for ``static/boards.js``; ``kind`` says how to draw it.

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
    return {**board, "cells": cells_of(game, state), "marked": list(game.marked(state)), "mark_name": game.mark_name,
            "why_illegal": reasons(game, state), "editable": may_set_up(game)}  # fmt: skip


def reasons(game: Game, state: State) -> dict[int, str]:
    """Return, for places whose names are not moves, why they are not, if the game says so.

    >>> import plywise as pw
    >>> othello = pw.games.Othello(4)
    >>> found = reasons(othello, othello.initial())
    >>> found[0], found[5]
    ('It would turn no disc.', 'There is a disc already.')
    >>> kalah = pw.games.Kalah(3, 1)
    >>> reasons(kalah, kalah.parse("0,1,1,1/1,1,0,1 S"))
    {0: "Pit c is North's.", 1: "Pit b is North's.", 2: "Pit a is North's.", 3: 'Pit A is empty.'}
    """
    if game.layout is None or game.is_terminal(state) or game.to_move(state) == CHANCE:
        return {}
    moves = {game.format_move(state, move) for move in game.moves(state)}
    names = [(place, game.layout.name(place)) for place in range(game.layout.size)]
    found = {place: game.why_illegal(state, name) for place, name in names if name and name not in moves}
    return {place: f"{why[0].upper()}{why[1:]}." for place, why in found.items() if why}


def places(game: Game, state: State, move: Move) -> dict[str, int]:
    """Return the places that the page highlights and makes clickable for a move; empty if it has none.

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


@lru_cache(maxsize=GAMES_KNOWN)
def pieces_move(game: Game) -> bool:
    """Return whether the first moves of a game lead from one place to another: its board then has two sides.

    >>> import plywise as pw
    >>> pieces_move(pw.games.Chess()), pieces_move(pw.games.Backgammon()), pieces_move(pw.games.Othello())
    (True, True, False)
    """
    state = game.initial()
    for _ in range(ROLLS_AT_FIRST):
        if game.is_terminal(state):
            return False
        if game.to_move(state) != CHANCE:
            return any(goes(places(game, state, move)) for move in islice(game.moves(state), MOST_MOVES_SHOWN))
        state = game.play(state, next(iter(game.moves(state))))
    return False


def goes(ends: Mapping[str, int]) -> bool:
    """Return whether the ``places`` of a move are two, so that something goes from one to the other."""
    return "from" in ends and "to" in ends


def routes(game: Game, state: State, move: Move) -> list[list[int]]:
    """Return the ways that a move may take, each with its places in order; empty if it has none on the board."""
    found = () if game.layout is None else game.routes(state, move)
    return [[int(place) for place in way] for way in found if way]


def arriving(game: Game, state: State, moves: Sequence[Move], ends: Sequence[Mapping[str, int]]) -> list[int | None]:
    """Return the piece that each move brings to its target, where the page shows it before the move is made: if several
    moves have the same origin and target, as promotions do, or if pieces fall into columns; else None.

    Args:
        game: the game.
        state: the position.
        moves: its legal moves.
        ends: the ``places`` of each.

    >>> import plywise as pw
    >>> chess = pw.games.Chess()
    >>> state = chess.parse("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1")
    >>> moves = list(chess.moves(state))
    >>> found = arriving(chess, state, moves, [places(chess, state, move) for move in moves])
    >>> sorted(chess.pieces[piece - 1].name for piece in found if piece)
    ['white bishop', 'white knight', 'white queen', 'white rook']
    """
    layout = game.layout
    if layout is None or isinstance(layout, (Pits, Sheet)):
        return [None] * len(moves)
    pairs = [(each.get("from"), each.get("to")) for each in ends]
    shared = Counter(pairs)
    falling = isinstance(layout, Grid) and layout.falling
    return [
        int(game.piece_at(game.play(state, move), pair[1]))
        if pair[1] is not None and (falling or shared[pair] > 1)
        else None
        for move, pair in zip(moves, pairs, strict=True)
    ]


def selection(game: Game, state: State, move: Move) -> list[int] | None:
    """Return the places to select for a move; None if it is not made so.

    >>> import plywise as pw
    >>> game = pw.games.Yahtzee(players=1)
    >>> state = game.parse("xx-----x---y- 8 88; max 1 33361")
    >>> [selection(game, state, game.parse_move(state, text)) for text in ("keep-333", "keep-none", "chance")]
    [[16, 17, 18], [], None]
    """
    found = None if game.layout is None else game.selection(state, move)
    return None if found is None else [int(place) for place in found]


def dice_shown(game: Game, state: State, move: Move) -> list[int]:
    """Return the faces of the dice that a move of chance shows; empty if they are not dice with six faces."""
    faces = [int(face) for face in game.dice_shown(state, move)]
    return faces if all(1 <= face <= 6 for face in faces) else []


def chart_value(game: Game, value: Any) -> float | None:
    """Return a value clipped to the chart's range; None if it is not a finite number."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    low, high = chart_scale(game) or (-math.inf, math.inf)
    return max(low, min(high, float(value)))


def chart_scale(game: Game) -> tuple[float, float] | None:
    """Return the lowest and the highest value of the chart; None to fit the data."""
    if math.isfinite(game.swing):
        return (-CHART_SWINGS * float(game.swing), CHART_SWINGS * float(game.swing))
    low, high = (float(end) for end in game.bounds(game.initial()))
    return (low, high) if math.isfinite(low) and math.isfinite(high) and low < high else None
