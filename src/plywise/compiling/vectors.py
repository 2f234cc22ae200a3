"""Numbers added many at a time: LANES items of an array in one or two machine instructions.

LLVM finds this by itself in most loops, but not in all: for some lengths it adds one number after the other.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from plywise.compiling.instructions import item_address
from plywise.compiling.twins import twin

LANES = 16
"""How many 16-bit numbers are added at once; the length of rows must be a multiple of it."""

_ITEM_BYTES = 2
_VECTOR = ir.VectorType(ir.IntType(8 * _ITEM_BYTES), LANES)


def _changing(operation):
    """Return an intrinsic that changes LANES items of an int16 array by those of another."""

    @intrinsic
    def change(typing_context, into, at, items, first):
        for array in (into, items):
            if not (array.dtype == types.int16 and array.layout == "C"):
                raise TypingError(f"rows are added in contiguous arrays of int16, not {array}")

        def generate(context, builder, signature, arguments):
            def address(array_type, array, index_type, index):
                place = context.cast(builder, index, index_type, types.intp)
                item = item_address(context, builder, array_type, array, place)
                return builder.bitcast(item, _VECTOR.as_pointer())

            target, source = (
                address(into, arguments[0], at, arguments[1]),
                address(items, arguments[2], first, arguments[3]),
            )
            changed = getattr(builder, operation)(
                builder.load(target, align=_ITEM_BYTES), builder.load(source, align=_ITEM_BYTES)
            )
            builder.store(changed, target, align=_ITEM_BYTES)
            return context.get_dummy_value()

        return types.none(into, at, items, first), generate

    return change


@twin(_changing("add"))
def add_lanes(into: Any, at: int, items: Any, first: int) -> None:
    """Add LANES numbers of an int16 array, from the index ``first`` on, to those of another, from ``at`` on.

    Indices count through all rows.
    """
    into.reshape(-1)[at : at + LANES] += items.reshape(-1)[first : first + LANES]


@twin(_changing("sub"))
def subtract_lanes(into: Any, at: int, items: Any, first: int) -> None:
    """Subtract instead."""
    into.reshape(-1)[at : at + LANES] -= items.reshape(-1)[first : first + LANES]
