"""ManyPlayers: more than two players, or scores that do not sum to zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from plywise.layers.layer import Layer


class ManyPlayers(Layer):
    """Games with any number of players and a score for each.  Buys: max^n."""

    METHODS: ClassVar[tuple[str, ...]] = ("scores", "estimates")

    players: ClassVar[int] = 2
    """The number of players; ``to_move`` returns 0 to ``players - 1``."""

    sum_bounds: ClassVar[Sequence[float]] = (-math.inf, math.inf)
    """The lowest score or estimate of any player, and the highest sum over all players.  Buys: pruning in max^n."""

    def scores(self, state: Any) -> Sequence[float]:
        """Return each player's score of a finished game.  Buys: max^n."""
        score = self.score(state)
        return (score, -score)

    def estimates(self, state: Any) -> Sequence[float]:
        """Return an estimate of each player's score of an unfinished game.  Buys: max^n with a depth limit.

        Default if the class defines ``scores``: ``scores``, as if the game ended here.
        """
        value = self.evaluate(state)
        return (value, -value)

    def score(self, state: Any) -> float:
        """Return the first player's score."""
        return self.scores(state)[0]

    def is_zero_sum(self) -> bool:
        """Return True for two players if the game defines ``score``.

        One player counts too: Max, without an opponent.
        """
        return self.players <= 2 and type(self).score is not ManyPlayers.score

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Use ``scores`` as ``estimates`` where a class defines only ``scores``."""
        if "scores" in vars(game_class) and "estimates" not in vars(game_class):
            game_class.estimates = _scores_as_estimates


def _scores_as_estimates(self: ManyPlayers, state: Any) -> Sequence[float]:
    return self.scores(state)
