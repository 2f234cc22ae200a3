"""The weights of a network while it learns: float32 numbers, one after the other, that quantisation can represent.

A network sees a position through the eyes of both players.  Each view adds up the rows of its features:

    view = biases + sum of inputs[feature]                          (``hidden`` units)
    logit = offset + sum of clip(view, 0, 1)^2 * outputs            (the viewer's view, then the opponent's)

Outputs and offsets depend on the position's bucket.  Without hidden units the logit is linear instead: the offset and
``direct[feature, bucket]`` for each feature that the viewer sees.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plywise.engine.network import ARRAYS, INPUT_UNIT, MOST_WEIGHT, OUTPUT_UNIT, UNIT, Network

FIRST_BIAS = 0.1
"""Keeps most hidden units within the range that has a slope when learning begins."""


class Shape(NamedTuple):
    """The size of a network."""

    features: int
    hidden: int
    buckets: int = 1

    @property
    def parts(self) -> list[tuple[int, ...]]:
        """The shapes of the arrays of ``Weights``, in order."""
        features, hidden, buckets = self
        direct = (0 if hidden else features, buckets)
        return [(features if hidden else 0, hidden), (hidden,), (buckets, 2 * hidden), (buckets,), direct]

    @property
    def ends(self) -> list[int]:
        """Where each array ends if all weights lie one after the other."""
        return [int(end) for end in np.cumsum([math.prod(part) for part in self.parts])]


class Weights(NamedTuple):
    """A network in floating point.

    >>> weights = Weights.random(Shape(features=768, hidden=64, buckets=8))
    >>> weights.inputs.shape, weights.outputs.shape, weights.direct.shape
    ((768, 64), (8, 128), (0, 8))
    """

    inputs: np.ndarray
    biases: np.ndarray
    outputs: np.ndarray
    offsets: np.ndarray
    direct: np.ndarray

    @classmethod
    def views(cls, numbers: np.ndarray, shape: Shape) -> Weights:
        """Return weights that share their memory with ``numbers``, in which they lie one after the other."""
        pieces = np.split(numbers, shape.ends[:-1])
        return cls(*(piece.reshape(part) for piece, part in zip(pieces, shape.parts, strict=True)))

    @classmethod
    def random(cls, shape: Shape, active: float = 32.0, seed: int = 0) -> Weights:
        """Return weights to begin with, for positions with about ``active`` features.  The first logits are all 0: a
        correction begins as none.
        """
        weights = cls.views(np.zeros(shape.ends[-1], np.float32), shape)
        spread = min(1 / max(active, 1.0) ** 0.5, MOST_WEIGHT)
        weights.inputs[:] = np.random.default_rng(seed).uniform(-spread, spread, weights.inputs.shape)
        weights.biases[:] = FIRST_BIAS
        return weights

    @classmethod
    def from_arrays(
        cls, inputs: np.ndarray, biases: np.ndarray, outputs: np.ndarray, offsets: np.ndarray, direct: np.ndarray
    ) -> Weights:
        """Return what the arrays of a quantised network stand for."""
        arrays = zip((inputs, biases, outputs, offsets, direct), _UNITS, strict=True)
        return cls(*((array / unit).astype(np.float32) for array, unit in arrays))

    @classmethod
    def of(cls, network: Network) -> Weights:
        """Return what the arrays of a network stand for."""
        return cls.from_arrays(**{name: getattr(network, name) for name in ARRAYS})

    def to_network_arrays(self) -> dict[str, Any]:
        """Return the arrays of a quantised network, by name."""
        parts = zip(self._fields, self, _UNITS, strict=True)
        return {name: np.rint(part.astype(float) * unit).astype(ARRAYS[name]) for name, part, unit in parts}

    @property
    def shape(self) -> Shape:
        """The size of the network."""
        return Shape(max(len(self.inputs), len(self.direct)), len(self.biases), len(self.offsets))

    def flat(self) -> np.ndarray:
        """Return a copy of all weights, one after the other; see ``views``."""
        return np.concatenate([part.ravel() for part in self])


_UNITS = (INPUT_UNIT, INPUT_UNIT, OUTPUT_UNIT, UNIT, UNIT)
