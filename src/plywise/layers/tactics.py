"""Tactics: noisy moves, their gains, and null moves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Tactics(Layer):
    """Knowledge about exchanges.  Buys: quiescence search, null-move pruning and pruning near the horizon."""

    METHODS: ClassVar[tuple[str, ...]] = ("noisy_moves", "gain", "wins_at_least", "extension", "pass_move", "trait")
    FORMER: ClassVar[Mapping[str, str]] = {
        "can_pass": "return the position itself from pass_move() where passing would be an advantage"
    }

    swing: ClassVar[float] = math.inf
    """How much one ply usually changes the evaluation, such as the value of a pawn.  Buys: futility pruning, razoring
    and other pruning by margins.  Infinite: none of these.
    """

    def margins(self) -> Mapping[str, float]:
        """Return the numbers of selective search that differ from the usual ones, by name, as ``plywise tune --search``
        finds them.  Buys: pruning and reductions that fit the game.  Default: none differ.
        """
        return {}

    def noisy_moves(self, state: Any) -> Iterable[Any]:
        """Yield moves that change the evaluation abruptly, such as captures.  Buys: quiescence search."""
        for move in range(0):
            yield move

    def gain(self, state: Any, move: Any) -> int:
        """Return what a noisy move wins at once, such as the captured piece; 0 if it is quiet.  Buys: move ordering."""
        return 0

    def wins_at_least(self, state: Any, move: Any, amount: float) -> bool:
        """Return whether the exchange that a move starts wins ``amount``.  Buys: bad exchanges come last, or never.

        Default: compare ``gain`` alone.
        """
        return self.gain(state, move) >= amount

    def extension(self, state: Any) -> int:
        """Return how many extra plies to search here, such as 1 in check.  Buys: forced lines are searched out.

        Most positions of a line must return 0.  Where it is above 0, ``noisy_moves`` must yield every move: a side in
        check cannot stand pat.
        """
        return 0

    def pass_move(self, state: Any) -> Any:
        """Return the position after a pass, legal or not.  Buys: null-move pruning.

        Return ``state`` itself where passing may be an advantage (zugzwang) or is pointless, as in check.
        """
        return state

    def trait(self, state: Any, move: Any) -> int:
        """Return an id shared by similar moves, such as one piece going to one square.  Buys: continuation history."""
        return move  # type: ignore[no-any-return]
