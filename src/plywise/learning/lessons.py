"""From positions with values and results to examples for the trainer.

What a network should expect of a position is a mixture of what a search found there and how the game ended: a search
knows this position, and the end of the game knows what the search did not see.

There are two kinds of networks.  In games with a score for a win (``FastestWin``), evaluations have no natural limit:
a logit is worth some points, ``scale``, which is fitted to the data.  In others, the expected score is what a network
learns, from the lowest to the highest.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.cells import Cells
from plywise.compiling.reading import call_of, prepare
from plywise.compiling.rows import rows_of, state_at
from plywise.engine.judged import with_network
from plywise.engine.network import Network
from plywise.errors import SearchError
from plywise.game import Game, State, sign
from plywise.inputs.limits import LONGEST_LINE
from plywise.learning.examples import Examples, index_type
from plywise.learning.positions import Positions
from plywise.learning.scale import best_scale
from plywise.learning.weights import Shape, Weights

BLEND = 0.75
"""The share of a search's value in a target, against the result of the game."""
SCALES = (0.25, 16.0)
"""The least and the most that a logit may be worth, in swings of the game."""
USUAL_SWING = 100.0
PORTION = 1 << 16
"""Positions whose features are found at a time."""
TOO_MANY = "a position has a feature twice, or one that is not below feature_count: run 'plywise check'"


@dataclasses.dataclass(frozen=True)
class Subject:
    """What is to be learned: a game, and the form of its networks.

    Args:
        corrects: whether networks add to the game's own evaluation.
        hidden: the number of hidden units.
    """

    game: Game
    hidden: int
    corrects: bool = False

    @property
    def is_bounded(self) -> bool:
        """Whether networks learn the expected score."""
        return not math.isfinite(self.game.win_score)

    @property
    def shape(self) -> Shape:
        """The size of the networks."""
        return Shape(self.game.feature_count, self.hidden, self.game.buckets)

    def network(self, weights: Weights, scale: float, about: dict[str, Any]) -> Network:
        """Return the network with these weights; ``scale`` is what ``scale_of`` returns."""
        most = scale if self.is_bounded else 0.0
        return Network(**weights.to_network_arrays(), scale=scale, most=most, corrects=self.corrects, about=about)

    def blank(self) -> Network:
        """Return a network that knows nothing."""
        return self.network(Weights.random(self.shape), 1.0, {})

    def judged(self, network: Network) -> Game:
        """Return the game as a network evaluates it."""
        return with_network(self.game, network)

    def scale_of(self, positions: Positions) -> float:
        """Return the largest score, or what a logit is worth in points.

        Raises:
            SearchError: there are no results to learn from.
        """
        results = positions.results[np.isfinite(positions.results)]
        if len(results) == 0:
            raise SearchError("no position has the result of a game")
        if self.is_bounded:
            largest = largest_bound(self.game)
            return largest if math.isfinite(largest) else float(max(1.0, np.abs(results).max()))
        swing = self.game.swing if math.isfinite(self.game.swing) else USUAL_SWING
        known = np.isfinite(positions.results) & np.isfinite(positions.values) & ~positions.proven
        values, won = positions.values[known].astype(float), (1 + np.sign(positions.results[known])) / 2
        return best_scale(values, won, SCALES[0] * swing, SCALES[1] * swing) if len(values) else float(swing)

    def expected(self, scores: np.ndarray, scale: float) -> np.ndarray:
        """Return the result from 0 to 1 that stands for a score or value, for MAX."""
        if self.is_bounded:
            return np.clip((1 + scores / scale) / 2, 0, 1)
        won = self.game.win_score - LONGEST_LINE
        likely = 1 / (1 + np.exp(-np.clip(scores / scale, -20, 20)))
        return np.where(np.abs(scores) >= won, (1 + np.sign(scores)) / 2, likely)

    def targets(self, positions: Positions, scale: float, blend: float) -> np.ndarray:
        """Return what to expect of each position, from 0 to 1, for MAX; NaN where nothing is known."""
        values = self.expected(positions.values.astype(float), scale)
        results = self.expected(positions.results.astype(float), scale)
        mixed = np.where(positions.proven, values, blend * values + (1 - blend) * results)
        return np.where(np.isnan(mixed), np.where(np.isnan(values), results, values), mixed)

    def examples(self, positions: Positions, scale: float, blend: float = BLEND) -> Examples:
        """Return examples for the trainer, of all positions of which something is known."""
        targets = self.targets(positions, scale, blend)
        known = np.isfinite(targets)
        positions, games = positions[known], positions.games[known]
        seen = _seen(self.judged(self.blank()), positions.rows, self.corrects)
        targets = np.where(seen.viewers == 1, 1 - targets[known], targets[known])
        return Examples(
            seen.own, seen.own_starts, seen.their, seen.their_starts, seen.buckets, targets.astype(np.float32),
            (seen.base / scale).astype(np.float32), games.astype(np.int32),
        )  # fmt: skip


def has_evaluation(game: Game) -> bool:
    """Return whether a game has an evaluation of its own."""
    return type(game).evaluate is not Game.evaluate


def largest_bound(game: Game) -> float:
    """Return the largest score that a game's bounds allow either player; infinite if they do not say."""
    return float(max(map(abs, game.bounds(game.initial()))))


# The features of positions -------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Seen:
    """The features of many positions; see ``Examples``."""

    own: np.ndarray
    own_starts: np.ndarray
    their: np.ndarray
    their_starts: np.ndarray
    buckets: np.ndarray
    viewers: np.ndarray
    base: np.ndarray


def _seen(game: Any, rows: np.ndarray, corrects: bool) -> _Seen:
    """Return what is seen in positions, given as rows of words."""
    count, width = len(rows), game.feature_count
    kind = index_type(width)
    starts = [np.zeros(count + 1, np.int64) for _ in range(2)]
    facts, base = np.zeros((count, 2), np.int64), np.zeros(count)
    found: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    start = game.initial()
    for first in range(0, count, PORTION):
        part = np.ascontiguousarray(rows[first : first + PORTION])
        room = max(1, len(part) * min(width, 64))
        while True:
            space = [np.zeros(room, kind) for _ in range(2)]
            ends = [np.zeros(len(part) + 1, np.int64) for _ in range(2)]
            place = slice(first, first + len(part))
            given = (part, *space, *ends, facts[place], base[place], corrects)
            ready = prepare(look_at, game, start, lambda given=given: given)  # type: ignore[misc]
            if ready is None:
                given = (rows_of([state_in(iter(row), start) for row in part.tolist()], start, False), *given[1:])
            if call_of(look_at, game, start, given, ready)(*given) >= 0:
                break
            if room > len(part) * width:
                raise SearchError(TOO_MANY)
            room *= 2
        for side in range(2):
            found[side].append(space[side][: ends[side][-1]])
            starts[side][first + 1 : first + 1 + len(part)] = starts[side][first] + ends[side][1:]
    own, their = (np.concatenate(each) if each else np.zeros(0, kind) for each in found)
    return _Seen(own, starts[0], their, starts[1], facts[:, 1].astype(np.uint8), facts[:, 0], base)


def state_in(words: Iterator[int], like: Any) -> Any:
    """Return the position with these machine words, in plain Python; its fields have the types of those of ``like``."""
    if isinstance(like, Cells):
        block = struct.pack(f"{len(like.words)}q", *(next(words) for _ in like.words))
        return Cells(struct.unpack_from(f"{len(like)}b", block))
    if isinstance(like, tuple):
        items = [state_in(words, item) for item in like]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    word = next(words)
    return struct.unpack("d", struct.pack("q", word))[0] if isinstance(like, float) else type(like)(word)


def look_at(
    game: Any, state: State, rows: Any, own: np.ndarray, their: np.ndarray, own_starts: np.ndarray,
    their_starts: np.ndarray, facts: np.ndarray, base: np.ndarray, corrects: bool,
) -> int:  # fmt: skip
    """Find the features of positions; returns -1 if there is too little room for them."""
    own_end, their_end = 0, 0
    for index in range(len(rows)):
        here = game.image(state_at(game, rows, index))
        viewer = game.viewer(here)
        for feature in game.features(here, viewer):
            if own_end == len(own):
                return -1
            own[own_end] = feature
            own_end += 1
        for feature in game.features(here, 1 - viewer):
            if their_end == len(their):
                return -1
            their[their_end] = feature
            their_end += 1
        own_starts[index + 1], their_starts[index + 1] = own_end, their_end
        facts[index, 0], facts[index, 1] = viewer, game.bucket(here)
        if corrects:
            base[index] = sign(viewer) * game.own_evaluate(here)
    return 0
