"""Random numbers for pieces on squares.  A position's hash is the exclusive or of them (Zobrist 1970), so a move
updates it with only a few.
"""

from __future__ import annotations

import functools

import numpy as np

from plywise.bits import signed

MOVER = signed(0x8A5CD789635D2DFF)
"""Part of the hash when Black is to move."""

RIGHTS = signed(0x9E3779B97F4A7C15)
"""A multiplier that spreads the bits of ``Position.rights``; it is odd, so different boards give different products."""


@functools.cache
def piece_hashes() -> np.ndarray:
    """Return a number for every kind of piece, colour and square, in this order; 0 for kind 0."""
    numbers = np.arange(1, 8 * 128 + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64, Steele et al. 2014
        numbers = (numbers ^ numbers >> np.uint64(shift)) * np.uint64(factor)
    numbers ^= numbers >> np.uint64(31)
    numbers[:128] = 0
    hashes: np.ndarray = numbers.view(np.int64)
    return hashes
