"""Aspiration windows: search a small window around a guess; if the value is outside, widen that side and try again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.alphabeta import alphabeta
from plywise.algorithms.common import CutRule
from plywise.game import Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def aspiration(
    game: Game, state: State, depth: int, guess: Number, margin: Number, rule: CutRule, watch: Watcher
) -> Number:
    """Return the minimax value.  ``margin`` is half the width of the first window and doubles after each failure."""
    alpha, beta = guess - margin, guess + margin
    while True:
        watch.restart(state, depth, alpha, beta)
        value = alphabeta(game, state, depth, alpha, beta, rule, watch)
        if alpha < value < beta:
            return value
        margin *= 2
        if value <= alpha:
            alpha = value - margin
        else:
            beta = value + margin
