"""Banked: points that are won for good while the game goes on."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.layers.layer import Layer
from plywise.layers.theory import RULES

WORTH = RULES | {"evaluate", "key"}
"""The methods that ``banked`` and ``rest_key`` depend on."""


class Banked(Layer):
    """Points that the rest of the game only adds to, such as stones in a store.

    Buys: far fewer positions in the engine's table, because those that differ only in the banked points share an entry.

    The value of a position is ``banked`` plus the value of the rest of the game.  A subclass that changes a rule,
    ``evaluate`` or ``key`` inherits neither method: points won may not be kept there.
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

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Drop the parent's methods if the class changes what they depend on.

        A class with its own ``rest_key`` keeps ``banked``: only the two together say what the rest is worth.
        """
        own = vars(game_class).keys()
        if WORTH & own and "rest_key" not in own:
            game_class.rest_key = Banked.rest_key
            if "banked" not in own:
                game_class.banked = Banked.banked
