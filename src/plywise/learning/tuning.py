"""Learn the weights of the evaluation from the results of games: Texel's method (Österlund 2014).

The evaluation v of a position predicts White's score as p = 1 / (1 + exp(-v / K)).  The weights w minimise the
cross-entropy of these predictions (logistic regression), plus a penalty for leaving the initial weights w0:

    mean of -(s log p + (1 - s) log(1 - p))  +  pull * sum of (w - w0)^2

The target s of a position is the result of its game.  If the data has an engine's opinion, s is a mixture of both: a
result alone says little about one position of a long game.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plywise.errors import SearchError
from plywise.game import State
from plywise.games.chess import features as f
from plywise.games.chess.chess import Chess
from plywise.learning.dataset import Dataset, call
from plywise.learning.scale import best_scale, minimum

HELD_OUT = 0.05
"""The share of the games held out for testing."""
BLEND = 0.8
PULL = 3e-7
ITERATIONS = 200
SCALES = (20.0, 2000.0)
"""The least and the largest K, in centipawns."""
ENDGAME_PAWN = 100
"""The value of an average pawn in the endgame, which makes the weights centipawns."""


@dataclasses.dataclass
class Fit:
    """Weights and how well they predict."""

    weights: np.ndarray
    scale: float
    """K: the evaluation, in centipawns, at which White is expected to score 73 %."""
    learned_from: int
    held_out: int
    before: float
    """The loss of the initial weights on the held-out positions, against results alone."""
    after: float
    """The same for the learned weights."""
    iterations: int = 0
    seconds: float = 0.0
    interrupted: bool = False


def tune(
    game: Chess,
    data: Dataset,
    start: np.ndarray,
    blend: float = BLEND,
    pull: float = PULL,
    iterations: int = ITERATIONS,
    seed: int = 0,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> Fit:
    """Learn weights.  Ctrl-C stops early and returns the latest weights.

    Args:
        game: chess.
        data: the positions.
        start: the initial weights, which also pull on the result.
        blend: the share of an engine's opinion, where there is one, in the target.
        pull: how strongly the initial weights pull.
        iterations: the most steps to take.
        seed: for the choice of held-out games.
        on_step: called with the number of steps done, and ``iterations``.

    Raises:
        SearchError: scipy is not installed, or there is too little data.
    """
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise SearchError("tuning needs scipy: pip install 'plywise[tune]'") from None
    begun = time.perf_counter()
    held = _held_out(data, seed)
    if held.all() or not held.any():
        raise SearchError(f"{len(data)} positions from {data.games[-1] + 1} games are too few to learn and test")
    learn, test = np.flatnonzero(~held), np.flatnonzero(held)
    scale = _best_scale(Loss(game, data, learn, data.results), start)
    loss = Loss(game, data, learn, _targets(data, blend))
    judge = Loss(game, data, test, data.results)
    steps: list[np.ndarray] = []

    def value(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(start.shape)
        found, gradient = loss(weights, scale)
        away = weights - start
        return found + pull * float(np.sum(away * away)), (gradient + 2 * pull * away).ravel()

    def after_step(flat: np.ndarray) -> None:
        steps.append(flat.reshape(start.shape).copy())
        on_step(len(steps), iterations)

    options = {"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": 20, "ftol": 1e-9, "gtol": 1e-9}
    interrupted = False
    try:
        minimize(value, start.ravel(), jac=True, method="L-BFGS-B", callback=after_step, options=options)
    except KeyboardInterrupt:
        interrupted = True
    weights = steps[-1] if steps else start
    before, after = (judge(judged, _best_scale(judge, judged))[0] for judged in (start, weights))
    weights, scale = in_centipawns(weights, scale, data)
    seconds = time.perf_counter() - begun
    return Fit(weights, scale, len(learn), len(test), before, after, len(steps), seconds, interrupted)


def _held_out(data: Dataset, seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed).random(int(data.games[-1]) + 1)
    held: np.ndarray = (chance < HELD_OUT)[data.games]
    return held


def _targets(data: Dataset, blend: float) -> np.ndarray:
    """Return the targets: results, mixed with the scores that opinions predict on the scale that fits results best."""
    known = np.isfinite(data.opinions)
    if not known.any() or blend == 0:
        return data.results
    opinions, results = data.opinions[known], data.results[known]
    scale = best_scale(opinions, results, *SCALES)
    targets: np.ndarray = data.results.copy()
    targets[known] = blend / (1 + np.exp(-opinions / scale)) + (1 - blend) * results
    return targets


def _best_scale(loss: Loss, weights: np.ndarray) -> float:
    """Return the K for which these weights predict best."""
    return minimum(lambda scale: loss(weights, scale)[0], *SCALES)


class Loss:
    """How badly weights predict the targets of some positions."""

    def __init__(self, game: Chess, data: Dataset, chosen: np.ndarray, targets: np.ndarray) -> None:
        self.game = game
        self.arrays = (chosen, data.places, data.counts, data.starts, data.taper, targets)

    def __call__(self, weights: np.ndarray, scale: float) -> tuple[float, np.ndarray]:
        """Return the mean cross-entropy and its gradient."""
        gradient = np.zeros_like(weights)
        total = np.zeros(1)
        call(add_losses, self.game, *self.arrays, np.ascontiguousarray(weights / scale), gradient, total)
        count = len(self.arrays[0])
        return float(total[0]) / count, gradient / (scale * count)


def add_losses(
    game: Chess, state: State, chosen: np.ndarray, places: np.ndarray, counts: np.ndarray, starts: np.ndarray,
    taper: np.ndarray, targets: np.ndarray, weights: np.ndarray, gradient: np.ndarray, total: np.ndarray,
) -> int:  # fmt: skip
    """Add the cross-entropy of each chosen position to ``total``, and its gradient to ``gradient``."""
    for position in chosen:
        middlegame, endgame = 0.0, 0.0
        for index in range(starts[position], starts[position + 1]):
            place, count = places[index], counts[index]
            middlegame += count * weights[place, 0]
            endgame += count * weights[place, 1]
        share = taper[position, 0]
        end_share = taper[position, 1] if endgame > 0 else taper[position, 2]
        logit = share * middlegame + end_share * endgame
        target = targets[position]
        total[0] += max(logit, 0.0) - target * logit + np.log1p(np.exp(-abs(logit)))
        error = 1 / (1 + np.exp(-logit)) - target
        for index in range(starts[position], starts[position + 1]):
            place, count = places[index], counts[index]
            gradient[place, 0] += error * share * count
            gradient[place, 1] += error * end_share * count
    return 0


def in_centipawns(weights: np.ndarray, scale: float, data: Dataset) -> tuple[np.ndarray, float]:
    """Return equivalent weights: tables of squares and mobility average 0, and a pawn is worth 100 in the endgame.

    Every man has a square and every piece a mobility, so the average of these tables belongs to the man's value.
    """
    weights = weights.copy()
    usage = np.bincount(data.places, weights=np.abs(data.counts), minlength=f.FEATURES) + 1e-9

    def centre(man: int, *tables: tuple[int, int]) -> None:
        places = np.concatenate([np.arange(first, first + size) for first, size in tables])
        mean = np.average(weights[places], axis=0, weights=usage[places])
        weights[places] -= mean
        if man < len(f.MEN) - 1:
            weights[f.MATERIAL + man] += mean

    for man in range(len(f.MEN)):
        centre(man, *((f.SQUARE + 64 * (6 * wing + man), 64) for wing in range(2)))
    centre(0, (f.PAWN, 96))
    for kind in range(len(f.PIECE_NAMES)):
        centre(1 + kind, (f.MOBILITY[kind], f.MOST_MOBILITY[kind] + 1))
    factor = ENDGAME_PAWN / float(weights[f.MATERIAL, 1])
    return weights * factor, float(scale * factor)


def report(fit: Fit) -> dict[str, Any]:
    """Return a fit without its weights, ready for JSON."""
    return {
        field.name: getattr(fit, field.name) for field in dataclasses.fields(fit) if field.name != "weights"
    }  # fmt: skip
