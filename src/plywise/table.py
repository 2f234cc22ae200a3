"""The memo of a search: a bounded table of positions and what is known of their values.

An entry holds the whole key of its position, so two positions are never taken for each other, however small the table.
A new entry replaces the one in its place.  The same code runs compiled, on arrays of machine words, and interpreted, on
arrays of Python objects; four small functions below are all that differs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plywise.bridge import number_type, twin
from plywise.game import Game, Move, State
from plywise.native import Native

EXACT, LOWER, UPPER = 1, 2, 3
"""What an entry's value is to the position's; 0 marks an empty place."""

ANY_DEPTH = -1
"""Stored for a search without a depth limit, whose values do not depend on the depth."""


class Table(Native):
    """What is known of positions, at most one entry for each of its places."""

    limited: bool
    """Whether values depend on the remaining depth, because the search has a horizon."""
    keys: np.ndarray
    values: np.ndarray
    move: np.ndarray
    depth: np.ndarray
    bound: np.ndarray

    def find(self, game: Game, state: State, depth: int) -> int:
        """Return the place of the entry for ``state`` at exactly this depth, or -1."""
        key = game.key(state)
        place = spread(key) % len(self.bound)
        if self.bound[place] != 0 and self.depth[place] == self.stored_depth(depth) and same(self.keys, place, key):
            return place
        return -1

    def value(self, game: Game, place: int) -> Any:
        """Return the value stored at ``place``."""
        return recalled(game, self.values, place)

    def store(self, game: Game, state: State, depth: int, value: Any, bound: int, move: Move) -> None:
        """Keep what a search of ``state`` has found, in place of whatever was there."""
        key = game.key(state)
        place = spread(key) % len(self.bound)
        remember(self.keys, place, key)
        remember(self.values, place, value)
        self.move[place] = move
        self.depth[place] = self.stored_depth(depth)
        self.bound[place] = bound

    def stored_depth(self, depth: int) -> int:
        return depth if self.limited else ANY_DEPTH


def make_table(game: Game, places: int, limited: bool, any_value: bool = False) -> Table:
    """Return an empty table; ``any_value``: for interpreted runs, whose keys, values and moves are Python objects."""
    kind: Any = object if any_value else np.int64
    shape = (places, 1) if any_value else (places, len(words(game.key(game.initial()))))
    return Table(
        limited=limited,
        keys=np.zeros(shape, dtype=kind),
        values=np.zeros((places, 1), dtype=kind),
        move=np.zeros(places, dtype=kind),
        depth=np.zeros(places, dtype=np.int64),
        bound=np.zeros(places, dtype=np.int64),
    )


def words(value: Any) -> list[int]:
    """Return the machine words of a key: one for each number in it."""
    return [word for item in value for word in words(item)] if isinstance(value, tuple) else [0]


# In compiled code a number is one 64-bit word of a row, and a tuple is the words of its items.


def _leaves(kind: types.Type) -> list[types.Type]:
    return [leaf for item in kind for leaf in _leaves(item)] if isinstance(kind, types.BaseTuple) else [kind]


def _words(context, builder, kind, value):  # type: ignore[no-untyped-def]
    """Return the values of ``_leaves(kind)`` as 64-bit words."""
    if isinstance(kind, types.BaseTuple):
        items = zip(kind, cgutils.unpack_tuple(builder, value), strict=True)
        return [word for inner, item in items for word in _words(context, builder, inner, item)]
    if isinstance(kind, types.Float):
        return [builder.bitcast(context.cast(builder, value, kind, types.float64), ir.IntType(64))]
    return [context.cast(builder, value, kind, types.int64)]


def _row(context, builder, array_type, array, place):  # type: ignore[no-untyped-def]
    """Return a function from a column to its address in row ``place``."""
    helper = context.make_array(array_type)(context, builder, array)
    width = cgutils.unpack_tuple(builder, helper.shape)[1]
    start = builder.mul(place, width)
    return lambda column: builder.gep(helper.data, [builder.add(start, ir.Constant(start.type, column))])


@intrinsic
def _spread(typing_context, key):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        mixed = ir.Constant(word, 0)
        for part in _words(context, builder, key, arguments[0]):
            # A round of multiply and fold (the constants of splitmix64, Steele, Lea and Flood 2014).
            mixed = builder.mul(builder.xor(mixed, part), ir.Constant(word, 0xBF58476D1CE4E5B9))
            mixed = builder.xor(mixed, builder.lshr(mixed, ir.Constant(word, 27)))
            mixed = builder.mul(mixed, ir.Constant(word, 0x94D049BB133111EB))
            mixed = builder.xor(mixed, builder.lshr(mixed, ir.Constant(word, 31)))
        return builder.lshr(mixed, ir.Constant(word, 1))

    return types.int64(key), generate


@twin(_spread)
def spread(key):  # type: ignore[no-untyped-def]
    """Return a number from 0 to 2^63 - 1 that depends on every bit of ``key``."""
    return hash(key) & ((1 << 63) - 1)


@intrinsic
def _same(typing_context, array, place, key):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        at = _row(context, builder, array, arguments[0], arguments[1])
        equal = ir.Constant(ir.IntType(1), 1)
        for column, word in enumerate(_words(context, builder, key, arguments[2])):
            equal = builder.and_(equal, builder.icmp_signed("==", builder.load(at(column)), word))
        return equal

    return types.boolean(array, types.int64, key), generate


@twin(_same)
def same(array, place, key):  # type: ignore[no-untyped-def]
    """Return whether row ``place`` holds ``key``."""
    return array[place, 0] == key


@intrinsic
def _remember(typing_context, array, place, value):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        at = _row(context, builder, array, arguments[0], arguments[1])
        for column, word in enumerate(_words(context, builder, value, arguments[2])):
            builder.store(word, at(column))
        return context.get_dummy_value()

    return types.none(array, types.int64, value), generate


@twin(_remember)
def remember(array, place, value):  # type: ignore[no-untyped-def]
    """Write ``value`` into row ``place``."""
    array[place, 0] = value


@intrinsic
def _recalled(typing_context, game, array, place):  # type: ignore[no-untyped-def]
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        word = builder.load(_row(context, builder, array, arguments[1], arguments[2])(0))
        return builder.bitcast(word, context.get_value_type(number))

    return number(game, array, types.int64), generate


@twin(_recalled)
def recalled(game, array, place):  # type: ignore[no-untyped-def]
    """Return the number in row ``place``, as a number of the game's."""
    return array[place, 0]
