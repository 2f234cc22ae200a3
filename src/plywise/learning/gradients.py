"""How wrong a network is about positions, and which way each weight should move.

These functions are compiled without a game and for every size of network.  All numbers are float32, so that the loops
over hidden units run on vectors.
"""

from __future__ import annotations

import math

import numpy as np

from plywise.engine.network import MOST_WEIGHT
from plywise.learning.examples import Examples
from plywise.learning.weights import Weights

ZERO, ONE, TWO = np.float32(0), np.float32(1), np.float32(2)
MOST = np.float32(MOST_WEIGHT)
KEPT, KEPT_SQUARES = np.float32(0.9), np.float32(0.99)
"""How much of the average gradient, and of its average square, Adam keeps at each step."""
TINY = np.float32(1e-8)
DIRECT_PACE = np.float32(20)
"""How much faster direct weights move: some are worth several logits, which small steps would not reach."""


def add_gradients(examples: Examples, chunks: np.ndarray, size: int, weights: Weights, gradient: Weights) -> float:
    """Add the gradient of the cross-entropy of each position in these chunks of ``size`` positions; return the sum of
    the cross-entropies.
    """
    own, their = np.empty_like(weights.biases), np.empty_like(weights.biases)
    total = 0.0
    for chunk in chunks:
        for row in range(size * chunk, min(size * (chunk + 1), len(examples.targets))):
            total += add_gradient(examples, row, weights, gradient, own, their)
    return total


def add_gradient(
    examples: Examples, row: int, weights: Weights, gradient: Weights, own: np.ndarray, their: np.ndarray
) -> np.float32:
    """Add the gradient of the cross-entropy of one position to ``gradient``; return the cross-entropy."""
    hidden, bucket = len(own), examples.buckets[row]
    logit, target = logit_of(examples, row, weights, own, their), examples.targets[row]
    small = np.exp(-abs(logit))
    slope = (ONE if logit > 0 else small) / (ONE + small) - target
    gradient.offsets[bucket] += slope
    outputs, output_gradient = weights.outputs[bucket], gradient.outputs[bucket]
    to_view(slope, own, outputs[:hidden], output_gradient[:hidden], gradient.biases)
    to_view(slope, their, outputs[hidden:], output_gradient[hidden:], gradient.biases)
    to_inputs(own, examples.own, examples.own_starts[row], examples.own_starts[row + 1], gradient.inputs)
    to_inputs(their, examples.their, examples.their_starts[row], examples.their_starts[row + 1], gradient.inputs)
    if len(gradient.direct):
        for place in range(examples.own_starts[row], examples.own_starts[row + 1]):
            gradient.direct[examples.own[place], bucket] += slope
    entropy: np.float32 = max(logit, ZERO) - target * logit + np.log1p(small)
    return entropy


def find_logits(examples: Examples, first: int, last: int, weights: Weights, logits: np.ndarray) -> int:
    """Fill in the logits of the positions from ``first`` to ``last``."""
    own, their = np.empty_like(weights.biases), np.empty_like(weights.biases)
    for row in range(first, last):
        logits[row] = logit_of(examples, row, weights, own, their)
    return 0


def logit_of(examples: Examples, row: int, weights: Weights, own: np.ndarray, their: np.ndarray) -> np.float32:
    """Return a position's logit, and leave both views in ``own`` and ``their``, clipped."""
    hidden, bucket = len(own), examples.buckets[row]
    see(examples.own, examples.own_starts[row], examples.own_starts[row + 1], weights, own)
    see(examples.their, examples.their_starts[row], examples.their_starts[row + 1], weights, their)
    outputs = weights.outputs[bucket]
    logit: np.float32 = examples.base[row] + weights.offsets[bucket]
    for index in range(hidden):
        logit += own[index] * own[index] * outputs[index] + their[index] * their[index] * outputs[hidden + index]
    if len(weights.direct):
        for place in range(examples.own_starts[row], examples.own_starts[row + 1]):
            logit += weights.direct[examples.own[place], bucket]
    return logit


def see(features: np.ndarray, first: int, last: int, weights: Weights, view: np.ndarray) -> None:
    """Add up the rows of the features of a view, and clip the sums."""
    inputs = weights.inputs
    for index in range(len(view)):
        view[index] = weights.biases[index]
    whole = last - (last - first) % 4
    for place in range(first, whole, 4):  # four rows for each time the sums are read and written
        a, b, c, d = features[place], features[place + 1], features[place + 2], features[place + 3]
        for index in range(len(view)):
            view[index] += (inputs[a, index] + inputs[b, index]) + (inputs[c, index] + inputs[d, index])
    for place in range(whole, last):
        for index in range(len(view)):
            view[index] += inputs[features[place], index]
    for index in range(len(view)):
        view[index] = min(max(view[index], ZERO), ONE)


def to_view(
    slope: np.float32, view: np.ndarray, outputs: np.ndarray, output_gradient: np.ndarray, bias_gradient: np.ndarray
) -> None:
    """Carry the slope of the logit back through a view's outputs; ``view`` then holds the slopes of its sums."""
    for index in range(len(view)):
        value = view[index]
        output_gradient[index] += slope * value * value
        back = TWO * slope * value * outputs[index] if value < ONE else ZERO
        bias_gradient[index] += back
        view[index] = back


def to_inputs(slopes: np.ndarray, features: np.ndarray, first: int, last: int, gradient: np.ndarray) -> None:
    """Add the slopes of a view to the rows of its features."""
    for place in range(first, last):
        feature = features[place]
        for index in range(len(slopes)):
            gradient[feature, index] += slopes[index]


def adjust(
    numbers: np.ndarray, gradients: np.ndarray, averages: np.ndarray, squares: np.ndarray, first: int, last: int,
    limited: int, direct: int, step: int, count: int, rate: float, decay: float,
) -> int:  # fmt: skip
    """Move the weights from ``first`` to ``last`` by Adam with decoupled decay (Loshchilov and Hutter 2019), and clear
    the gradients, one row a thread, that ``count`` positions have added up.  The first weights are ``limited``, and
    from ``direct`` on they are direct ones.
    """
    numbers, averages, squares = numbers[first:last], averages[first:last], squares[first:last]
    share, shrunk = np.float32(1 / count), np.float32(1 - rate * decay)
    pace = np.float32(rate / (1 - KEPT**step))
    correction = np.float32(1 / math.sqrt(1 - KEPT_SQUARES**step))
    total = gradients[0, first:last]
    for part in range(1, len(gradients)):
        other = gradients[part, first:last]
        for index in range(len(total)):
            total[index] += other[index]
            other[index] = ZERO
    for index in range(len(total)):
        slope = total[index] * share
        total[index] = ZERO
        averages[index] = KEPT * averages[index] + (ONE - KEPT) * slope
        squares[index] = KEPT_SQUARES * squares[index] + (ONE - KEPT_SQUARES) * slope * slope
        change = np.divide(averages[index], np.sqrt(squares[index]) * correction + TINY)  # "/" would look for zeros
        numbers[index] = shrunk * numbers[index] - (pace if index < direct - first else pace * DIRECT_PACE) * change
    for index in range(min(len(total), limited - first)):
        numbers[index] = min(max(numbers[index], -MOST), MOST)
    return 0
