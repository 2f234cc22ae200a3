"""One step of iterative deepening: a search with an aspiration window, widened until the value lies within."""

from __future__ import annotations

from plywise.algorithms.common import infinity
from plywise.bits import any_number
from plywise.engine.plan import Plan
from plywise.engine.pvs import pvs
from plywise.engine.table import NO_MOVE, Table
from plywise.engine.work import HORIZON, Work
from plywise.game import Game, Number, State

WIDER = 4
"""How much the side of a window grows on which the value lies outside."""

WIDEST = 1 << 40
"""From here on a side is open."""


def aspire(
    game: Game, state: State, depth: int, guess: Number, width: Number, plan: Plan, table: Table, work: Work
) -> Number:
    """Return the value for the player to move, which is expected within ``width`` of ``guess``.

    After it, ``work.count[HORIZON]`` is 0 if the value is proven.
    """
    root, nothing = any_number(0), any_number(NO_MOVE)
    alpha, beta = -infinity(game), infinity(game)
    below = above = width
    if width < infinity(game):
        alpha, beta = guess - below, guess + above
    while True:
        work.count[HORIZON] = 0
        value = pvs(game, state, depth, alpha, beta, root, root, nothing, nothing, plan, table, work)
        if value <= alpha and alpha > -infinity(game):
            below *= WIDER
            alpha = guess - below if below < WIDEST else -infinity(game)
        elif value >= beta and beta < infinity(game):
            above *= WIDER
            beta = guess + above if above < WIDEST else infinity(game)
        else:
            return value
