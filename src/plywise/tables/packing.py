"""Positions packed into a few machine words, in an order in which they are quickly found.

A position is a row of 64-bit words (``compiling.words``).  In a set of positions most bits of these words never change:
on the 5 by 5 board of Connect Four, 137 of 192.  A packing keeps the others.  Of each word it keeps either the bits
that vary, as on a board with spare bits, or the difference from the smallest value, as in a number from -1 to 1:
whichever takes fewer bits.  What it keeps is cut into segments and laid side by side into a *code* of one or more words
of 62 bits:

    word 0     . . . . a b c . d e f       the dots never change
    word 1     . . . . . . . . . g h
    code       . . . g h d e f a b c       then scrambled

The first word of a code is scrambled, which can be undone: a product with an odd number and an xor with the own upper
half, twice.  So the codes of a set are spread evenly, however alike the positions are.  In a sorted array, a code is
then where its size says, give or take a few places (interpolation search, Peterson 1957): a lookup needs no index.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from plywise.compiling.native import inlined
from plywise.compiling.words import ALL_BITS, signed

CODE_BITS = 62
"""The bits of a word of a code: with one to spare, sums and comparisons of signed words do not overflow."""

MULTIPLIER = 0x1F83D9ABFB41BD6B
"""Any odd number with many set bits will do; this one is from the fraction of a square root (SHA-512)."""
INVERSE = pow(MULTIPLIER, -1, 1 << CODE_BITS)

WORD, SHIFT, MASK, PLACE, TARGET = range(5)
"""Columns of a segment: the word of the position, where the segment starts in it and its bits, as a mask; the word of
the code, and where it starts there.
"""

JUMPS = 3
"""How often a search guesses before it walks."""
STEPS = 24
"""How far it walks before it halves."""


@dataclasses.dataclass(frozen=True)
class Envelope:
    """What is known of the words of a set of positions: bounds, and the bits that differ from those of one position."""

    low: np.ndarray
    high: np.ndarray
    one: np.ndarray
    varying: np.ndarray

    @staticmethod
    def of(rows: np.ndarray) -> Envelope:
        """Return the envelope of the positions in ``rows``, at least one."""
        one = rows[0].copy()
        return Envelope(rows.min(axis=0), rows.max(axis=0), one, np.bitwise_or.reduce(rows ^ one, axis=0))

    def covers(self, other: Envelope) -> bool:
        """Return whether everything that fits the other envelope fits this one."""
        foreign = (other.varying | (other.one ^ self.one)) & ~self.varying
        return bool(np.all(self.low <= other.low) and np.all(other.high <= self.high) and not foreign.any())

    def with_others(self, other: Envelope) -> Envelope:
        """Return the envelope of both sets."""
        return Envelope(
            np.minimum(self.low, other.low), np.maximum(self.high, other.high), self.one,
            self.varying | other.varying | (other.one ^ self.one),
        )  # fmt: skip

    def apart_from(self, other: Envelope) -> bool:
        """Return whether the two sets have no position in common, by the bounds of one of the words."""
        return bool(np.any((self.high < other.low) | (other.high < self.low)))

    def to_json(self) -> list[list[int]]:
        """Return the envelope as data for a file."""
        return [each.tolist() for each in (self.low, self.high, self.one, self.varying)]

    @staticmethod
    def from_json(data: list[list[int]]) -> Envelope:
        return Envelope(*(np.array(each, dtype=np.int64) for each in data))


@dataclasses.dataclass(frozen=True)
class Packing:
    """How the positions of an envelope become codes.  Equal envelopes give equal packings."""

    envelope: Envelope
    bases: np.ndarray
    """What is subtracted from each word before its bits are taken."""
    segments: np.ndarray
    words: int
    """The words of a code."""
    bits: int
    """The bits of the first word of a code."""

    @staticmethod
    def of(envelope: Envelope) -> Packing:
        """Return the packing for an envelope."""
        bases, segments, used = [], [], 0
        for word, (low, high, one, varying) in enumerate(zip(*envelope.to_json(), strict=True)):
            varying &= ALL_BITS
            span = (high - low).bit_length()
            by_bits = varying.bit_count() <= span
            bases.append(one & signed(~varying) if by_bits else low)
            for start, length in _runs(varying if by_bits else (1 << span) - 1):
                while length:
                    place, target = divmod(used, CODE_BITS)
                    taken = min(length, CODE_BITS - target)
                    segments.append((word, start, (1 << taken) - 1, place, target))
                    start, length, used = start + taken, length - taken, used + taken
        return Packing(
            envelope, np.array(bases, dtype=np.int64), np.array(segments, dtype=np.int64).reshape(-1, 5),
            max(1, -(-used // CODE_BITS)), max(1, min(used, CODE_BITS)),
        )  # fmt: skip

    def equals(self, other: Packing) -> bool:
        """Return whether both give the same codes: the other may have come from another process."""
        return self is other or self.envelope.to_json() == other.envelope.to_json()

    @property
    def plan(self) -> tuple[np.ndarray, np.ndarray, int]:
        """What compiled code needs of it."""
        return self.bases, self.segments, self.bits


def _runs(mask: int) -> list[tuple[int, int]]:
    """Return the runs of set bits of a mask: where each starts, and its length.

    >>> _runs(0b1110011)
    [(0, 2), (4, 3)]
    """
    runs, start = [], 0
    while mask >> start:
        start += (mask >> start & -(mask >> start)).bit_length() - 1
        length = ((mask >> start) + 1 & -((mask >> start) + 1)).bit_length() - 1
        runs.append((start, length))
        start += length
    return runs


# ---------------------------------------------------------------------------------------------------------------------
# Kernels: plain functions of arrays, compiled and interpreted
# ---------------------------------------------------------------------------------------------------------------------


@inlined
def scrambled(code: int, bits: int) -> int:
    """Return a number of ``bits`` bits scrambled."""
    mask, half = (1 << bits) - 1, (bits + 1) // 2
    code = signed(code * MULTIPLIER) & mask
    code ^= code >> half
    code = signed(code * MULTIPLIER) & mask
    return code ^ code >> half


@inlined
def unscrambled(code: int, bits: int) -> int:
    """Return the number that ``scrambled`` made this one of."""
    mask, half = (1 << bits) - 1, (bits + 1) // 2
    code ^= code >> half  # as half is at least half of the bits, this undoes itself
    code = signed(code * INVERSE) & mask
    code ^= code >> half
    return signed(code * INVERSE) & mask


@inlined
def others_mixed(codes: np.ndarray, row: int, bits: int) -> int:
    """Return a number of ``bits`` bits from all words of a code but the first, which is scrambled with it."""
    mixed = 0
    for place in range(1, codes.shape[1]):
        mixed = scrambled(mixed ^ int(codes[row, place]) & (1 << bits) - 1, bits)
    return mixed


@inlined
def pack_row(rows: np.ndarray, row: int, plan: Any, codes: np.ndarray, into: int) -> None:
    """Write the code of a position."""
    bases, segments, bits = plan
    for place in range(codes.shape[1]):
        codes[into, place] = 0
    for i in range(len(segments)):
        word = segments[i, WORD]
        part = signed(int(rows[row, word]) - int(bases[word])) >> segments[i, SHIFT] & segments[i, MASK]
        codes[into, segments[i, PLACE]] |= part << segments[i, TARGET]
    codes[into, 0] = scrambled(int(codes[into, 0]) ^ others_mixed(codes, into, bits), bits)


@inlined
def unpack_row(codes: np.ndarray, row: int, plan: Any, rows: np.ndarray, into: int) -> None:
    """Write the position of a code."""
    bases, segments, bits = plan
    first = unscrambled(int(codes[row, 0]), bits) ^ others_mixed(codes, row, bits)
    for word in range(len(bases)):
        rows[into, word] = bases[word]
    for i in range(len(segments)):
        place = segments[i, PLACE]
        code = first if place == 0 else int(codes[row, place])
        part = signed((code >> int(segments[i, TARGET]) & int(segments[i, MASK])) << int(segments[i, SHIFT]))
        rows[into, segments[i, WORD]] = signed(int(rows[into, segments[i, WORD]]) + part)


def pack(rows: np.ndarray, count: int, plan: Any, codes: np.ndarray) -> None:
    """Write the codes of the first ``count`` positions of ``rows``."""
    for row in range(count):
        pack_row(rows, row, plan, codes, row)


def unpack(codes: np.ndarray, plan: Any, rows: np.ndarray) -> None:
    """Write the positions of ``codes`` into ``rows``."""
    for row in range(len(codes)):
        unpack_row(codes, row, plan, rows, row)


def repack(codes: np.ndarray, plan: Any, changed_plan: Any, scratch: np.ndarray, changed: np.ndarray) -> None:
    """Write the codes that the positions of ``codes`` have in another packing."""
    for row in range(len(codes)):
        unpack_row(codes, row, plan, scratch, 0)
        pack_row(scratch, 0, changed_plan, changed, row)


@inlined
def compare(codes: np.ndarray, row: int, wanted: np.ndarray, at: int) -> int:
    """Return a number below, equal to or above zero, as the code in ``row`` is below, equal to or above the other."""
    for place in range(codes.shape[1]):
        if codes[row, place] != wanted[at, place]:
            return -1 if codes[row, place] < wanted[at, place] else 1
    return 0


@inlined
def find(codes: np.ndarray, wanted: np.ndarray, at: int, bits: int) -> int:
    """Return the row of a code in a sorted array of different codes, or -1.

    Guess the row by the size of the code; correct the guess by how far the code found there is from the wanted one; do
    so again; walk the rest.  Codes that are not spread evenly, as those of few bits, may make that a long way: then
    halve.
    """
    low, high = 0, len(codes) - 1
    if high < 0:
        return -1
    scale = len(codes) / float(1 << bits)
    row = min(high, int(int(wanted[at, 0]) * scale))
    for _ in range(JUMPS):
        leap = int(int(wanted[at, 0] - codes[row, 0]) * scale)
        row = min(high, max(0, row + leap))
        if -2 < leap < 2:
            break
    order = compare(codes, row, wanted, at)
    for _ in range(STEPS):
        if order == 0:
            return row
        if order < 0:
            low = row + 1
        else:
            high = row - 1
        if low > high:
            return -1
        row += 1 if order < 0 else -1
        order = compare(codes, row, wanted, at)
    while low <= high:
        row = (low + high) // 2
        order = compare(codes, row, wanted, at)
        if order == 0:
            return row
        if order < 0:
            low = row + 1
        else:
            high = row - 1
    return -1


def find_codes(wanted: np.ndarray, bits: int, codes: np.ndarray, found: np.ndarray) -> None:
    """Write where codes are in a sorted array; -1 for none."""
    for row in range(len(wanted)):
        found[row] = find(codes, wanted, row, bits)


def find_all(
    rows: np.ndarray, count: int, plan: Any, codes: np.ndarray, scratch: np.ndarray, found: np.ndarray
) -> None:
    """Write where the codes of the first ``count`` positions of ``rows`` are in a sorted array; -1 for none."""
    for row in range(count):
        pack_row(rows, row, plan, scratch, 0)
        found[row] = find(codes, scratch, 0, plan[2])
