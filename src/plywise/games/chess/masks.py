"""Boards by square that the evaluation asks for, as the player sees them whose pawns go up."""

from __future__ import annotations

import functools

import numpy as np

FRONT, CONE, NEIGHBOUR_FILES, BESIDE, SUPPORT, KING_ZONE = (64 * table for table in range(6))
"""Where in ``masks`` the boards of a kind begin.  Of a square, these are

    FRONT              what is before it on its file
    CONE               that, and as much of the files beside it: where enemies stop or attack a pawn on its way
    NEIGHBOUR_FILES    the files beside its own
    BESIDE             the squares to its left and right
    SUPPORT            these and what is behind them: from where pawns can come to support it
    KING_ZONE          a king on it, the squares that it attacks and, at the edge, another line of them
"""


@functools.cache
def masks() -> np.ndarray:
    """Return six boards for every square, those of one kind together."""
    file, rank = np.arange(64) & 7, np.arange(64) >> 3
    right, up = file[None, :] - file[:, None], rank[None, :] - rank[:, None]
    beside = np.abs(right) == 1
    inner_file, inner_rank = np.clip(file, 1, 6)[:, None], np.clip(rank, 1, 6)[:, None]
    tables = {
        FRONT: (right == 0) & (up > 0),
        CONE: (np.abs(right) <= 1) & (up > 0),
        NEIGHBOUR_FILES: beside,
        BESIDE: beside & (up == 0),
        SUPPORT: beside & (up <= 0),
        KING_ZONE: (np.abs(file[None, :] - inner_file) <= 1) & (np.abs(rank[None, :] - inner_rank) <= 1),
    }
    boards = np.concatenate([tables[first] for first in sorted(tables)])
    return np.packbits(boards, axis=1, bitorder="little").view(np.int64).ravel()


@functools.cache
def distances() -> np.ndarray:
    """Return how many steps a king needs from a square to another, by the two."""
    file, rank = np.arange(64) & 7, np.arange(64) >> 3
    steps = np.maximum(np.abs(file[:, None] - file[None, :]), np.abs(rank[:, None] - rank[None, :]))
    return steps.astype(np.int64).ravel()
