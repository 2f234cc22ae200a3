"""The few words that all algorithms share."""

from __future__ import annotations

import math

from plywise.bridge import above_of, infinity_of, twin


@twin(infinity_of)
def infinity(game):
    """Return a number above every score of the game."""
    return math.inf


@twin(above_of)
def above(game, value):
    """Return the least number above ``value``: no score lies between, so (value, above) is a null window."""
    if game.whole_scores() and math.isfinite(value):
        return value + 1
    return math.nextafter(value, math.inf)


def leaf(game, state, depth, watch):
    """Return the value of a leaf for MAX: the score of a finished game, the evaluation of any other."""
    value = worth(game, state)
    watch.leaf(state, depth, value, game.is_terminal(state))
    return value


def worth(game, state):
    """Return the score of a finished game, the evaluation of any other."""
    if game.is_terminal(state):
        return game.score(state)
    return game.evaluate(state)


def cuts(alpha, beta, strict):
    """Return whether the window is closed: on ``alpha >= beta``, or, if strict, only on ``alpha > beta``."""
    return alpha > beta or (alpha == beta and not strict)
