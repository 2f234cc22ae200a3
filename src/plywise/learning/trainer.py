"""Train a network on examples: Adam on random batches, the work of each batch split over threads.

The loss of a position is the cross-entropy of target and prediction, less the entropy of the target: 0 if the network
expects the target.  Some games are held out; the weights of the epoch that predicts these best are kept.
"""

from __future__ import annotations

import dataclasses
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from plywise.errors import SearchError
from plywise.learning.examples import Examples, runnable
from plywise.learning.gradients import add_gradients, adjust, find_logits
from plywise.learning.weights import Shape, Weights

BATCH = 8_192
STEPS = 200
"""An epoch has at least this many steps; batches of small data are smaller."""
CHUNKS = 256
"""Positions are mixed once, later only chunks of neighbours, this many a batch: reading in order is twice as fast."""
WARM_UP = 100
"""Steps until the rate is reached."""
EPOCHS = 8
RATE = 4e-3
DECAY = 0.2
HELD_OUT = 0.05
"""The share of the games held out for testing."""


@dataclasses.dataclass
class Fit:
    """What training led to."""

    weights: Weights
    """Those of the epoch with the least loss on held-out games."""
    learned: list[float]
    """The mean loss of the positions learned from, while they were learned, by epoch."""
    held_out: list[float]
    """The mean loss of the held-out positions: first before training, then after each epoch."""
    positions: int = 0
    """How many positions were learned from."""
    seconds: float = 0.0
    interrupted: bool = False


def train(
    examples: Examples,
    weights: Weights,
    epochs: int = EPOCHS,
    rate: float = RATE,
    decay: float = DECAY,
    batch: int | None = None,
    held_out: float = HELD_OUT,
    seed: int = 0,
    threads: int | None = None,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> Fit:
    """Return better weights.  Equal arguments, number of threads included, give equal weights.

    Args:
        weights: where to begin; not changed.
        rate: the step size of Adam, which rises at first and then falls to almost 0 along a cosine.
        decay: the share of a weight that a step of size 1 takes away.
        batch: the number of positions for a step; by default 8,192, and fewer if there are few positions.
        held_out: the share of the games to test with; see ``split``.
        threads: how many threads to use, by default one for each processor.
        on_step: called with the number of steps done, and of all steps.  Ctrl-C here, as anywhere, ends training.

    Raises:
        SearchError: there is only one game, or the network does not have all features and buckets.
    """
    begun = time.perf_counter()
    fit, chance = Fit(weights, [], []), np.random.default_rng(seed)
    try:
        learn, test = split(examples, held_out, seed)
        fit.positions = learn.positions
        batch = batch or min(BATCH, max(1, learn.positions // STEPS))
        chunk, steps = max(1, batch // CHUNKS), math.ceil(learn.positions / batch)
        with _Training(examples, weights, threads) as training:
            fit.held_out.append(training.loss(test))
            for _ in range(epochs):
                learned = 0.0
                for chunks in np.array_split(chance.permutation(math.ceil(learn.positions / chunk)), steps):
                    pace = _pace(training.steps + 1, steps * epochs)
                    learned += training.step(learn, chunks, chunk, rate * pace, decay)
                    on_step(training.steps, steps * epochs)
                fit.learned.append(learned / learn.positions - _entropy(learn.targets))
                fit.held_out.append(training.loss(test))
                if fit.held_out[-1] <= min(fit.held_out):
                    fit.weights = training.copy()
    except KeyboardInterrupt:
        fit.interrupted = True
    fit.seconds = time.perf_counter() - begun
    return fit


def logits(examples: Examples, weights: Weights, threads: int | None = None) -> np.ndarray:
    """Return the logit of each position.

    For a quantised network, ``weights`` are ``Weights.from_arrays`` of its arrays: its own logits, which are rounded
    down to units of 1 / UNIT, differ from these by no more than this unit and the rounding of float32.
    """
    with _Training(examples, weights, threads) as training:
        return training.logits(examples)


def loss(examples: Examples, weights: Weights, threads: int | None = None) -> float:
    """Return the mean loss of all positions; see ``logits`` for quantised networks."""
    with _Training(examples, weights, threads) as training:
        return training.loss(examples)


def split(examples: Examples, share: float, seed: int) -> tuple[Examples, Examples]:
    """Return the positions to learn from, in random order, and those to test with: ``share`` of the games, but at least
    one.  With more data, the games held out before stay so.

    Raises:
        SearchError: there is only one game.
    """
    chance = np.random.default_rng(seed)
    chances = chance.random(int(examples.games.max(initial=0)) + 1)[examples.games]
    held = chances <= max(share, chances.min(initial=1))
    if held.all():
        raise SearchError(f"{examples.positions} positions of one game: learning and testing take at least two games")
    return examples.chosen(chance.permutation(np.flatnonzero(~held))), examples.chosen(np.flatnonzero(held))


def _check(examples: Examples, shape: Shape) -> None:
    """Raise SearchError if the network does not have all features and buckets: compiled code would read elsewhere."""
    feature = max(examples.own.max(initial=0), examples.their.max(initial=0))
    bucket = examples.buckets.max(initial=0)
    if feature >= shape.features or bucket >= shape.buckets:
        raise SearchError(
            f"the examples have features up to {feature} and buckets up to {bucket}, but the network has only "
            f"{shape.features} features and {shape.buckets} buckets"
        )


def _entropy(targets: np.ndarray) -> float:
    """Return the mean entropy of targets: the cross-entropy that is left if each is predicted."""
    inner = targets[(targets > 0) & (targets < 1)]
    return -float(np.sum(inner * np.log(inner) + (1 - inner) * np.log1p(-inner), dtype=float)) / max(1, len(targets))


def _pace(step: int, total: int) -> float:
    """Return the share of the rate to use: it rises in a straight line, and falls to 1 % along a cosine."""
    return min(1.0, step / min(WARM_UP, 1 + total // 10)) * (0.505 + 0.495 * math.cos(math.pi * step / total))


class _Training:
    """Weights that change, and threads that work on them."""

    def __init__(self, examples: Examples, weights: Weights, threads: int | None) -> None:
        _check(examples, weights.shape)
        self.threads = threads or os.cpu_count() or 1
        self.shape, self.numbers, self.steps = weights.shape, weights.flat(), 0
        self.weights = Weights.views(self.numbers, self.shape)
        self.averages, self.squares = np.zeros_like(self.numbers), np.zeros_like(self.numbers)
        self.gradients = np.zeros((self.threads, len(self.numbers)), np.float32)
        self.parts = [Weights.views(part, self.shape) for part in self.gradients]
        self.pool = ThreadPoolExecutor(self.threads, "plywise training")

    def __enter__(self) -> _Training:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown()

    def step(self, examples: Examples, chunks: np.ndarray, size: int, rate: float, decay: float) -> float:
        """Learn from these chunks of positions; return the sum of their losses."""
        self.steps += 1
        count = int(np.sum(np.minimum(size * (chunks + 1), examples.positions) - size * chunks))
        shares = np.array_split(chunks, self.threads)
        losses = self._each(add_gradients, lambda part: (examples, shares[part], size, self.weights, self.parts[part]))
        state = (self.numbers, self.gradients, self.averages, self.squares)
        _, _, limited, direct, _ = self.shape.ends
        plan = (limited, direct, self.steps, count, rate, decay)
        self._each(adjust, lambda part: (*state, *self._range(len(self.numbers), part), *plan))
        return float(sum(losses))

    def logits(self, examples: Examples) -> np.ndarray:
        """Return the logits of all positions."""
        found = np.empty(examples.positions, np.float32)
        self._each(find_logits, lambda part: (examples, *self._range(examples.positions, part), self.weights, found))
        return found

    def loss(self, examples: Examples) -> float:
        """Return the mean loss of all positions."""
        found, targets = self.logits(examples), examples.targets
        return float(np.mean(np.logaddexp(0, found) - targets * found, dtype=float)) - _entropy(targets)

    def copy(self) -> Weights:
        """Return the weights as they are now."""
        return Weights.views(self.numbers.copy(), self.shape)

    def _range(self, count: int, part: int) -> tuple[int, int]:
        """Return where a thread's part of ``count`` things begins and ends."""
        return count * part // self.threads, count * (part + 1) // self.threads

    def _each(self, function: Any, arguments: Callable[[int], tuple[Any, ...]]) -> list[Any]:
        """Call a function in all threads, each with its own arguments, and return the results."""
        run = runnable(function)
        return list(self.pool.map(lambda part: run(*arguments(part)), range(self.threads)))
