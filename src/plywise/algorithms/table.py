"""The memo of a search: a bounded table of positions and what is known of their values.

An entry holds the whole key of its position, so two positions are never taken for each other, however small the table.
A new entry replaces the one in its place.  The same code runs compiled, on arrays of machine words, and interpreted, on
arrays of Python objects; four small functions below are all that differs.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plywise.cells import Cells, block_words
from plywise.compiling.blocks import CellsType, words_of
from plywise.compiling.bridge import number_type, twin
from plywise.compiling.native import Native, inlined
from plywise.game import Game, Move, Number, State

EXACT, LOWER, UPPER = 1, 2, 3
"""What an entry's value is to the position's; 0 marks an empty place."""

BOUND, DEPTH, MOVE, MARK, VALUE, KEY = range(6)
"""Columns of an entry; the mark tells the position itself from one that shares its key; the key is the rest."""

ANY_DEPTH = -1
"""Stored by a search without a depth limit, whose values do not depend on the depth."""

DEPTHS = 1 << 16
"""More than any remaining depth: entries of different searches differ by a multiple of this."""


@inlined
def bound_within(value: Number, alpha: Number, beta: Number) -> int:
    """Return what alpha-beta's answer to this window is to the position's value."""
    return UPPER if value <= alpha else LOWER if value >= beta else EXACT


@inlined
def settles(bound: int, value: Number, alpha: Number, beta: Number) -> bool:
    """Return whether a value of which this is known answers a search with this window."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


class Table(Native):
    """What is known of positions, at most one entry for each of its places."""

    limited: bool
    """Whether values depend on the remaining depth, because the search has a horizon."""
    entries: np.ndarray
    searches: np.ndarray
    """How many searches began on this table.  With a horizon, each sees only its own entries."""

    def find(self, game: Game, state: State, depth: int) -> int:
        """Return the place of the entry for ``state`` at exactly this depth, or -1."""
        key = game.key(state)
        place = spread(key) % len(self.entries)
        stored = self.entries[place, BOUND] != 0 and self.entries[place, DEPTH] == self.stored_depth(depth)
        return place if stored and same(self.entries, place, KEY, key) else -1

    def bound(self, place: int) -> int:
        """Return what the value stored at ``place`` is: EXACT, LOWER or UPPER."""
        return self.entries[place, BOUND]  # type: ignore[no-any-return]

    def move(self, place: int) -> Move:
        """Return the best move stored at ``place``."""
        return self.entries[place, MOVE]

    def has_move(self, place: int, state: State) -> bool:
        """Return whether the move at ``place`` is for ``state``, and not for its mirror image, say."""
        return self.entries[place, MARK] == mark(state)  # type: ignore[no-any-return]

    def value(self, game: Game, place: int) -> Number:
        """Return the value stored at ``place``."""
        return recalled(game, self.entries, place)  # type: ignore[no-any-return]

    def store(self, game: Game, state: State, depth: int, value: Number, bound: int, move: Move) -> None:
        """Keep what a search of ``state`` has found, in place of whatever was there."""
        key = game.key(state)
        place = spread(key) % len(self.entries)
        self.entries[place, BOUND] = bound
        self.entries[place, DEPTH] = self.stored_depth(depth)
        self.entries[place, MOVE] = move
        self.entries[place, MARK] = mark(state)
        remember(self.entries, place, VALUE, value)
        remember(self.entries, place, KEY, key)

    def stored_depth(self, depth: int) -> int:
        """Return ``depth``, distinguished by the search if that has a horizon."""
        return depth + DEPTHS * self.searches[0] if self.limited else ANY_DEPTH

    def begin_search(self) -> None:
        """Forget, in no time, what an earlier search saw at its horizon.  From Python."""
        self.searches[0] += 1


def table_of_size(game: Game, megabytes: float, limited: bool, any_value: bool = False) -> Table:
    """Return an empty table that takes at most so much memory, and holds at least one entry.

    ``any_value`` is for interpreted runs, whose keys, values and moves are Python objects.
    """
    width = KEY + (1 if any_value else len(words(game.key(game.initial()))))
    places = max(1, int(megabytes * (1 << 20) / (8 * width)))
    if any_value:
        places = min(places, MOST_INTERPRETED_PLACES)
    entries = np.zeros((places, width), dtype=object if any_value else np.int64)
    return Table(limited=limited, entries=entries, searches=np.zeros(1, dtype=np.int64))


MOST_INTERPRETED_PLACES = 1 << 14
"""Python objects are large, and interpreted searches small."""


def words(value: Any) -> list[int]:
    """Return the machine words of a key: one for each number in it."""
    if isinstance(value, Cells):
        return [0] * block_words(len(value))
    return [word for item in value for word in words(item)] if isinstance(value, tuple) else [0]


# In compiled code a number is one 64-bit word of a row, and a tuple is the words of its items.


def _words(context, builder, kind, value):
    """Return the numbers in ``value``, in order, as 64-bit words."""
    if isinstance(kind, types.BaseTuple):
        items = zip(kind, cgutils.unpack_tuple(builder, value), strict=True)
        return [word for inner, item in items for word in _words(context, builder, inner, item)]
    if isinstance(kind, CellsType):
        return words_of(builder, value)
    if isinstance(kind, types.Float):
        return [builder.bitcast(context.cast(builder, value, kind, types.float64), ir.IntType(64))]
    return [context.cast(builder, value, kind, types.int64)]


FEW_WORDS = 8
"""Words of a key that are mixed one after the other."""

MANY_BITS = (1 << 128) - 1


@functools.cache
def multiplier(seed: int, index: int) -> int:
    """Return the 128 bits by which the word at ``index`` of a long key is multiplied."""
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:16], "little")


def condensed(builder, words, seed):
    """Return one word for the many of a long key: the upper half of a sum of products (multilinear hashing, Carter and
    Wegman 1979; Lemire and Kaser 2014).  The products do not wait for each other.
    """
    if len(words) <= FEW_WORDS:
        return words
    wide = ir.IntType(128)
    total = ir.Constant(wide, 0)
    for index, word in enumerate(words):
        product = builder.mul(builder.zext(word, wide), ir.Constant(wide, multiplier(seed, index)))
        total = builder.add(total, product)
    return [builder.trunc(builder.lshr(total, ir.Constant(wide, 64)), ir.IntType(64))]


def _cell(context, builder, array_type, array, place, column):
    """Return the address of a cell of a two-dimensional array."""
    helper = context.make_array(array_type)(context, builder, array)
    width = cgutils.unpack_tuple(builder, helper.shape)[1]
    return builder.gep(helper.data, [builder.add(builder.mul(place, width), column)])


@intrinsic
def _spread(typing_context, key):
    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        mixed = ir.Constant(word, 0)
        for part in condensed(builder, _words(context, builder, key, arguments[0]), 0):
            # A round of multiply and fold (the constants of splitmix64, Steele, Lea and Flood 2014).
            mixed = builder.mul(builder.xor(mixed, part), ir.Constant(word, 0xBF58476D1CE4E5B9))
            mixed = builder.xor(mixed, builder.lshr(mixed, ir.Constant(word, 27)))
            mixed = builder.mul(mixed, ir.Constant(word, 0x94D049BB133111EB))
            mixed = builder.xor(mixed, builder.lshr(mixed, ir.Constant(word, 31)))
        return builder.lshr(mixed, ir.Constant(word, 1))

    return types.int64(key), generate


@twin(_spread)
def spread(key: Any) -> int:
    """Return a number from 0 to 2^63 - 1 that depends on every bit of ``key``."""
    return hash(key) & ((1 << 63) - 1)


@twin(_spread)
def mark(state):
    """Return what tells a position from others: the position itself, or, in compiled code, 63 bits of a hash."""
    return state


@intrinsic
def _same(typing_context, array, place, column, key):
    def generate(context, builder, signature, arguments):
        equal = ir.Constant(ir.IntType(1), 1)
        for i, word in enumerate(_words(context, builder, key, arguments[3])):
            at = builder.add(arguments[2], ir.Constant(arguments[2].type, i))
            stored = builder.load(_cell(context, builder, array, arguments[0], arguments[1], at))
            equal = builder.and_(equal, builder.icmp_signed("==", stored, word))
        return equal

    return types.boolean(array, types.int64, types.int64, key), generate


@twin(_same)
def same(array: np.ndarray, place: int, column: int, key: Any) -> bool:
    """Return whether row ``place`` holds ``key``, beginning at ``column``."""
    return array[place, column] == key  # type: ignore[no-any-return]


@intrinsic
def _remember(typing_context, array, place, column, value):
    def generate(context, builder, signature, arguments):
        for i, word in enumerate(_words(context, builder, value, arguments[3])):
            at = builder.add(arguments[2], ir.Constant(arguments[2].type, i))
            builder.store(word, _cell(context, builder, array, arguments[0], arguments[1], at))
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64, value), generate


@twin(_remember)
def remember(array: np.ndarray, place: int, column: int, value: Any) -> None:
    """Write ``value`` into row ``place``, beginning at ``column``."""
    array[place, column] = value


@intrinsic
def _recalled(typing_context, game, array, place):
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        column = ir.Constant(arguments[2].type, VALUE)
        word = builder.load(_cell(context, builder, array, arguments[1], arguments[2], column))
        return builder.bitcast(word, context.get_value_type(number))

    return number(game, array, types.int64), generate


@twin(_recalled)
def recalled(game, array, place):
    """Return the value in row ``place``, as a number of the game's."""
    return array[place, VALUE]
