"""What a network sees of a chess position: which man is on which square.

Each player sees the board from its own side, and mirrored if its king is on the right half, so that the king is always
on the files a to d.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from plywise.bits import lowest, popcount, shift_left, shift_right, signed, upside_down
from plywise.compiling.native import inlined
from plywise.games.chess.board import Position, men
from plywise.layers import Features

WORD = 64
KINDS = 6
MOST_MEN = 32

STEPS = ((1, signed(0x5555555555555555)), (2, signed(0x3333333333333333)), (4, signed(0x0F0F0F0F0F0F0F0F)))
"""To mirror a board: swap neighbouring files, then pairs of files, then halves."""


class Inputs(Features):
    """The inputs of a network for chess."""

    feature_count = 2 * KINDS * WORD
    buckets: ClassVar[int] = 8

    def feature_words(self, state: Position, player: int) -> Iterator[int]:
        """Yield a board for each kind of men: pawns, knights, bishops, rooks, queens and kings, first the player's."""
        queens = state.diagonal & state.straight
        mirrored = lowest(men(state, player) & state.kings) & 4
        for side in range(2):
            here = men(state, player ^ side)
            for kind in range(KINDS):
                board = state.pawns if kind == 0 else state.knights if kind == 1 else state.diagonal & ~queens
                if kind >= 3:
                    board = state.straight & ~queens if kind == 3 else queens if kind == 4 else state.kings
                board &= here
                if player:
                    board = upside_down(board)
                yield mirror(board) if mirrored else board

    def bucket(self, state: Position) -> int:
        """Return the number of men, in eight steps."""
        return (popcount(state.white | state.black) - 1) * self.buckets // MOST_MEN


@inlined
def mirror(board: int) -> int:
    """Return a board with its files in reverse order."""
    for step, files in STEPS:
        board = shift_right(board, step) & files | shift_left(board & files, step)
    return board
