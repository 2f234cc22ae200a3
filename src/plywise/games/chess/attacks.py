"""Which squares a piece attacks.

Knights, kings and pawns have a board for every square.  Bishops have one for every square and every way in which their
lines can be occupied, found by a multiplication (magic bitboards, see ``magics``).  In perft that was faster than the
arithmetic of o^(o-2r) with byte swaps, and as fast as the instruction pext, which not every processor has.

For bishops that takes 40 KB; for rooks it would be 800 KB, too much for the caches near the processor.  A rook's rank
and its file are looked up in 4 KB each instead (kindergarten bitboards, Isenberg).
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
"""How pawns capture: White's, Black's."""

MASK, MAGIC, SHIFT, OFFSET = range(4)
"""What the four words of a square in ``Tables.bishops`` are."""


class Tables(NamedTuple):
    """Boards by square, as flat arrays of signed 64-bit words."""

    knight: np.ndarray
    king: np.ndarray
    pawn: np.ndarray
    """By colour, then by square: what a pawn captures on."""
    lines: np.ndarray
    """By square: the straight lines through it on an empty board; from 64 on, the diagonals."""
    rays: np.ndarray
    """By square and square: what is between them and the second itself; only that, if they are on no line."""
    bishops: np.ndarray
    slides: np.ndarray
    """What a bishop attacks, by the index that four words of its square lead to."""
    ranks: np.ndarray
    """What a rook attacks on the first rank, by the occupied squares from b to g and by its file."""
    files: np.ndarray
    """What a rook attacks on the a-file, by those from 2 to 7, as ``FILE_MAGIC`` gathers them, and by its rank."""


@functools.cache
def tables() -> Tables:
    """Return the tables, made once in about a fiftieth of a second."""
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
    """Return the squares on the way from a square to the edge."""
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
    """Return the words of bishops, and the table that they lead to."""
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
    """Return what rooks attack on the first rank and on the a-file."""
    ranks, files = np.zeros((64, 8), dtype=np.uint64), np.zeros((64, 8), dtype=np.uint64)
    on_rank, on_file = _subsets(0x7E), _subsets(0x0001010101010100)
    for place in range(8):
        ranks[on_rank >> np.uint64(1), place] = _attacks(place, STRAIGHT[:2], on_rank)
        files[on_file * np.uint64(FILE_MAGIC) >> np.uint64(58), place] = _attacks(8 * place, STRAIGHT[2:], on_file)
    return ranks.view(np.int64).ravel(), files.view(np.int64).ravel()


def _subsets(mask: int) -> np.ndarray:
    """Return all boards whose squares are among those of ``mask``."""
    boards = np.zeros(1, dtype=np.uint64)
    for square in range(64):
        if mask >> square & 1:
            boards = np.concatenate((boards, boards | np.uint64(1 << square)))
    return boards


def _attacks(square: int, steps: Steps, occupied: np.ndarray) -> np.ndarray:
    """Return what a slider attacks on each of many boards."""
    attacked = np.zeros(len(occupied), dtype=np.uint64)
    for step in steps:
        free = np.full(len(occupied), True)
        for other in _walk(square, step):
            board = np.uint64(1 << other)
            attacked[free] |= board
            free &= occupied & board == 0
    return attacked
