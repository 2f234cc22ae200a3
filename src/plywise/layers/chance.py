"""Chance: dice, shuffled cards and everything else that nobody decides."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.layers.layer import Layer

CHANCE = -1
"""Returned by ``to_move`` where chance decides what happens next."""

NEARLY_ONE = 1e-6
"""How far from one a search and an umpire let the sum of probabilities be; ``plywise check`` is stricter."""


class Chance(Layer):
    """Positions in which chance moves.  Buys: dice.

    Where ``to_move`` returns CHANCE, ``moves`` yields the possible outcomes, and ``play`` returns the position after
    one of them.  The value of such a position is the average over its outcomes, weighted by their probabilities.
    """

    REAL_VALUES: ClassVar[bool] = True
    METHODS: ClassVar[tuple[str, ...]] = ("probability",)

    def probability(self, state: Any, move: Any) -> float:
        """Return the probability of an outcome.  Default: all outcomes are equally likely.

        The probabilities of all outcomes are positive and their sum is one.
        """
        count = 0
        for _ in self.moves(state):
            count += 1
        return 1 / count

    def whole_scores(self) -> bool:
        """Return False: an average need not be a whole number."""
        return False
