"""Theory: facts about positions that are known without search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from plywise.layers.layer import REQUIRED, Layer

RULES = frozenset(REQUIRED) - {"initial"}
"""The rules that theory depends on."""


class Theory(Layer):
    """Facts that follow from the rules.  Buys: fewer positions to search, even in exact searches.

    A wrong fact makes wrong proofs, so ``plywise check`` compares ``candidates`` and ``proven_bounds`` with plain
    minimax.  A subclass that changes a rule inherits neither: its parent's facts may be false there.  It inherits
    ``nearly_over``, which changes no value.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("candidates", "proven_bounds", "nearly_over")

    def candidates(self, state: Any) -> Iterable[Any]:
        """Yield moves that include a best one.  Buys: the search skips the others.  Default: all moves."""
        return self.moves(state)

    def proven_bounds(self, state: Any) -> tuple[float, float]:
        """Return proven bounds of the value for MAX.  Buys: cutoffs without search.  Default: ``bounds``."""
        return self.bounds(state)

    def nearly_over(self, state: Any) -> bool:
        """Return whether so few plies are left that a table and sorted moves cost more time than they save.

        Buys: an exact search does without them here and in all later positions; it tries moves in the order of
        ``candidates``.  Default: nowhere.
        """
        return False

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Drop the parent's theory if the class changes a rule."""
        if RULES & vars(game_class).keys():
            if "candidates" not in vars(game_class):
                game_class.candidates = game_class.moves
            if "proven_bounds" not in vars(game_class):
                game_class.proven_bounds = Theory.proven_bounds
