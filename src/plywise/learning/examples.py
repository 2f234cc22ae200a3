"""Positions to learn from, as lists of features: no game takes part in training."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plywise.compiling.reading import interpreting


class Examples(NamedTuple):
    """Positions, one after the other.

    The features of position i, as its viewer sees it, are ``own[own_starts[i] : own_starts[i + 1]]``.  A position with
    22 features in each view takes 117 bytes if there are at most 65,536 different features.

    >>> examples = Examples.of([[0, 2], [1]], [[1], [0, 3]], targets=[1.0, 0.5])
    >>> examples.positions
    2
    >>> examples.own
    array([0, 2, 1], dtype=uint16)
    """

    own: np.ndarray
    """Features as the viewer sees them, uint16 or int32."""
    own_starts: np.ndarray
    """Where each position begins in ``own``, int64, and the end."""
    their: np.ndarray
    """Features as the opponent sees them."""
    their_starts: np.ndarray
    buckets: np.ndarray
    """The bucket of each position, uint8."""
    targets: np.ndarray
    """The result that the viewer can expect, float32, from 0 (lost) to 1 (won)."""
    base: np.ndarray
    """The logit that a correction is added to, float32, for the viewer; 0 for a network that stands alone."""
    games: np.ndarray
    """The number of the game that a position is from, int32.  Games are held out as a whole."""

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return len(self.targets)

    def chosen(self, rows: np.ndarray) -> Examples:
        """Return a copy with only these positions, in this order."""
        own, own_starts = _chosen(self.own, self.own_starts, rows)
        their, their_starts = _chosen(self.their, self.their_starts, rows)
        return Examples(own, own_starts, their, their_starts, *(array[rows] for array in self[4:]))

    @classmethod
    def of(
        cls, own: list[list[int]], their: list[list[int]], targets: list[float], buckets: list[int] | None = None,
        base: list[float] | None = None, games: list[int] | None = None,
    ) -> Examples:  # fmt: skip
        """Return a few positions, given as lists; each is a game of its own unless ``games`` says otherwise."""
        count = len(targets)
        return cls(
            *_joined(own),
            *_joined(their),
            np.array(buckets if buckets is not None else [0] * count, np.uint8),
            np.array(targets, np.float32),
            np.array(base if base is not None else [0.0] * count, np.float32),
            np.array(games if games is not None else range(count), np.int32),
        )


def index_type(features: int) -> type[np.unsignedinteger | np.signedinteger]:
    """Return the type for the indices of this many features."""
    return np.uint16 if features <= 1 << 16 else np.int32


def runnable(function: Any) -> Any:
    """Return a function of numbers and arrays, compiled unless everything is to be interpreted."""
    if interpreting():
        return function
    from plywise.compiling.bridge import kernel

    return kernel(function)


def _chosen(items: np.ndarray, starts: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the items of these rows, and where each row begins."""
    begins = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(starts[rows + 1] - starts[rows], out=begins[1:])
    into = np.empty(begins[-1], items.dtype)
    runnable(copy_rows)(items, starts, rows, into)
    return into, begins


def copy_rows(items: np.ndarray, starts: np.ndarray, rows: np.ndarray, into: np.ndarray) -> int:
    """Copy the items of these rows one after the other; return how many they are."""
    count = 0
    for row in rows:
        for place in range(starts[row], starts[row + 1]):
            into[count] = items[place]
            count += 1
    return count


def _joined(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the items of all lists, and where each list begins."""
    items = [item for each in lists for item in each]
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return np.array(items, index_type(max(items, default=0) + 1)), starts
