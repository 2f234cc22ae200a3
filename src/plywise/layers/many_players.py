"""ManyPlayers: more than two players, or scores that do not sum to zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from plywise.layers.layer import Layer


class ManyPlayers(Layer):
    """How many players there are and what each gets.  Buys: max^n."""

    METHODS: ClassVar[tuple[str, ...]] = ("scores", "estimates")

    players: ClassVar[int] = 2
    """How many play; ``to_move`` returns 0 to ``players - 1``."""

    sum_bounds: ClassVar[Sequence[float]] = (-math.inf, math.inf)
    """The lowest score, or estimate, of one player and the highest sum of all of them.  Buys: pruning in max^n."""

    def scores(self, state: Any) -> Sequence[float]:
        """Return what a finished game is worth for each player."""
        score = self.score(state)
        return (score, -score)

    def estimates(self, state: Any) -> Sequence[float]:
        """Estimate the scores of an unfinished game.  Buys: max^n with a depth limit.

        Default where ``scores`` is defined: ``scores``, as if the game ended here.
        """
        value = self.evaluate(state)
        return (value, -value)

    def score(self, state: Any) -> float:
        """Return the first player's score."""
        return self.scores(state)[0]

    def is_zero_sum(self) -> bool:
        """Return whether one number is the score of both players: there are two, and the game defines ``score`` too."""
        return self.players == 2 and type(self).score is not ManyPlayers.score

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Estimate by ``scores`` where a class defines them alone."""
        if "scores" in vars(game_class) and "estimates" not in vars(game_class):
            game_class.estimates = _scores_as_estimates


def _scores_as_estimates(self: ManyPlayers, state: Any) -> Sequence[float]:
    return self.scores(state)
