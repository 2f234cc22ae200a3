"""Tactics: which moves are noisy, and how much a move or a pass may change."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Tactics(Layer):
    """What a game knows about exchanges.  Buys: quiescence search, the null move and pruning near the horizon."""

    METHODS: ClassVar[tuple[str, ...]] = ("noisy_moves", "gain", "wins_at_least", "extension", "pass_move", "trait")
    FORMER: ClassVar[Mapping[str, str]] = {
        "can_pass": "return the position itself from pass_move() where passing would be an advantage"
    }

    swing: ClassVar[float] = math.inf
    """How much one ply usually changes the evaluation, such as the worth of a pawn.  Buys: futility pruning, razoring
    and the other margins.  Infinite: no margins.
    """

    def noisy_moves(self, state: Any) -> Iterable[Any]:
        """Yield the moves that change the evaluation abruptly.  Buys: no evaluation in the middle of an exchange."""
        for move in range(0):
            yield move

    def gain(self, state: Any, move: Any) -> int:
        """Return what a noisy move, such as a capture, wins at once; 0 for a quiet one.  Buys: noisy moves first."""
        return 0

    def wins_at_least(self, state: Any, move: Any, amount: float) -> bool:
        """Return whether a move, with the exchange it begins, wins ``amount``.  Buys: bad exchanges last, or never.

        Default: judged by ``gain`` alone.
        """
        return self.gain(state, move) >= amount

    def extension(self, state: Any) -> int:
        """Return how many plies deeper to search this position, such as 1 in check.  Buys: forced lines to their end.

        Return 0 for most positions of any line.  Where it is more, ``noisy_moves`` must yield every move: a side in
        check cannot stand pat, so moves that are not yielded there are missed.
        """
        return 0

    def pass_move(self, state: Any) -> Any:
        """Return the position after a pass, legal or not.  Buys: the null move.

        Return ``state`` itself where a pass may be an advantage (zugzwang), or where it makes no sense, as in check.
        """
        return state

    def trait(self, state: Any, move: Any) -> int:
        """Return an id shared by similar moves, such as one piece going to one square.  Buys: continuation history."""
        return move  # type: ignore[no-any-return]
