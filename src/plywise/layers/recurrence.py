"""Recurrence: positions that come back."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Recurrence(Layer):
    """How far back a position may recur, and what that is worth.  Buys: games with repetition."""

    METHODS: ClassVar[tuple[str, ...]] = ("reversible", "repetition")

    repetitions: ClassVar[int] = 2
    """The occurrence of a position that ends a game that is played, such as 3 in chess.  A search asks what can be
    forced, and takes the second for it.
    """

    def reversible(self, state: Any) -> int:
        """Return how many plies back the same position may have been; 0: never."""
        return 0

    def repetition(self, state: Any) -> float:
        """Return what the game is worth, for MAX, when ``state`` recurs.

        If repeating is forbidden, make it worse than any loss for the player who repeats.
        """
        return 0
