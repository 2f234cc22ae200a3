"""Boolean search: is the value at least m?  With yes and no for scores, minimax becomes OR and AND.

An OR node (MAX) stops at the first yes, an AND node (MIN) at the first no.  Two such searches, ``v >= m`` and
``v > m``, prove that m is the value: see ``prove``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def boolean(game: Game, state: State, depth: int, goal: Number, strict: bool, watch: Watcher) -> bool:
    """Return whether the minimax value is at least ``goal``; if ``strict``, whether it is above ``goal``."""
    watch.enter(state, depth, goal, goal)
    if depth == 0 or game.is_terminal(state):
        value = leaf(game, state, depth, watch)
        return value > goal or (value == goal and not strict)
    wanted = game.to_move(state) == MAX  # the answer that the player to move wants
    answer = not wanted
    for move in game.moves(state):
        if boolean(game, game.play(state, move), depth - 1, goal, strict, watch) == wanted:
            answer = wanted
            watch.update(state, depth, move, answer, -infinity(game), infinity(game))
            watch.cut(state, depth, move, goal, goal)
            break
    watch.leave(state, depth, answer)
    return answer
