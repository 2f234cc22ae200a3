"""Values in the rows of a two-dimensional array, for tables and lists of positions.

Compiled code stores a value as machine words, in as many columns as needed.  Plain Python stores it as an object, in
one column.  The same searches run on both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plywise.cells import Cells
from plywise.compiling.instructions import item_address, word
from plywise.compiling.native import Native
from plywise.compiling.native_types import state_type
from plywise.compiling.scores import number_type
from plywise.compiling.twins import twin
from plywise.compiling.words import load_value, plain_words, words_of


def _address(context, builder, rows_type, rows, row, column):
    """Return the address of an item of a two-dimensional array."""
    width = cgutils.unpack_tuple(builder, context.make_array(rows_type)(context, builder, rows).shape)[1]
    return item_address(context, builder, rows_type, rows, builder.add(builder.mul(row, width), column))


@intrinsic
def _put(typing_context, rows, row, column, value):
    def generate(context, builder, signature, arguments):
        for i, each in enumerate(words_of(context, builder, value, arguments[3])):
            place = builder.add(arguments[2], word(i))
            builder.store(each, _address(context, builder, rows, arguments[0], arguments[1], place))
        return context.get_dummy_value()

    return types.none(rows, types.int64, types.int64, value), generate


@twin(_put)
def put(rows: np.ndarray, row: int, column: int, value: Any) -> None:
    """Write ``value`` into a row, starting at ``column``."""
    rows[row, column] = value


@twin(_put)
def put_words(rows: np.ndarray, row: int, column: int, value: Any) -> None:
    """Write the machine words of ``value`` into a row, also in plain Python."""
    words = plain_words(value, value)
    rows[row, column : column + len(words)] = words


@intrinsic
def _row_has(typing_context, rows, row, column, value):
    def generate(context, builder, signature, arguments):
        equal = context.get_constant(types.boolean, True)
        for i, each in enumerate(words_of(context, builder, value, arguments[3])):
            place = builder.add(arguments[2], word(i))
            stored = builder.load(_address(context, builder, rows, arguments[0], arguments[1], place))
            equal = builder.and_(equal, builder.icmp_signed("==", stored, each))
        return equal

    return types.boolean(rows, types.int64, types.int64, value), generate


@twin(_row_has)
def row_has(rows: np.ndarray, row: int, column: int, value: Any) -> bool:
    """Return whether a row holds ``value``, starting at ``column``."""
    return rows[row, column] == value  # type: ignore[no-any-return]


@intrinsic
def _number_at(typing_context, game, rows, row, column):
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        return load_value(context, builder, number, _address(context, builder, rows, *arguments[1:]))

    return number(game, rows, types.int64, types.int64), generate


@twin(_number_at)
def number_at(game: Native, rows: np.ndarray, row: int, column: int) -> Any:
    """Return the score that ``put`` wrote into a row at ``column``."""
    return rows[row, column]


def rows_of(states: list[Any], example: Any, compiled: bool) -> np.ndarray:
    """Return positions as the rows of an array; their fields have the types of those of ``example``."""
    if not compiled:
        rows = np.empty((len(states), 1), dtype=object)
        for row, state in enumerate(states):
            put(rows, row, 0, state)
        return rows
    if isinstance(example, tuple) and all(type(field) is int for field in example) and not isinstance(example, Cells):
        return np.array(states, dtype=np.int64)  # the same, faster
    return np.array([plain_words(state, example) for state in states], dtype=np.int64)


@intrinsic
def _state_at(typing_context, game, rows, row):
    target = state_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        address = _address(context, builder, rows, arguments[1], arguments[2], word(0))
        return load_value(context, builder, target, address)

    return target(game, rows, types.int64), generate


@twin(_state_at)
def state_at(game: Native, rows: Any, row: int) -> Any:
    """Return the position that ``rows_of``, or ``put`` at column 0, wrote into a row."""
    return rows[row, 0]
