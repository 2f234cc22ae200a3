"""Perft: the number of move sequences of a given length, the standard test of a game's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.game import Game, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def perft(game: Game, state: State, depth: int, watch: Watcher) -> int:
    """Return how many sequences of exactly ``depth`` legal moves start at ``state``.  A finished game has none."""
    watch.enter(state, depth, 0, 0)
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    if depth == 1:
        return game.count_moves(state)
    count = 0
    for move in game.moves(state):
        count += perft(game, game.play(state, move), depth - 1, watch)
    return count
