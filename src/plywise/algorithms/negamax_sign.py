"""Negamax with an explicit sign: +1 where MAX is to move, -1 where MIN is, handed down with the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import Game, Number, State, sign

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def negamax_sign(game: Game, state: State, depth: int, watch: Watcher) -> Number:
    """Return the value of ``state`` for the player to move, searching ``depth`` plies."""
    return signed_value(game, state, depth, sign(game.to_move(state)), watch)


def signed_value(game: Game, state: State, depth: int, turn: int, watch: Watcher) -> Number:
    """Return ``turn`` times the value for MAX."""
    watch.enter(state, depth, -infinity(game), infinity(game))
    if depth == 0 or game.is_terminal(state):
        return turn * leaf(game, state, depth, watch)
    best = -infinity(game)
    for move in game.moves(state):
        child = game.play(state, move)
        child_turn = sign(game.to_move(child))
        value = turn * child_turn * signed_value(game, child, depth - 1, child_turn, watch)
        if value > best:
            best = value
            watch.update(state, depth, move, best, best, infinity(game))
    watch.leave(state, depth, best)
    return best
