"""Values as machine words: positions, keys and scores, flattened into 64-bit words.

A number is one word, a float by its bits; a tuple is the words of its items; cells are the words of their block.
Functions that generate code stand side by side with their twins for plain Python.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plywise.cells import Cells, block_words
from plywise.compiling.cells_type import CellsType, load_block, words_of_block
from plywise.compiling.instructions import WORD, word
from plywise.compiling.twins import twin

ALL_BITS = (1 << 64) - 1

TOO_WIDE = "which does not fit a signed 64-bit integer (see plywise.bits)"
"""The words of an error about a number that does not fit a machine word."""


def fits(number: int) -> bool:
    """Return whether an integer fits a word: from -2^63 to 2^63 - 1."""
    return -(1 << 63) <= number < 1 << 63


@intrinsic
def as_word(typing_context, number):
    """An integer as a word, which compiled code does not take for a constant."""

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[0], number, types.int64)

    return types.int64(number), generate


@twin(as_word)
def signed(board: int) -> int:
    """Return the low 64 bits of ``board`` as a signed integer, as a machine register holds them."""
    board &= ALL_BITS
    return board - (1 << 64) if board >> 63 else board


# ---------------------------------------------------------------------------------------------------------------------
# Counting words
# ---------------------------------------------------------------------------------------------------------------------


def leaves(thing: Any) -> list[Any]:
    """Return the items inside nested tuples, in order.  ``thing`` is a value or a Numba type."""
    if isinstance(thing, (tuple, types.BaseTuple)) and not isinstance(thing, Cells):
        return [leaf for item in thing for leaf in leaves(item)]
    return [thing]


def word_count(thing: Any) -> int:
    """Return the number of words of a value, or of any value of a Numba type."""
    return sum(map(_leaf_words, leaves(thing)))


def _leaf_words(leaf: Any) -> int:
    if isinstance(leaf, CellsType):
        return block_words(leaf.length)
    return block_words(len(leaf)) if isinstance(leaf, Cells) else 1


# ---------------------------------------------------------------------------------------------------------------------
# From values to words
# ---------------------------------------------------------------------------------------------------------------------


def words_of(context, builder, kind, value):
    """Return the words of ``value``, of type ``kind``, in generated code."""
    if isinstance(kind, types.BaseTuple):
        items = zip(kind, cgutils.unpack_tuple(builder, value), strict=True)
        return [each for inner, item in items for each in words_of(context, builder, inner, item)]
    if isinstance(kind, CellsType):
        return words_of_block(builder, value)
    if isinstance(kind, types.Float):
        return [builder.bitcast(context.cast(builder, value, kind, types.float64), WORD)]
    return [context.cast(builder, value, kind, types.int64)]


def plain_words(value: Any, like: Any) -> list[int]:
    """Return the words of ``value``, as signed integers.  A number becomes a float where ``like`` has one."""
    if isinstance(like, Cells):
        return list(value.words)
    if isinstance(like, tuple):
        return [each for item, kind in zip(value, like, strict=True) for each in plain_words(item, kind)]
    return [struct.unpack("q", struct.pack("d", value))[0] if isinstance(like, float) else int(value)]


# ---------------------------------------------------------------------------------------------------------------------
# From words to values
# ---------------------------------------------------------------------------------------------------------------------


def load_value(context, builder, kind, address):
    """Load a value of type ``kind`` whose words start at ``address``, in generated code."""
    used = 0

    def step(count):
        nonlocal used
        used += count
        return builder.gep(address, [word(used - count)])

    def load(kind):
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(builder, kind, [load(item) for item in kind])
        if isinstance(kind, CellsType):
            return load_block(builder, kind, step(word_count(kind)))
        return number_in(context, builder, kind, builder.load(step(1)))

    return load(kind)


def number_in(context, builder, kind, loaded):
    """Return the number of type ``kind`` in a loaded word, in generated code."""
    if isinstance(kind, types.Float):
        return context.cast(builder, builder.bitcast(loaded, ir.DoubleType()), types.float64, kind)
    return context.cast(builder, loaded, types.int64, kind)


def plain_numbers(words: Iterable[int], kind: types.Type) -> Iterator[Any]:
    """Yield the numbers, and the single cells, of a value of type ``kind`` from its words.  More words may follow."""
    rest = iter(words)
    for leaf in leaves(kind):
        if isinstance(leaf, CellsType):
            block = struct.pack(f"{word_count(leaf)}q", *itertools.islice(rest, word_count(leaf)))
            yield from struct.unpack_from(f"{leaf.length}b", block)
        elif isinstance(leaf, types.Float):
            yield struct.unpack("d", struct.pack("q", next(rest)))[0]
        else:
            yield bool(next(rest)) if isinstance(leaf, types.Boolean) else next(rest)
