"""Recurrence: games in which positions can repeat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Recurrence(Layer):
    """How far back a repetition may reach, and its score.  Buys: games with repetition."""

    METHODS: ClassVar[tuple[str, ...]] = ("reversible", "repetition", "recurring", "without_history")

    repetitions: ClassVar[int] = 2
    """How many occurrences of a position end the game: 3 in chess.  A search stops at the second, because a player who
    can repeat once can repeat again.
    """

    def reversible(self, state: Any) -> int:
        """Return how many plies back this position may have occurred, 0 for never.  Buys: repetitions are found."""
        return 0

    def repetition(self, state: Any) -> float:
        """Return the score for MAX when ``state`` occurs again.  Buys: draws by repetition, or other rules.

        If repeating is forbidden, return a score worse than any loss for the player who repeats.  It must lie within
        ``bounds``.  Default: 0, a draw.
        """
        return 0

    def recurring(self, state: Any) -> tuple[Any, int]:
        """Return what makes two positions the same: they repeat each other if it is equal.  Buys: rules such as
        positional superko, where it does not matter who is to move.

        It is a key, as ``key`` returns it, and a player.  Default: the key and the player to move.
        """
        return self.key(state), self.to_move(state)

    def without_history(self, state: Any) -> Any:
        """Return the position without what is only history, such as the plies since the last capture.

        Buys: tables of all positions (``plywise.tabulate``), in which positions recur.  Rules that depend on history do
        not apply there.  The result is a position too: the same moves lead from it to the same positions.  Default: the
        position itself.
        """
        return state

    def endings(self, pieces: int) -> Iterable[Any]:
        """Yield all positions with this many pieces, without history.  Buys: endgame tables (``plywise.tabulate``).

        It is not compiled.  Default: none.
        """
        return ()


def recurs(game: Any, state: Any, path: Sequence[Any]) -> bool:
    """Return whether a position repeats one of those before it, within the reach of ``reversible``."""
    here, back = game.recurring(state), game.reversible(state)
    return any(game.recurring(earlier) == here for earlier in path[max(0, len(path) - back) :])
