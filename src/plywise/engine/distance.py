"""Win distances: a win is worth one point less for every ply until it comes.  The table stores distances from its own
positions; the search uses distances from the root.
"""

from __future__ import annotations

from plywise.algorithms.common import infinity, limits
from plywise.compiling.native import inlined
from plywise.game import Game, Number
from plywise.inputs.limits import LONGEST_LINE


@inlined
def winning(game: Game) -> Number:
    """Return the lowest value that stands for a win at some distance; infinite if the game has no ``win_score``."""
    return limits(game, (-infinity(game), game.win_score - LONGEST_LINE))[1]


@inlined
def farther(game: Game, value: Number, ply: int) -> Number:
    """Return a value at the root as a value at ``ply``."""
    if value >= winning(game):
        return value + ply
    return value - ply if -value >= winning(game) else value


@inlined
def nearer(game: Game, value: Number, ply: int) -> Number:
    """Return a value at ``ply`` as a value at the root."""
    if value >= winning(game):
        return value - ply
    return value + ply if -value >= winning(game) else value
