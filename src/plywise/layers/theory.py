"""Theory: what is known about positions without searching them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from plywise.layers.layer import Layer

RULES = ("to_move", "moves", "play", "is_terminal", "score")
"""What theory is about."""


class Theory(Layer):
    """Facts that the rules imply.  Buys: less to search, also where the answer must be exact.

    A wrong fact makes a wrong proof, so ``plywise check`` compares both methods with plain minimax.  A subclass that
    changes a rule of its parent's inherits neither: the facts may be false there.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("candidates", "proven_bounds")

    def candidates(self, state: Any) -> Iterable[Any]:
        """Yield moves that include a best one.  Buys: the others are not searched.  Default: all moves."""
        return self.moves(state)

    def proven_bounds(self, state: Any) -> tuple[float, float]:
        """Return the lowest and the highest score that best play can lead to, for MAX.  Default: ``bounds``."""
        return self.bounds(state)

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Drop a parent's theory where a rule has changed."""
        if not vars(game_class).keys().isdisjoint(RULES):
            if "candidates" not in vars(game_class):
                game_class.candidates = game_class.moves
            if "proven_bounds" not in vars(game_class):
                game_class.proven_bounds = Theory.proven_bounds
