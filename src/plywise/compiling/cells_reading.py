"""Reading ``Cells`` in compiled code: items, comparisons, counts, loops, and an array of all values."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import StructModel
from numba.core.imputils import RefType, impl_ret_untracked, iternext_impl
from numba.extending import intrinsic, lower_builtin, overload, overload_method, register_model

from plywise.cells import CHUNK, NOT_THERE, chunks
from plywise.compiling.addresses import address_of
from plywise.compiling.cells_type import (
    VECTOR,
    CellsIterator,
    CellsType,
    bytes_at,
    cell_address,
    function_of_cells,
    method_of_cells,
)
from plywise.compiling.instructions import BYTE, INT32, WORD, call_llvm, word


@function_of_cells(len, types.int64)
def _len(context, builder, call, arguments):
    return word(call.args[0].length)


@function_of_cells(operator.getitem, types.int64, types.Integer)
def _getitem(context, builder, call, arguments):
    address = cell_address(context, builder, call.args[0], address_of(builder, arguments[0]), arguments[1])
    return builder.sext(builder.load(address), WORD)


@function_of_cells(operator.eq, types.boolean, CellsType)
def _eq(context, builder, call, arguments):
    different = ir.Constant(ir.IntType(CHUNK), 0)
    for chunk in range(chunks(call.args[0].length)):
        one, other = (builder.extract_value(value, chunk) for value in arguments)
        unequal = builder.bitcast(builder.icmp_unsigned("!=", one, other), ir.IntType(CHUNK))
        different = builder.or_(different, unequal)
    return builder.icmp_unsigned("==", different, ir.Constant(different.type, 0))


@function_of_cells(operator.ne, types.boolean, CellsType)
def _ne(context, builder, call, arguments):
    return builder.not_(_eq(context, builder, call, arguments))


@function_of_cells(operator.contains, types.boolean, types.Integer)
def _contains(context, builder, call, arguments):
    return builder.icmp_unsigned("!=", _count(context, builder, call, arguments), word(0))


@method_of_cells("count", lambda kind: types.int64, 1)
def _count(context, builder, call, arguments):
    """Compare whole vectors with a vector of the wanted value, and count the bits of the results."""
    kind, (block, wanted) = call.args[0], arguments
    narrow = builder.trunc(wanted, BYTE)
    vector = ir.Constant(VECTOR, ir.Undefined)
    for lane in range(CHUNK):
        vector = builder.insert_element(vector, narrow, ir.Constant(INT32, lane))
    total = word(0)
    bits = ir.IntType(CHUNK)
    for chunk in range(chunks(kind.length)):
        equal = builder.bitcast(builder.icmp_unsigned("==", builder.extract_value(block, chunk), vector), bits)
        if chunk == kind.length // CHUNK:  # the rest of it is padding
            equal = builder.and_(equal, ir.Constant(bits, (1 << kind.length % CHUNK) - 1))
        total = builder.add(total, builder.zext(call_llvm(builder, "llvm.ctpop", equal), WORD))
    fits = builder.icmp_signed("==", builder.sext(narrow, WORD), wanted)
    return builder.select(fits, total, word(0))


# ---------------------------------------------------------------------------------------------------------------------
# Loops
# ---------------------------------------------------------------------------------------------------------------------


@register_model(CellsIterator)
class _IteratorModel(StructModel):
    def __init__(self, manager: Any, kind: CellsIterator) -> None:
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.int64)), ("cells", kind.cells)])


@lower_builtin("getiter", CellsType)
def _getiter(context, builder, call, arguments):
    iterator = context.make_helper(builder, call.return_type)
    iterator.index = cgutils.alloca_once_value(builder, word(0))
    iterator.cells = arguments[0]
    return impl_ret_untracked(context, builder, call.return_type, iterator._getvalue())


@lower_builtin("iternext", CellsIterator)
@iternext_impl(RefType.UNTRACKED)
def _iternext(context, builder, call, arguments, result):
    iterator = context.make_helper(builder, call.args[0], value=arguments[0])
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, word(call.args[0].cells.length))
    result.set_valid(more)
    with builder.if_then(more):
        block = address_of(builder, builder.extract_value(arguments[0], 1))
        cell = builder.gep(bytes_at(builder, block), [index], inbounds=True)
        result.yield_(builder.sext(builder.load(cell), WORD))
        builder.store(builder.add(index, word(1)), iterator.index)


@overload(sum)
def _sum(cells):
    if not isinstance(cells, CellsType):
        return None

    def total(cells):
        total = 0
        for cell in cells:
            total += cell
        return total

    return total


def _add_extreme(choose: Any) -> None:
    """Register ``min`` or ``max`` of cells with Numba."""

    @overload(choose)
    def extreme(cells):
        if not isinstance(cells, CellsType):
            return None

        def chosen(cells):
            best = cells[0]
            for cell in cells:
                best = choose(best, cell)
            return best

        return chosen


_add_extreme(min)
_add_extreme(max)


@overload_method(CellsType, "index")
def _index(cells, value):
    if not isinstance(value, types.Integer):
        return None

    def index(cells, value):
        for i in range(len(cells)):
            if cells[i] == value:
                return i
        raise ValueError(NOT_THERE)

    return index


# ---------------------------------------------------------------------------------------------------------------------
# An array of the values
# ---------------------------------------------------------------------------------------------------------------------


@intrinsic
def _unpack(typing_context, cells, array):
    """Write the values of ``cells`` to an array of the same length."""

    def generate(context, builder, call, arguments):
        source = bytes_at(builder, address_of(builder, arguments[0]))
        target = context.make_array(array)(context, builder, arguments[1]).data
        with cgutils.for_range(builder, word(cells.length)) as loop:
            byte = builder.load(builder.gep(source, [loop.index], inbounds=True))
            builder.store(builder.sext(byte, WORD), builder.gep(target, [loop.index], inbounds=True))
        return context.get_dummy_value()

    return types.none(cells, array), generate


@overload_method(CellsType, "array")
def _array(cells):
    length = cells.length

    def array(cells):
        values = np.empty(length, dtype=np.int64)
        _unpack(cells, values)
        return values

    return array
