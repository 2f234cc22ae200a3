"""A player whose judgement is off: for people who want to win now and then."""

from __future__ import annotations

import random

from plywise.game import sign
from plywise.result import Result

LINES = 5
"""Of how many of the best moves such a player chooses one."""


def seemingly_best(result: Result, error: float, chance: random.Random) -> Result:
    """Return the line that seems best, of those that were found, to somebody with this usual error."""
    turn = sign(result.game.to_move(result.state))
    return max(result.lines or (result,), key=lambda line: turn * line.value + chance.gauss(0, error))
