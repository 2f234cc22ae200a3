"""What a network sees of a chess position: which man is on which square.

Each player sees the board from its own side, and mirrored if its king is on the right half, so that the king is always
on the files a to d.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from plywise.bits import lowest, popcount, rest
from plywise.games.chess.board import Position, has, kind_at, men
from plywise.layers import Features

SQUARES = 64
ORDER = (0, 0, 1, 2, 3, 5, 0, 4)
"""The place of a kind of men among the features: pawn, knight, bishop, rook, queen, king."""
KINDS = 6
MOST_MEN = 32


class Inputs(Features):
    """The inputs of a network for chess."""

    feature_count = 2 * KINDS * SQUARES
    buckets: ClassVar[int] = 8

    def features(self, state: Position, player: int) -> Iterator[int]:
        own, left = men(state, player), state.white | state.black
        king = lowest(own & state.kings)
        turned = (56 if player else 0) ^ (7 if king & 4 else 0)
        while left:
            square = lowest(left)
            left = rest(left)
            place = ORDER[kind_at(state, square)] + KINDS * (1 - has(own, square))
            yield SQUARES * place + (square ^ turned)

    def bucket(self, state: Position) -> int:
        """Return the number of men, in eight steps."""
        return (popcount(state.white | state.black) - 1) * self.buckets // MOST_MEN
