"""All positions with few pieces: the roots of an endgame table."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.games.checkers.board import CROWNING, SQUARES, Position, bit_of


def endings(count: int) -> Iterator[Position]:
    """Yield all positions with this many pieces in which both players have some, and men only where men can be."""
    for occupied in boards_with(count):
        for white in subsets(occupied):
            black = occupied ^ white
            if black and white:
                crowned = black & CROWNING[0] | white & CROWNING[1]
                for others in subsets(occupied & ~crowned):
                    yield Position(black, white, crowned | others, 0, 0)
                    yield Position(black, white, crowned | others, 1, 0)


def boards_with(count: int, first: int = 1) -> Iterator[int]:
    """Yield all boards with this many pieces on the squares from ``first`` on."""
    if count == 0:
        yield 0
        return
    for square in range(first, SQUARES + 2 - count):
        for others in boards_with(count - 1, square + 1):
            yield bit_of(square) | others


def subsets(board: int) -> Iterator[int]:
    """Yield all subsets of a board: counting down, with the bits that are not on the board left out."""
    chosen = board
    while chosen:
        yield chosen
        chosen = chosen - 1 & board
    yield 0
