"""All complete games, by recursive backtracking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.game import Game, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def terminals(game: Game, state: State, depth: int, watch: Watcher) -> int:
    """Return the number of ways to finish the game from ``state`` within ``depth`` plies; ``watch`` sees each end."""
    watch.enter(state, depth, 0, 0)
    if game.is_terminal(state):
        watch.leaf(state, depth, game.score(state), True)
        return 1
    if depth == 0:
        watch.leaf(state, depth, game.evaluate(state), False)
        return 0
    count = 0
    for move in game.moves(state):
        count += terminals(game, game.play(state, move), depth - 1, watch)
    watch.leave(state, depth, count)
    return count
