"""The squares that a piece attacks.

Knights, kings and pawns have one board per square.  Bishops have one per square and occupancy of their diagonals, found
by a multiplication (magic bitboards, see ``magics``).  In perft this was faster than the o^(o-2r) trick with byte
swaps, and as fast as the pext instruction, which some processors lack.

For bishops the tables take 40 KB.  For rooks they would take 800 KB, too much for the fast caches, so a rook's rank and
file are looked up in 4 KB each (kindergarten bitboards, Isenberg).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from plywise.games.chess.magics import BISHOP_MAGICS, FILE_MAGIC

Steps = tuple[tuple[int, int], ...]

STRAIGHT: Steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL: Steps = ((1, 1), (-1, 1), (1, -1), (-1, -1))
KNIGHT_STEPS: Steps = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
PAWN_STEPS: tuple[Steps, Steps] = (((-1, 1), (1, 1)), ((-1, -1), (1, -1)))
"""The captures of White's and of Black's pawns."""

MASK, MAGIC, SHIFT, OFFSET = range(4)
"""The four words of a square in ``Tables.bishops``."""


class Tables(NamedTuple):
    """Boards by square, as flat arrays of signed 64-bit words."""

    knight: np.ndarray
    king: np.ndarray
    pawn: np.ndarray
    """By colour, then by square: the squares on which a pawn captures."""
    lines: np.ndarray
    """By square: the rank and file through it; from 64 on, the diagonals."""
    rays: np.ndarray
    """By two squares: those between them and the second one; only the second if they share no line."""
    bishops: np.ndarray
    """By square: the four words from which the index into ``slides`` is computed."""
    slides: np.ndarray
    """The squares that a bishop attacks, by index."""
    ranks: np.ndarray
    """The squares that a rook attacks on the first rank, by the occupancy of b to g and by its file."""
    files: np.ndarray
    """The squares that a rook attacks on the a-file, by the occupancy of 2 to 7, as ``FILE_MAGIC`` gathers it, and by
    its rank.
    """


@functools.cache
def tables() -> Tables:
    """Return the tables, built once in about 20 ms."""
    bishops, slides = _slides()
    ranks, files = _rook_lines()
    pawn = [_leaps(square, steps) for steps in PAWN_STEPS for square in range(64)]
    return Tables(
        knight=_words(_leaps(square, KNIGHT_STEPS) for square in range(64)),
        king=_words(_leaps(square, STRAIGHT + DIAGONAL) for square in range(64)),
        pawn=_words(pawn),
        lines=_words(_line(square, steps) for steps in (STRAIGHT, DIAGONAL) for square in range(64)),
        rays=_rays(),
        bishops=bishops,
        slides=slides,
        ranks=ranks,
        files=files,
    )


def _words(boards: Iterable[int]) -> np.ndarray:
    return np.array(list(boards), dtype=np.uint64).view(np.int64)


def _walk(square: int, step: tuple[int, int]) -> list[int]:
    """Return the squares from a square (excluded) to the edge."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(8 * rank + file)
        file, rank = file + step[0], rank + step[1]
    return squares


def _leaps(square: int, steps: Steps) -> int:
    return sum(1 << way[0] for step in steps if (way := _walk(square, step)))


def _line(square: int, steps: Steps) -> int:
    return sum(1 << other for step in steps for other in _walk(square, step))


def _rays() -> np.ndarray:
    boards = [1 << other for _ in range(64) for other in range(64)]
    for square in range(64):
        for step in STRAIGHT + DIAGONAL:
            ray = 0
            for other in _walk(square, step):
                ray |= 1 << other
                boards[64 * square + other] = ray
    return _words(boards)


def _slides() -> tuple[np.ndarray, np.ndarray]:
    """Return ``Tables.bishops`` and ``Tables.slides``."""
    parts: list[np.ndarray] = []
    words: list[int] = []
    size = 0
    for square, magic in enumerate(BISHOP_MAGICS):
        mask = sum(1 << other for step in DIAGONAL for other in _walk(square, step)[:-1])
        shift = 64 - mask.bit_count()
        occupied = _subsets(mask)
        part = np.zeros(len(occupied), dtype=np.uint64)
        part[occupied * np.uint64(magic) >> np.uint64(shift)] = _attacks(square, DIAGONAL, occupied)
        words += mask, magic, shift, size
        parts.append(part)
        size += len(part)
    return _words(words), np.concatenate(parts).view(np.int64)


def _rook_lines() -> tuple[np.ndarray, np.ndarray]:
    """Return ``Tables.ranks`` and ``Tables.files``."""
    ranks, files = np.zeros((64, 8), dtype=np.uint64), np.zeros((64, 8), dtype=np.uint64)
    on_rank, on_file = _subsets(0x7E), _subsets(0x0001010101010100)
    for place in range(8):
        ranks[on_rank >> np.uint64(1), place] = _attacks(place, STRAIGHT[:2], on_rank)
        files[on_file * np.uint64(FILE_MAGIC) >> np.uint64(58), place] = _attacks(8 * place, STRAIGHT[2:], on_file)
    return ranks.view(np.int64).ravel(), files.view(np.int64).ravel()


def _subsets(mask: int) -> np.ndarray:
    """Return all subsets of the squares in ``mask``."""
    boards = np.zeros(1, dtype=np.uint64)
    for square in range(64):
        if mask >> square & 1:
            boards = np.concatenate((boards, boards | np.uint64(1 << square)))
    return boards


def _attacks(square: int, steps: Steps, occupied: np.ndarray) -> np.ndarray:
    """Return the squares that a slider attacks, for each of many occupancies."""
    attacked = np.zeros(len(occupied), dtype=np.uint64)
    for step in steps:
        free = np.full(len(occupied), True)
        for other in _walk(square, step):
            board = np.uint64(1 << other)
            attacked[free] |= board
            free &= occupied & board == 0
    return attacked
