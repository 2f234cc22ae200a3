"""The scale at which values, in points of a game, predict its results best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def best_scale(values: np.ndarray, results: np.ndarray, low: float, high: float) -> float:
    """Return the scale at which values predict results, from 0 to 1, best."""

    def loss(scale: float) -> float:
        logits = values / scale
        return float(np.mean(np.logaddexp(0, logits) - results * logits))

    return minimum(loss, low, high)


def minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a unimodal function is lowest, to one percent, by golden-section search."""
    ratio = (5**0.5 - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > 0.01 * low:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return (low + high) / 2
