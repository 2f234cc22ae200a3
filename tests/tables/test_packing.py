"""Positions become codes and positions again, and codes are found."""

from __future__ import annotations

import numpy as np
import pytest

from plywise.compiling.bridge import kernel
from plywise.tables.packing import CODE_BITS, Envelope, Packing, find_all, pack, unpack
from plywise.tables.sets import as_set


def random_words(seed: int) -> np.ndarray:
    """Positions of a few words: numbers around zero, boards with gaps, and words of all bits."""
    chance = np.random.default_rng(seed)
    count = int(chance.integers(1, 200))
    kinds = [
        lambda: chance.integers(-3, 4, count),
        lambda: chance.integers(0, 1 << 40, count) & 0x3F3F3F3F3F | 1 << 50,
        lambda: chance.integers(-(1 << 63), (1 << 63) - 1, count),
        lambda: np.full(count, chance.integers(-9, 9)),
        lambda: np.where(chance.integers(0, 2, count) == 0, -(1 << 63), (1 << 63) - 1),
    ]
    return np.stack([kinds[chance.integers(len(kinds))]() for _ in range(chance.integers(1, 6))], axis=1)


@pytest.mark.parametrize("chosen", [lambda function: function, kernel], ids=["interpreted", "compiled"])
def test_every_position_has_a_code_of_its_own_that_is_found(chosen):
    for seed in range(40):
        words = random_words(seed)
        packing = Packing.of(Envelope.of(words))
        codes = np.empty((len(words), packing.words), dtype=np.int64)
        chosen(pack)(words, len(words), packing.plan, codes)
        assert codes.min() >= 0, f"seed {seed}"
        assert codes[:, 0].max() < 1 << packing.bits <= 1 << CODE_BITS, f"seed {seed}"
        back = np.empty_like(words)
        chosen(unpack)(codes, packing.plan, back)
        assert np.array_equal(back, words), f"seed {seed}"
        known = as_set(codes[::2])
        assert len(known) == len(np.unique(words[::2], axis=0)), f"seed {seed}"
        rows = np.empty(len(words), dtype=np.int64)
        chosen(find_all)(words, len(words), packing.plan, known, np.empty((1, packing.words), np.int64), rows)
        among = {tuple(code) for code in known.tolist()}
        for code, row in zip(codes.tolist(), rows.tolist(), strict=True):
            assert known[row].tolist() == code if tuple(code) in among else row == -1, f"seed {seed}"


def test_a_packing_takes_the_bits_that_vary_or_the_span():
    boards = np.array([[0b1000_0000, -1], [0b1100_0011, 1], [0b1000_0001, 0]])
    assert Packing.of(Envelope.of(boards)).bits == 3 + 2
