"""Banked: points that are won for good while the game goes on."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Banked(Layer):
    """Points that the rest of the game only adds to, such as stones in a store.

    Buys: far fewer positions in the engine's table, because those that differ only in the banked points share an entry.

    The value of a position is ``banked`` plus the value of the rest of the game.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("banked", "rest_key")

    def banked(self, state: Any) -> int:
        """Return the points won so far, for MAX: MAX's less MIN's, a whole number.

        Buys: the engine stores values without them.
        """
        return 0

    def rest_key(self, state: Any) -> Any:
        """Return a ``key`` of the rest of the game, without the points won so far.  Buys: the same.

        Positions that share it must have the same value less ``banked``, and the same evaluation less ``banked``, for
        the player to move.  Their moves must correspond, as with ``key``.  Default: ``key``.
        """
        return self.key(state)
