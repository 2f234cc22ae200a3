"""Texts of checkers: positions as in PDN's FEN tag, and moves by the numbers of their squares.

A position is the player to move, then the pieces of each, then the plies without progress if there are any, as in
``W:W18,24,K27:B12,16:H3``.  K marks a king, and 1-12 stands for all squares from 1 to 12.  A step is ``11-15``, a
capture all squares that it touches, ``15x22x29``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plywise.bits import lowest, popcount
from plywise.errors import PositionError
from plywise.games.checkers.board import BOARD, CROWNING, SQUARES, STEPS, Position, bit_of, shifted, square_at
from plywise.games.checkers.moves import (
    CAPTURE,
    START,
    Ground,
    Jumps,
    first_route,
    next_capture,
    source_of,
    taken_by,
    target_of,
)

PLAYERS = "BW"
"""The letters of the players, Black's first."""
MOST_PIECES = 12
FEN = re.compile(r"([BW]):([BW])([^:]*):([BW])([^:]*?)(?::H(\d{1,3}))?(?::F\d+)?\.?")
PIECES = re.compile(r"(K?)(\d{1,2})(?:-(\d{1,2}))?")
WANTED = "wanted the player to move, then the pieces of both, as in 'W:W18,24,K27:B12,16'"


# Positions ------------------------------------------------------------------------------------------------------------


def format_fen(state: Position) -> str:
    """Return the text of a position."""
    white, black = (written(pieces, state.kings) for pieces in (state.white, state.black))
    clock = f":H{state.clock}" if state.clock else ""
    return f"{PLAYERS[state.turn]}:W{white}:B{black}{clock}"


def written(pieces: int, kings: int) -> str:
    """Return a list of pieces, as in ``18,24,K27``."""
    return ",".join(f"{'K' * bool(kings & bit_of(square))}{square}" for square in squares_of(pieces))


def squares_of(board: int) -> list[int]:
    """Return the numbers of the squares on a board."""
    return [square for square in range(1, SQUARES + 1) if board & bit_of(square)]


def parse_fen(text: str, most_plies: int) -> Position:
    """Return the position of a text.

    Raises:
        PositionError: the text is not a position; the message says why.
    """
    found = FEN.fullmatch("".join(text.split()).upper())
    try:
        if found is None:
            raise PositionError(WANTED)
        turn, one, ones, other, others, clock = found.groups()
        if one == other:
            raise PositionError(f"{one} has two lists of pieces; {WANTED}")
        lists = {one: ones, other: others}
        plies = int(clock or 0)
        if plies > most_plies:
            raise PositionError(f"H{plies}: the game is over after {most_plies} plies without progress")
        return with_pieces(lists["B"], lists["W"], PLAYERS.index(turn), plies)
    except PositionError as wrong:
        raise PositionError(f"{text!r} is not a position: {wrong}") from None


def with_pieces(blacks: str, whites: str, turn: int, plies: int) -> Position:
    """Return the position with these lists of pieces, as in ``18,24,K27``.

    Raises:
        PositionError: it is not possible; the message says why.
    """
    black, black_kings = _pieces(blacks, 0)
    white, white_kings = _pieces(whites, 1)
    if black & white:
        raise PositionError(f"square {squares_of(black & white)[0]} has two pieces")
    return Position(black, white, black_kings | white_kings, turn, plies)


def _pieces(text: str, player: int) -> tuple[int, int]:
    """Return the pieces in a list, and which of them are kings."""
    pieces = kings = 0
    for word in filter(None, text.split(",")):
        found = PIECES.fullmatch(word)
        if found is None:
            raise PositionError(f"{word!r} is not a piece; wanted the number of its square, with K before a king's")
        king, first, last = found[1], int(found[2]), int(found[3] or found[2])
        if not 1 <= first <= last <= SQUARES:
            raise PositionError(f"{word!r} is not on the board; squares are 1 to {SQUARES}")
        for square in range(first, last + 1):
            if pieces & bit_of(square):
                raise PositionError(f"square {square} has two pieces")
            if not king and bit_of(square) & CROWNING[player]:
                raise PositionError(f"a man cannot stay a man on {square}; a king is K{square}")
            pieces |= bit_of(square)
            kings |= bit_of(square) if king else 0
    if popcount(pieces) > MOST_PIECES:
        raise PositionError(f"{PLAYERS[player]} has {popcount(pieces)} pieces, more than {MOST_PIECES}")
    return pieces, kings


# Moves ----------------------------------------------------------------------------------------------------------------


def touched(source: int, route: int) -> list[int]:
    """Return the numbers of the squares that a capture touches."""
    directions = []
    while route != START:
        directions.append(route & 3)
        route >>= 2
    boards = [source]
    for direction in reversed(directions):
        boards.append(shifted(boards[-1], 2 * STEPS[direction]))
    return [square_at(lowest(board)) for board in boards]


def ways(move: int) -> Iterator[list[int]]:
    """Yield the squares that a capture may touch: several ways lead around a circle."""
    source, taken = source_of(move), taken_by(move)
    ground = Ground(taken, BOARD, 0, 4)
    jumps = next_capture(Jumps(source, 0, START), ground)
    while jumps.taken:
        if jumps.taken == taken:
            yield touched(source, jumps.route)
        jumps = next_capture(jumps, ground)


def format_move(move: int) -> str:
    """Return the text of a move."""
    if move & CAPTURE:
        return "x".join(map(str, touched(source_of(move), first_route(source_of(move), taken_by(move)))))
    return f"{square_at(move & 63)}-{square_at(move >> 6)}"


def find_moves(moves: list[int], text: str) -> list[int]:
    """Return those of the moves that a text may mean: it names the first square and the last, and may name others."""
    squares = _squares_in(text)
    return [move for move in moves if squares and _ends(move) == (squares[0], squares[-1]) and _fits(move, squares)]


def goes_on(move: int, text: str) -> bool:
    """Return whether a text is the beginning of a capture."""
    squares = _squares_in(text)
    return bool(squares) and any(squares == way[: len(squares)] for way in ways(move))


def _squares_in(text: str) -> list[int]:
    """Return the squares that the text of a move names; none if it is not such a text."""
    named = re.fullmatch(r"\d{1,2}([-x:]\d{1,2})+", text.lower())
    return [int(word) for word in re.split(r"\D", text)] if named else []


def _ends(move: int) -> tuple[int, int]:
    return square_at(lowest(source_of(move))), square_at(lowest(target_of(move)))


def _fits(move: int, squares: list[int]) -> bool:
    """Return whether a move may touch these squares, among others, in this order."""
    if len(squares) == 2:
        return True
    return any(_in_order(squares, way) for way in ways(move)) if move & CAPTURE else False


def _in_order(some: list[int], all_: list[int]) -> bool:
    rest = iter(all_)
    return all(square in rest for square in some)
