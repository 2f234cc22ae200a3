"""Changing ``Cells`` in compiled code: ``with_item`` and ``with_items`` return changed copies."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload_method

from plywise.cells import LEAST, MOST, TOO_LARGE, WRONG_LENGTH
from plywise.compiling.cells_type import CellsType, bytes_at, cell_address, load_block, method_of_cells
from plywise.compiling.instructions import BYTE, word


def _in_a_byte(context, builder, value):
    """Return a number as a byte; raise ValueError if it does not fit."""
    too_low = builder.icmp_signed("<", value, word(LEAST))
    too_high = builder.icmp_signed(">", value, word(MOST))
    with cgutils.if_unlikely(builder, builder.or_(too_low, too_high)):
        context.call_conv.return_user_exc(builder, ValueError, (TOO_LARGE,))
    return builder.trunc(value, BYTE)


@method_of_cells("with_item", lambda kind: kind, 2)
def _with_item(context, builder, call, arguments):
    kind, (cells, index, value) = call.args[0], arguments
    changed = cgutils.alloca_once_value(builder, cells)
    byte = _in_a_byte(context, builder, value)
    builder.store(byte, cell_address(context, builder, kind, changed, index))
    return builder.load(changed)


_Address = types.CPointer(types.int8)


@intrinsic
def _blank(typing_context, cells):
    """Put a block of zeros, as long as ``cells``, on the caller's stack; return its address."""

    def generate(context, builder, call, arguments):
        blank = ir.Constant(context.get_value_type(cells), None)
        return bytes_at(builder, cgutils.alloca_once_value(builder, blank))

    return _Address(cells), generate


@intrinsic
def _put(typing_context, address, index, value):
    """Write one cell of a block."""

    def generate(context, builder, call, arguments):
        byte = _in_a_byte(context, builder, arguments[2])
        builder.store(byte, builder.gep(arguments[0], [arguments[1]], inbounds=True))
        return context.get_dummy_value()

    return types.none(_Address, types.int64, types.int64), generate


@intrinsic
def _taken(typing_context, cells, address):
    """Return the block at an address, with the type of ``cells``."""

    def generate(context, builder, call, arguments):
        return load_block(builder, cells, arguments[1])

    return cells(cells, _Address), generate


@overload_method(CellsType, "with_items")
def _with_items(cells, values):
    if not isinstance(getattr(values, "dtype", None), types.Integer) or getattr(values, "ndim", 1) != 1:
        return None
    length = cells.length

    def with_items(cells, values):
        if len(values) != length:
            raise ValueError(WRONG_LENGTH)
        block = _blank(cells)
        for i in range(length):
            _put(block, i, values[i])
        return _taken(cells, block)

    return with_items
