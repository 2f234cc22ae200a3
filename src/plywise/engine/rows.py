"""Positions as rows of machine words, for arrays of them: the way from Python to a loop in compiled code."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plywise.cells import Cells, block_words
from plywise.compiling.blocks import CellsType, load_block
from plywise.compiling.bridge import state_type, twin
from plywise.game import Game, State


def rows_of(states: list[State], example: State, compiled: bool) -> np.ndarray:
    """Return positions, whose fields are of the kinds of ``example``'s, as the rows of an array."""
    if not compiled:
        rows = np.empty(len(states), dtype=object)
        rows[:] = [(state,) for state in states]  # in a tuple of its own, so that NumPy does not take it apart
        return rows
    flat = not isinstance(example, Cells) and all(isinstance(field, int) for field in example)
    return np.array(states if flat else [_words(state, example) for state in states], dtype=np.int64)


def _words(value: Any, example: Any) -> list[int]:
    if isinstance(example, Cells):
        return list(value.words)
    if isinstance(example, tuple):
        return [word for item, like in zip(value, example, strict=True) for word in _words(item, like)]
    return [struct.unpack("q", struct.pack("d", value))[0] if isinstance(example, float) else int(value)]


@intrinsic
def _state_at(typing_context, game, rows, index):
    target = state_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        helper = context.make_array(rows)(context, builder, arguments[1])
        width = cgutils.unpack_tuple(builder, helper.shape)[1]
        place = builder.gep(helper.data, [builder.mul(arguments[2], width)])
        used = 0

        def address(words):
            nonlocal used
            used += words
            return builder.gep(place, [ir.Constant(ir.IntType(64), used - words)])

        def read(kind):
            if isinstance(kind, types.BaseTuple):
                return context.make_tuple(builder, kind, [read(item) for item in kind])
            if isinstance(kind, CellsType):
                return load_block(builder, kind, address(block_words(kind.length)))
            word = builder.load(address(1))
            if isinstance(kind, types.Float):
                return context.cast(builder, builder.bitcast(word, ir.DoubleType()), types.float64, kind)
            return context.cast(builder, word, types.int64, kind)

        return read(target)

    return target(game, rows, types.int64), generate


@twin(_state_at)
def state_at(game: Game, rows: Any, index: int) -> State:
    """Return the position in row ``index`` of what ``rows_of`` made."""
    return rows[index][0]
