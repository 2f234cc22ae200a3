"""Counting: moves that need not be listed to be counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from plywise.layers.layer import Layer

if TYPE_CHECKING:
    from plywise.game import Game


class Counting(Layer):
    """How many moves there are.  Buys: perft that does not list the last moves."""

    METHODS: ClassVar[tuple[str, ...]] = ("count_moves",)

    def count_moves(self, state: Any) -> int:
        """Return how many moves there are."""
        count = 0
        for _ in self.moves(state):
            count += 1
        return count

    def counted(self) -> Game:
        """Return the game whose moves perft counts.  Default: this one; in chess, by custom, one without draws."""
        return self
