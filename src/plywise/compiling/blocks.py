"""``Cells`` in compiled code: one block of memory, and still a value.

A block is a few 16-byte vectors.  To LLVM it is a value like a number: assigned, returned, put into tuples, and no
variable ever sees another one's change.  Two things keep that cheap.  Functions take a block by its address.  And a
cell is read where the block already lies: ``place`` follows a value back to the memory that it was loaded from and, if
nothing was written there since, uses that address.  Otherwise the block is written to the stack first.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.ir import instructions
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel, StructModel
from numba.core.imputils import RefType, impl_ret_untracked, iternext_impl, lower_constant
from numba.core.typing import signature, templates
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from plywise.cells import CHUNK, LEAST, MOST, NO_CELL, NOT_THERE, TOO_LARGE, WRONG_LENGTH, Cells, chunks

_BYTE, _INDEX, _WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_VECTOR = ir.VectorType(_BYTE, CHUNK)


class CellsType(types.IterableType):
    """The Numba type of cells of one length."""

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(name=f"Cells({length})")

    @property
    def iterator_type(self) -> CellsIterator:
        return CellsIterator(self)


class CellsIterator(types.SimpleIteratorType):
    """The Numba type of a loop over cells."""

    def __init__(self, cells: CellsType) -> None:
        self.cells = cells
        super().__init__(name=f"iter({cells})", yield_type=types.int64)


@typeof_impl.register(Cells)
def _typeof(value: Cells, context: Any) -> CellsType:
    return CellsType(len(value))


@register_model(CellsType)
class _CellsModel(PrimitiveModel):
    """A value inside a function, an address on the way into one."""

    def __init__(self, manager: Any, kind: CellsType) -> None:
        super().__init__(manager, kind, ir.ArrayType(_VECTOR, chunks(kind.length)))

    def get_argument_type(self):
        return self.be_type.as_pointer()

    def as_argument(self, builder, value):
        return place(builder, value)

    def from_argument(self, builder, value):
        return builder.load(value)


@register_model(CellsIterator)
class _IteratorModel(StructModel):
    def __init__(self, manager: Any, kind: CellsIterator) -> None:
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.int64)), ("cells", kind.cells)])


@unbox(CellsType)
def _unbox(kind, thing, c):
    block = c.pyapi.object_getattr_string(thing, "block")
    value = load_block(c.builder, kind, c.pyapi.bytes_as_string(block))
    c.pyapi.decref(block)
    return NativeValue(value, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@lower_constant(CellsType)
def _constant(context, builder, kind, value):
    return ir.Constant(
        context.get_value_type(kind),
        [ir.Constant(_VECTOR, list(value.block[at : at + CHUNK])) for at in range(0, len(value.block), CHUNK)],
    )


# ---------------------------------------------------------------------------------------------------------------------
# Memory
# ---------------------------------------------------------------------------------------------------------------------


def load_block(builder, kind, address):
    """Load a block of cells of type ``kind`` from any address."""
    block = ir.ArrayType(_VECTOR, chunks(kind.length))
    return builder.load(builder.bitcast(address, block.as_pointer()), align=1)


def words_of(builder, value):
    """Return a block as 64-bit words: two for each of its chunks."""
    words = []
    for chunk in range(value.type.count):
        pair = builder.bitcast(builder.extract_value(value, chunk), ir.VectorType(_WORD, 2))
        words += [builder.extract_element(pair, ir.Constant(_INDEX, half)) for half in range(2)]
    return words


def place(builder, value):
    """Return an address at which ``value`` lies; nobody may write there."""
    known = _source(builder, value, ())
    if known is None:
        return cgutils.alloca_once_value(builder, value)
    address, path = known
    return builder.gep(address, [ir.Constant(_INDEX, step) for step in (0, *path)], inbounds=True) if path else address


def _source(builder: Any, value: Any, path: tuple[int, ...]) -> tuple[Any, tuple[int, ...]] | None:
    """Return an address in memory, and a path below it at which the part of ``value`` at ``path`` still lies; None if
    it lies nowhere.
    """
    while not isinstance(value, instructions.LoadInstr):
        if isinstance(value, instructions.ExtractValue):
            value, path = value.aggregate, (*value.indices, *path)
        elif isinstance(value, instructions.InsertValue):
            steps = tuple(value.indices)
            if path[: len(steps)] == steps:
                value, path = value.operands[1], path[len(steps) :]
            elif steps[: len(path)] == path:  # it is made of parts
                return None
            else:
                value = value.aggregate
        else:
            return None
    if value.align is not None:  # it may lie anywhere, but functions expect blocks where vectors lie
        return None
    address = value.operands[0]
    stored = _stored_before(value)
    earlier = None if stored is None else _source(builder, stored, path)
    if earlier is not None:  # a variable that is a copy of another one
        return earlier
    return (address, path) if _unchanged(builder, value) else None


def _stored_before(load: instructions.LoadInstr) -> Any:
    """Return the value that was last stored, in the same stretch of code, to the variable that is loaded."""
    if isinstance(load.operands[0], instructions.AllocaInstr):
        for instruction in reversed(_until(load.parent, load)):
            if _writes(instruction, load.operands[0]):
                is_store = isinstance(instruction, instructions.StoreInstr)
                return instruction.operands[0] if is_store and instruction.operands[1] is load.operands[0] else None
    return None


def _until(block: Any, last: Any) -> list[Any]:
    """Return the instructions of a block before ``last``, the latest of which are asked for most."""
    for index in range(len(block.instructions) - 1, -1, -1):
        if block.instructions[index] is last:
            return list(block.instructions[:index])
    return []


def _unchanged(builder: Any, load: instructions.LoadInstr) -> bool:
    """Return whether the memory that was loaded is still the same.

    What an argument points to never changes while the function runs: only its own variables and results are written.
    In a generator, whose variables are kept behind an argument, every variable is loaded anew after each ``yield``.  A
    variable may change, but not between two instructions of one stretch of code that does not write to it.
    """
    base = _base(load.operands[0])
    if isinstance(base, ir.Argument):
        return True
    if not isinstance(base, instructions.AllocaInstr) or load.parent is not builder.block:
        return False
    for instruction in reversed(builder.block.instructions):
        if instruction is load:
            return True
        if _writes(instruction, base):
            return False
    return False


def _writes(instruction: Any, base: Any) -> bool:
    """Return whether an instruction writes to a variable.  A function writes to its first argument only: its result."""
    if isinstance(instruction, instructions.StoreInstr):
        return _base(instruction.operands[1]) is base
    if isinstance(instruction, instructions.CallInstr):
        return bool(instruction.args) and _base(instruction.args[0]) is base
    return False


def _base(address):
    while isinstance(address, (instructions.GEPInstr, instructions.CastInstr)):
        address = address.operands[0]
    return address


def _cell(context, builder, kind, address, index):
    """Return the address of the cell at ``index``, which may be counted from the end; raise IndexError otherwise."""
    length = ir.Constant(_WORD, kind.length)
    negative = builder.icmp_signed("<", index, ir.Constant(_WORD, 0))
    index = builder.select(negative, builder.add(index, length), index)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, length)):
        context.call_conv.return_user_exc(builder, IndexError, (NO_CELL,))
    return builder.gep(builder.bitcast(address, _BYTE.as_pointer()), [index], inbounds=True)


def _in_a_byte(context, builder, value):
    """Return a number as a byte; raise ValueError if it does not fit."""
    too_low = builder.icmp_signed("<", value, ir.Constant(_WORD, LEAST))
    too_high = builder.icmp_signed(">", value, ir.Constant(_WORD, MOST))
    with cgutils.if_unlikely(builder, builder.or_(too_low, too_high)):
        context.call_conv.return_user_exc(builder, ValueError, (TOO_LARGE,))
    return builder.trunc(value, _BYTE)


# ---------------------------------------------------------------------------------------------------------------------
# What can be done with cells
# ---------------------------------------------------------------------------------------------------------------------


def _function(name: Any, result: types.Type, *others: type[types.Type]) -> Any:
    """Have Numba know a function of cells and of others, which are given as their kinds."""

    def decorate(generate):
        def generic(self, arguments, keywords):
            if keywords or len(arguments) != 1 + len(others) or not isinstance(arguments[0], CellsType):
                return None
            if not all(map(isinstance, arguments[1:], others)):
                return None
            if CellsType in others and arguments[1] != arguments[0]:
                return None
            return signature(result, arguments[0], *(_widest(kind) for kind in arguments[1:]))

        template = type(f"Cells_{name.__name__}", (templates.AbstractTemplate,), {"generic": generic})
        templates.infer_global(name)(template)
        lower_builtin(name, CellsType, *others)(generate)
        return generate

    return decorate


def _widest(kind: types.Type) -> types.Type:
    return types.int64 if isinstance(kind, (types.Integer, types.Boolean)) else kind


@_function(len, types.int64)
def _len(context, builder, call, arguments):
    return ir.Constant(_WORD, call.args[0].length)


@_function(operator.getitem, types.int64, types.Integer)
def _getitem(context, builder, call, arguments):
    address = _cell(context, builder, call.args[0], place(builder, arguments[0]), arguments[1])
    return builder.sext(builder.load(address), _WORD)


@_function(operator.eq, types.boolean, CellsType)
def _eq(context, builder, call, arguments):
    different = ir.Constant(ir.IntType(CHUNK), 0)
    for chunk in range(chunks(call.args[0].length)):
        one, other = (builder.extract_value(value, chunk) for value in arguments)
        unequal = builder.bitcast(builder.icmp_unsigned("!=", one, other), ir.IntType(CHUNK))
        different = builder.or_(different, unequal)
    return builder.icmp_unsigned("==", different, ir.Constant(different.type, 0))


@_function(operator.ne, types.boolean, CellsType)
def _ne(context, builder, call, arguments):
    return builder.not_(_eq(context, builder, call, arguments))


def _count(builder, kind, value, wanted):
    """Return how many cells have the value ``wanted``."""
    narrow = builder.trunc(wanted, _BYTE)
    vector = ir.Constant(_VECTOR, ir.Undefined)
    for lane in range(CHUNK):
        vector = builder.insert_element(vector, narrow, ir.Constant(_INDEX, lane))
    total = ir.Constant(_WORD, 0)
    bits = ir.IntType(CHUNK)
    count_bits = builder.module.declare_intrinsic("llvm.ctpop", [bits], ir.FunctionType(bits, [bits]))
    for chunk in range(chunks(kind.length)):
        equal = builder.bitcast(builder.icmp_unsigned("==", builder.extract_value(value, chunk), vector), bits)
        if chunk == kind.length // CHUNK:  # the rest of it is padding
            equal = builder.and_(equal, ir.Constant(bits, (1 << kind.length % CHUNK) - 1))
        total = builder.add(total, builder.zext(builder.call(count_bits, [equal]), _WORD))
    fits = builder.icmp_signed("==", builder.sext(narrow, _WORD), wanted)
    return builder.select(fits, total, ir.Constant(_WORD, 0))


@_function(operator.contains, types.boolean, types.Integer)
def _contains(context, builder, call, arguments):
    count = _count(builder, call.args[0], arguments[0], arguments[1])
    return builder.icmp_unsigned("!=", count, ir.Constant(_WORD, 0))


def _method_count(context, builder, call, arguments):
    return _count(builder, call.args[0], arguments[0], arguments[1])


def _method_with_item(context, builder, call, arguments):
    kind, (cells, index, value) = call.args[0], arguments
    changed = cgutils.alloca_once_value(builder, cells)
    byte = _in_a_byte(context, builder, value)
    builder.store(byte, _cell(context, builder, kind, changed, index))
    return builder.load(changed)


@templates.infer_getattr
class _Methods(templates.AttributeTemplate):
    key = CellsType

    def resolve_count(self, kind: CellsType) -> types.Type:
        return self._method(kind, "count", types.int64, 1)

    def resolve_with_item(self, kind: CellsType) -> types.Type:
        return self._method(kind, "with_item", kind, 2)

    def _method(self, kind: CellsType, name: str, result: types.Type, numbers: int) -> types.Type:
        class Method(templates.AbstractTemplate):
            key = (CellsType, name)

            def generic(self, arguments, keywords):
                whole = all(isinstance(given, (types.Integer, types.Boolean)) for given in arguments)
                if keywords or len(arguments) != numbers or not whole:
                    return None
                return signature(result, *map(_widest, arguments), recvr=kind)

        return types.BoundFunction(Method, kind)


for _name, _generate in (("count", _method_count), ("with_item", _method_with_item)):
    lower_builtin((CellsType, _name), CellsType, types.VarArg(types.Any))(_generate)


@lower_builtin("getiter", CellsType)
def _getiter(context, builder, call, arguments):
    iterator = context.make_helper(builder, call.return_type)
    iterator.index = cgutils.alloca_once_value(builder, ir.Constant(_WORD, 0))
    iterator.cells = arguments[0]
    return impl_ret_untracked(context, builder, call.return_type, iterator._getvalue())


@lower_builtin("iternext", CellsIterator)
@iternext_impl(RefType.UNTRACKED)
def _iternext(context, builder, call, arguments, result):
    iterator = context.make_helper(builder, call.args[0], value=arguments[0])
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, ir.Constant(_WORD, call.args[0].cells.length))
    result.set_valid(more)
    with builder.if_then(more):
        block = place(builder, builder.extract_value(arguments[0], 1))
        cell = builder.gep(builder.bitcast(block, _BYTE.as_pointer()), [index], inbounds=True)
        result.yield_(builder.sext(builder.load(cell), _WORD))
        builder.store(builder.add(index, ir.Constant(_WORD, 1)), iterator.index)


# Loops over all cells ------------------------------------------------------------------------------------------------


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
    """Have Numba know ``min`` or ``max`` of cells."""

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


# Arrays of the values ------------------------------------------------------------------------------------------------


@intrinsic
def _unpack(typing_context, cells, array):
    """Write the values of ``cells`` to an array of as many numbers."""

    def generate(context, builder, call, arguments):
        source = builder.bitcast(place(builder, arguments[0]), _BYTE.as_pointer())
        target = context.make_array(array)(context, builder, arguments[1]).data
        with cgutils.for_range(builder, ir.Constant(_WORD, cells.length)) as loop:
            byte = builder.load(builder.gep(source, [loop.index], inbounds=True))
            builder.store(builder.sext(byte, _WORD), builder.gep(target, [loop.index], inbounds=True))
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


_Address = types.CPointer(types.int8)


@intrinsic
def _blank(typing_context, cells):
    """Return the address, in the caller's part of the stack, of as many cells, all 0."""

    def generate(context, builder, call, arguments):
        blank = ir.Constant(context.get_value_type(cells), None)
        return builder.bitcast(cgutils.alloca_once_value(builder, blank), _BYTE.as_pointer())

    return _Address(cells), generate


@intrinsic
def _put(typing_context, address, index, value):
    def generate(context, builder, call, arguments):
        byte = _in_a_byte(context, builder, arguments[2])
        builder.store(byte, builder.gep(arguments[0], [arguments[1]], inbounds=True))
        return context.get_dummy_value()

    return types.none(_Address, types.int64, types.int64), generate


@intrinsic
def _taken(typing_context, cells, address):
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
