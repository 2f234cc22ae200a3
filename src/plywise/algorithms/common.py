"""Helpers that all algorithms share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from plywise.compiling.native import WHOLE_INFINITY, Native, inlined
from plywise.compiling.scores import above_of, infinity_of, limits_of_max
from plywise.compiling.twins import twin
from plywise.errors import GameError
from plywise.game import MIN, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


@twin(infinity_of)
def infinity(game: Game) -> Number:
    """Return a number above every score of the game."""
    return math.inf


@twin(above_of)
def above(game: Game, value: Number) -> Number:
    """Return the smallest number above ``value``.  No score lies between, so (value, above) is a null window."""
    if game.whole_scores() and math.isfinite(value):
        return math.floor(value) + 1
    return math.nextafter(value, math.inf)


@twin(limits_of_max)
def limits(game: Game, pair: tuple[Number, Number]) -> tuple[Number, Number]:
    """Return a pair of limits, such as ``bounds`` returns, as scores of the game: low rounded down, high rounded up."""
    low, high = pair
    if game.whole_scores():
        return (low if math.isinf(low) else math.floor(low), high if math.isinf(high) else math.ceil(high))
    return low, high


@inlined
def span(game: Game, pair: tuple[Number, Number], player: int) -> tuple[Number, Number]:
    """Return limits of MAX's score as limits of ``player``'s score."""
    worst, most = limits(game, pair)
    return (-most, -worst) if player == MIN else (worst, most)


@inlined
def leaf(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the value of a leaf for MAX: the score if the game is over, else the evaluation."""
    if game.is_terminal(state):
        value = game.score(state)
        watch.leaf(state, depth, value, True)
    else:
        value = game.evaluate(state)
        watch.leaf(state, depth, value, False)
    return value


def check_value(game: Game, value: Any) -> None:
    """Check that a value is finite.

    Raises:
        GameError: it is not, so the game is wrong.
    """
    if abs(value) >= WHOLE_INFINITY:
        raise GameError(f"{game!r} has an infinite score, or no moves in a position that is not terminal: "
                        "run 'plywise check' to find it")  # fmt: skip


class CutRule(Native):
    """When to cut off: on ``alpha >= beta``, or, if strict, only on ``alpha > beta``."""

    strict: bool = False

    def cuts(self, alpha: Number, beta: Number) -> bool:
        """Return whether this window causes a cutoff."""
        return alpha > beta if self.strict else alpha >= beta
