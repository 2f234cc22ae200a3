"""Counting: count moves without generating them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from plywise.layers.layer import Layer

if TYPE_CHECKING:
    from plywise.game import Game


class Counting(Layer):
    """The number of moves.  Buys: faster perft, which need not generate the moves of the last ply."""

    METHODS: ClassVar[tuple[str, ...]] = ("count_moves",)

    def count_moves(self, state: Any) -> int:
        """Return the number of legal moves.  Buys: perft that only counts the last ply.  Default: generate them."""
        count = 0
        for _ in self.moves(state):
            count += 1
        return count

    def counted(self) -> Game:
        """Return the game that perft counts.  Chess returns one without draw rules, to match published numbers.

        Default: this game.
        """
        return self
