"""64-bit boards: the same answer compiled and interpreted.

A board is a signed 64-bit integer, bit 63 being the sign.  Python's integers have no width and Numba turns a mixture of
signed and unsigned into a float, so the few operations in which that shows live here, each twice: Python's body, and
the processor's instruction for compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plywise.compiling.bridge import twin

_MASK = (1 << 64) - 1
_WORD = ir.IntType(64)


@intrinsic
def _any_number(typing_context, number):
    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[0], number, types.int64)

    return types.int64(number), generate


@twin(_any_number)
def signed(board: int) -> int:
    """Return the low 64 bits of ``board`` as a signed integer: what a machine register holds anyway."""
    board &= _MASK
    return board - (1 << 64) if board >> 63 else board


def _unary(name: str, *flags: ir.Constant) -> Any:
    """An LLVM instruction from a word to a word."""

    @intrinsic
    def instruction(typing_context, board):
        def generate(context, builder, signature, arguments):
            kinds = [_WORD] + [flag.type for flag in flags]
            function = builder.module.declare_intrinsic(name, [_WORD], ir.FunctionType(_WORD, kinds))
            return builder.call(function, [arguments[0], *flags])

        return types.int64(types.int64), generate

    return instruction


@twin(_unary("llvm.ctpop"))
def popcount(board: int) -> int:
    """Return how many bits are set."""
    return (board & _MASK).bit_count()


@twin(_unary("llvm.cttz", ir.Constant(ir.IntType(1), 0)))
def lowest(board: int) -> int:
    """Return the index of the lowest set bit; 64 for an empty board."""
    return (board & -board).bit_length() - 1 if board else 64


@twin(_unary("llvm.bswap"))
def upside_down(board: int) -> int:
    """Return ``board`` with its eight bytes in reverse order: a board of eight rows, the last one first."""
    return int.from_bytes((board & _MASK).to_bytes(8, "little"), "big", signed=True)


def _bit_length(typing_context, board):
    def generate(context, builder, signature, arguments):
        flag = ir.Constant(ir.IntType(1), 0)
        function = builder.module.declare_intrinsic("llvm.ctlz", [_WORD], ir.FunctionType(_WORD, [_WORD, flag.type]))
        return builder.sub(ir.Constant(_WORD, 64), builder.call(function, [arguments[0], flag]))

    return types.int64(types.int64), generate


@twin(intrinsic(_bit_length))
def size(number: int) -> int:
    """Return how many bits a number takes: one more than the index of its highest set bit, 0 for 0."""
    return (int(number) & _MASK).bit_length()


def _binary(operation: Callable[..., Any]) -> Any:
    """An instruction of LLVM's builder from two words to a word."""

    @intrinsic
    def instruction(typing_context, board, other):
        def generate(context, builder, signature, arguments):
            return operation(builder, *arguments)

        return types.int64(types.int64, types.int64), generate

    return instruction


@twin(_binary(ir.IRBuilder.lshr))
def shift_right(board: int, distance: int) -> int:
    """Return ``board`` shifted right by 0 to 63, zeros coming in from the left (``>>`` repeats the sign)."""
    return signed((board & _MASK) >> distance)


@twin(_binary(ir.IRBuilder.shl))
def shift_left(board: int, distance: int) -> int:
    """Return ``board`` shifted left by 0 to 63; what passes bit 63 is gone."""
    return signed(board << distance)


@twin(_binary(ir.IRBuilder.mul))
def product(board: int, factor: int) -> int:
    """Return the low 64 bits of a product.  Of ``*``, compiled code takes for granted that the rest is not needed: it
    may conclude from two positive factors that bit 63 is not set.
    """
    return signed(board * factor)


def _rotation(typing_context, board, distance):
    def generate(context, builder, signature, arguments):
        function = builder.module.declare_intrinsic("llvm.fshl", [_WORD], ir.FunctionType(_WORD, [_WORD] * 3))
        return builder.call(function, [arguments[0], arguments[0], arguments[1]])

    return types.int64(types.int64, types.int64), generate


@twin(intrinsic(_rotation))
def rotated(board: int, distance: int) -> int:
    """Return ``board`` with its bits moved up by ``distance``, down if that is negative; what leaves comes back in."""
    distance &= 63
    return signed((board & _MASK) << distance | (board & _MASK) >> 64 - distance)


def rest(board: int) -> int:
    """Return ``board`` without its lowest set bit."""
    return signed(board & board - 1)


@intrinsic
def _with_item(typing_context, items, index, value):
    if not isinstance(items, types.UniTuple):
        return None

    def generate(context, builder, signature, arguments):
        old, place, new = arguments
        new = context.cast(builder, new, value, items.dtype)
        place = context.cast(builder, place, index, types.intp)
        array = cgutils.alloca_once_value(builder, old)
        zero = ir.Constant(ir.IntType(32), 0)
        builder.store(new, builder.gep(array, [zero, place]))
        return builder.load(array)

    return items(items, index, value), generate


@twin(_with_item)
def with_item(items: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple of equal kinds with one item replaced; the index is not checked in compiled code."""
    return (*items[:index], value, *items[index + 1 :])


@twin(_any_number)
def any_number(number: int) -> int:
    """Return an integer that compiled code does not take for a constant.

    A function that calls itself would be compiled once more for every constant that it is called with, and could not
    be kept on disk.
    """
    return number


@intrinsic
def _item(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        data = context.make_array(array)(context, builder, arguments[0]).data
        loaded = builder.load(builder.gep(data, [context.cast(builder, arguments[1], index, types.intp)]))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    return types.int64(array, index), generate


@twin(_item)
def item(array: Any, index: int) -> int:
    """Read an item of a flat int64 array that never changes; the index is not checked in compiled code."""
    return int(array[index])


@intrinsic
def _fresh(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        data = context.make_array(array)(context, builder, arguments[0]).data
        place = builder.gep(data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.load_atomic(place, "monotonic", 8)

    return types.int64(array, index), generate


@twin(_fresh)
def fresh(array: Any, index: int) -> int:
    """Read an item of an int64 array from memory now, even in a loop that never writes it."""
    return int(array[index])
