"""Hashes of keys, for tables of positions.

A hash mixes the words of a key one by one.  A long key is first condensed to one word.  ``bucket`` and ``signature``
return the same numbers compiled and interpreted.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from plywise.cells import Cells
from plywise.compiling.instructions import WORD, word
from plywise.compiling.twins import twin
from plywise.compiling.words import ALL_BITS, fits, leaves, plain_words, signed, words_of

FEW_WORDS = 8
"""Keys with more words are condensed."""

_WIDE = ir.IntType(128)


class _Mixer(NamedTuple):
    """For each word: multiply, fold the upper bits onto the lower ones, and repeat both once."""

    multipliers: tuple[int, int]
    folds: tuple[int, int]
    seed: int
    """Chooses the multipliers of long keys."""


class HashedKey(NamedTuple):
    """Both hashes of a key, in place of the key.  Only compiled code makes and reads it."""

    mixed: int
    """What ``bucket`` scales."""
    signature: int


_SPLITMIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # Steele, Lea and Flood 2014
_MURMUR = (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53)  # Appleby 2011

_PLACES = _Mixer(_SPLITMIX, (27, 31), 0)
_BUCKETS = _Mixer(_SPLITMIX, (29, 32), _SPLITMIX[0])
_SIGNATURES = _Mixer(_MURMUR, (29, 32), _MURMUR[0])


# ---------------------------------------------------------------------------------------------------------------------
# Mixing words, in generated code and in plain Python
# ---------------------------------------------------------------------------------------------------------------------


@functools.cache
def _multiplier(seed: int, index: int) -> int:
    """Return the 128-bit multiplier of the word at ``index`` of a long key."""
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:16], "little")


def _condensed(builder, words, seed):
    """Return one word for a long key: the upper half of a sum of products (multilinear hashing, Carter and Wegman 1979;
    Lemire and Kaser 2014).  The products are independent, so the processor can overlap them.
    """
    total = ir.Constant(_WIDE, 0)
    for index, each in enumerate(words):
        product = builder.mul(builder.zext(each, _WIDE), ir.Constant(_WIDE, _multiplier(seed, index)))
        total = builder.add(total, product)
    return builder.trunc(builder.lshr(total, ir.Constant(_WIDE, 64)), WORD)


def _plain_condensed(words: list[int], seed: int) -> int:
    total = sum((each & ALL_BITS) * _multiplier(seed, index) for index, each in enumerate(words))
    return total >> 64 & ALL_BITS


def _mixed(builder, words, mixer):
    """Return 64 bits that depend on every bit of ``words``."""
    result = word(0)
    for each in words if len(words) <= FEW_WORDS else [_condensed(builder, words, mixer.seed)]:
        result = builder.xor(result, each)
        for multiplier, fold in zip(mixer.multipliers, mixer.folds, strict=True):
            result = builder.mul(result, word(multiplier))
            result = builder.xor(result, builder.lshr(result, word(fold)))
    return result


def _plain_mixed(words: list[int], mixer: _Mixer) -> int:
    result = 0
    for each in words if len(words) <= FEW_WORDS else [_plain_condensed(words, mixer.seed)]:
        result ^= each & ALL_BITS
        for multiplier, fold in zip(mixer.multipliers, mixer.folds, strict=True):
            result = result * multiplier & ALL_BITS
            result ^= result >> fold
    return result


def _plain_key_words(key: Any) -> list[int]:
    """Return the words of a key.  Plain Python also accepts wider integers and other objects."""
    words: list[int] = []
    for leaf in leaves(key):
        if isinstance(leaf, (int, np.integer)):
            words += _digits(int(leaf))
        elif isinstance(leaf, (float, Cells)):
            words += plain_words(leaf, leaf)
        else:
            words.append(hash(leaf))
    return words


def _digits(number: int) -> list[int]:
    """Return an integer as words.  A wide one starts with their count: zero words in front do not change a hash."""
    digits = [number]
    while not fits(number):
        number >>= 64
        digits.append(number)
    return digits if len(digits) == 1 else [len(digits), *digits]


# ---------------------------------------------------------------------------------------------------------------------
# Hashes
# ---------------------------------------------------------------------------------------------------------------------


@intrinsic
def _spread(typing_context, key):
    def generate(context, builder, signature, arguments):
        return builder.lshr(_mixed(builder, words_of(context, builder, key, arguments[0]), _PLACES), word(1))

    return types.int64(key), generate


@twin(_spread)
def spread(key: Any) -> int:
    """Return a hash of ``key`` from 0 to 2^63 - 1; it differs between compiled and interpreted code."""
    return hash(key) & ((1 << 63) - 1)


@twin(_spread)
def mark(state: Any) -> Any:
    """Return an identifier of a position: the position itself or, in compiled code, 63 bits of a hash."""
    return state


@intrinsic
def hashed(typing_context, key):
    """The hashes of a key."""

    def generate(context, builder, signature, arguments):
        words = words_of(context, builder, key, arguments[0])
        hashes = [_mixed(builder, words, mixer) for mixer in (_BUCKETS, _signing(words))]
        return context.make_tuple(builder, signature.return_type, hashes)

    return types.UniTuple(types.int64, 2)(key), generate


def _is_hashed(key):
    return isinstance(key, types.BaseNamedTuple) and key.instance_class is HashedKey


@intrinsic
def _bucket(typing_context, key, count):
    def generate(context, builder, signature, arguments):
        words = words_of(context, builder, key, arguments[0])
        mixed = words[0] if _is_hashed(key) else _mixed(builder, words, _BUCKETS)
        scaled = builder.mul(builder.zext(mixed, _WIDE), builder.zext(arguments[1], _WIDE))
        return builder.trunc(builder.lshr(scaled, ir.Constant(_WIDE, 64)), WORD)

    return types.int64(key, types.int64), generate


@twin(_bucket)
def bucket(key: Any, count: int) -> int:
    """Return the number of the bucket of ``key``, below ``count``."""
    return _plain_mixed(_plain_key_words(key), _BUCKETS) * count >> 64


@intrinsic
def _signature(typing_context, key):
    def generate(context, builder, signature, arguments):
        words = words_of(context, builder, key, arguments[0])
        return words[1] if _is_hashed(key) else _mixed(builder, words, _signing(words))

    return types.int64(key), generate


def _signing(words: Any) -> _Mixer:
    """Return the mixer for a signature.  A one-word signature is unique, so it may share the mixer of the buckets."""
    return _BUCKETS if len(words) == 1 else _SIGNATURES


@twin(_signature)
def signature(key: Any) -> int:
    """Return 64 bits that distinguish the positions in a bucket; keys of one integer never share them."""
    words = _plain_key_words(key)
    return signed(_plain_mixed(words, _signing(words)))
