"""Sorted sets of codes: arrays with a row for each code, in order, none twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plywise.tables.crew import Crew

PART = 1 << 18
"""About as many codes as are sorted at a time: they fit a processor's cache."""


def ordered(codes: np.ndarray) -> np.ndarray:
    """Return codes in order."""
    if codes.shape[1] == 1:
        return np.sort(codes[:, 0]).reshape(-1, 1)
    return np.take(codes, order_of(codes), axis=0)


def order_of(codes: np.ndarray) -> np.ndarray:
    """Return the order of codes, as numbers of rows.

    First words are scrambled, so those of different codes are hardly ever equal: look at others only then.
    """
    order = np.argsort(codes[:, 0])
    firsts = codes[order, 0]
    ties = np.flatnonzero(firsts[1:] == firsts[:-1])
    if (codes[order[ties]] != codes[order[ties + 1]]).any():
        return np.lexsort(codes.T[::-1])
    return order


def as_set(codes: np.ndarray) -> np.ndarray:
    """Return codes in order, each once."""
    codes = ordered(codes)
    fresh = np.ones(len(codes), dtype=bool)
    fresh[1:] = (codes[1:] != codes[:-1]).any(axis=1)
    return codes[fresh]


def members(codes: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Return for each code whether it is in the set ``of``."""
    if not len(of):
        return np.zeros(len(codes), dtype=bool)
    places = np.searchsorted(of[:, 0], codes[:, 0])
    found = np.zeros(len(codes), dtype=bool)
    open_ = np.arange(len(codes))  # codes whose first word is like that of the code at their place
    while len(open_):
        open_ = open_[places[open_] < len(of)]
        open_ = open_[of[places[open_], 0] == codes[open_, 0]]
        equal = (of[places[open_]] == codes[open_]).all(axis=1)
        found[open_[equal]] = True
        open_ = open_[~equal]
        places[open_] += 1
    return found


def united(
    pieces: Sequence[np.ndarray], bits: int, crew: Crew, without: Sequence[np.ndarray] = ()
) -> tuple[np.ndarray, int]:
    """Return the union of sets, less those in ``without``, and how many codes these took away.

    Codes are spread evenly, so the sets fall into parts of about equal size by the upper bits; each part is small.
    """
    parts = max(1, sum(map(len, pieces)) // PART)
    limits = np.array([part * (1 << bits) // parts for part in range(1, parts)], dtype=np.int64)
    cuts = [_cuts(each, limits) for each in pieces]
    cuts_without = [_cuts(each, limits) for each in without]

    def part_of(part: int) -> tuple[np.ndarray, int]:
        codes = np.concatenate([each[cut[part] : cut[part + 1]] for each, cut in zip(pieces, cuts, strict=True)])
        codes = as_set(codes) if len(pieces) > 1 else codes
        before = len(codes)
        for each, cut in zip(without, cuts_without, strict=True):
            codes = codes[~members(codes, each[cut[part] : cut[part + 1]])]
        return codes, before - len(codes)

    found = list(crew.each(part_of, range(parts)))
    return np.concatenate([codes for codes, _ in found]), sum(gone for _, gone in found)


def _cuts(codes: np.ndarray, limits: np.ndarray) -> list[int]:
    """Return where the parts of a set begin and end."""
    return [0, *np.searchsorted(codes[:, 0], limits).tolist(), len(codes)]
