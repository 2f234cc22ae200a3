"""Negamax: what is good for one player is as bad for the other, so one rule serves both (Knuth and Moore 1975)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import Game, Number, State, sign

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def negamax(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the value of ``state`` for the player to move, searching ``depth`` plies.

    The value of a child is negated if the other player moves there.
    """
    watch.enter(state, depth, -infinity(game), infinity(game))
    player = game.to_move(state)
    if depth == 0 or game.is_terminal(state):
        return sign(player) * leaf(game, state, depth, watch)
    best = -infinity(game)
    for move in game.moves(state):
        child = game.play(state, move)
        value = negamax(game, child, depth - 1, watch)
        if game.to_move(child) != player:
            value = -value
        if value > best:
            best = value
            watch.update(state, depth, move, best, best, infinity(game))
    watch.leave(state, depth, best)
    return best
