"""Memory that threads share: arrays of 64-bit numbers read and written one word at a time, without locks.

The compiler may read a plain ``array[i]`` twice, or once before a loop.  These functions read and write exactly when
they are called.  Except for ``publish`` and ``observe``, they promise nothing about two words: a reader may see one old
and one new word, and must detect that itself (see ``engine.table``).  In plain Python, which runs one thread at a time,
they are ordinary accesses.
"""

from __future__ import annotations

import os
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

from plywise.compiling.instructions import INT32, item_address
from plywise.compiling.twins import twin

_WORD_BYTES = 8


def _address(context, builder, array_type, array, index_type, index):
    return item_address(context, builder, array_type, array, context.cast(builder, index, index_type, types.intp))


def _loading(ordering):
    """Return an intrinsic that reads an item of an int64 array."""

    @intrinsic
    def load_item(typing_context, array, index):
        def generate(context, builder, signature, arguments):
            return builder.load_atomic(
                _address(context, builder, array, arguments[0], index, arguments[1]), ordering, _WORD_BYTES
            )

        return types.int64(array, index), generate

    return load_item


def _storing(ordering):
    """Return an intrinsic that writes an item of an int64 array."""

    @intrinsic
    def store_item(typing_context, array, index, value):
        def generate(context, builder, signature, arguments):
            word = context.cast(builder, arguments[2], value, types.int64)
            place = _address(context, builder, array, arguments[0], index, arguments[1])
            builder.store_atomic(word, place, ordering, _WORD_BYTES)
            return context.get_dummy_value()

        return types.none(array, index, value), generate

    return store_item


@twin(_loading("monotonic"))
def load(array: Any, index: int) -> int:
    """Return the current value of an item of an int64 array.  Compiled code does not check the index, which must not be
    negative.
    """
    return int(array[index])


@twin(_storing("monotonic"))
def store(array: Any, index: int, value: int) -> None:
    """Write an item of an int64 array."""
    array[index] = value


@twin(_loading("acquire"))
def observe(array: Any, index: int) -> int:
    """Return an item that ``publish`` may have written: everything written before that is then seen too."""
    return int(array[index])


@twin(_storing("release"))
def publish(array: Any, index: int, value: int) -> None:
    """Write an item of an int64 array after everything that was written before; see ``observe``."""
    array[index] = value


@intrinsic
def _add(typing_context, array, index, value):
    def generate(context, builder, signature, arguments):
        word = context.cast(builder, arguments[2], value, types.int64)
        place = _address(context, builder, array, arguments[0], index, arguments[1])
        return builder.atomic_rmw("add", place, word, "seq_cst")

    return types.int64(array, index, value), generate


@twin(_add)
def add(array: Any, index: int, value: int) -> int:
    """Add to an item of an int64 array atomically, and return the old value."""
    before = int(array[index])
    array[index] = before + value
    return before


@intrinsic
def _add_real(typing_context, array, index, value):
    def generate(context, builder, signature, arguments):
        term = context.cast(builder, arguments[2], value, types.float64)
        place = _address(context, builder, array, arguments[0], index, arguments[1])
        builder.atomic_rmw("fadd", place, term, "monotonic")
        return context.get_dummy_value()

    return types.none(array, index, value), generate


@twin(_add_real)
def add_real(array: Any, index: int, value: float) -> None:
    """Add to an item of a float64 array atomically."""
    array[index] += value


@intrinsic
def _swap_if(typing_context, array, index, expected, value):
    def generate(context, builder, signature, arguments):
        place = _address(context, builder, array, arguments[0], index, arguments[1])
        old, new = (context.cast(builder, arguments[i], signature.args[i], types.int64) for i in (2, 3))
        return builder.extract_value(builder.cmpxchg(place, old, new, "seq_cst", "seq_cst"), 1)

    return types.boolean(array, index, expected, value), generate


@twin(_swap_if)
def swap_if(array: Any, index: int, expected: int, value: int) -> bool:
    """Write an item of an int64 array if it equals ``expected``, atomically, and return whether it did."""
    found = bool(array[index] == expected)
    if found:
        array[index] = value
    return found


@intrinsic
def _fetch_ahead(typing_context, array, index):
    def generate(context, builder, signature, arguments):
        place = _address(context, builder, array, arguments[0], index, arguments[1])
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, INT32, INT32, INT32])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        read, keep, data = (ir.Constant(INT32, flag) for flag in (0, 3, 1))
        builder.call(function, [builder.bitcast(place, pointer), read, keep, data])
        return context.get_dummy_value()

    return types.none(array, index), generate


@twin(_fetch_ahead)
def fetch_ahead(array: Any, index: int) -> None:
    """Prefetch an item into the processor's cache."""


@intrinsic
def _give_way(typing_context):
    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(32), [])
        function = get_or_insert_function(builder.module, kind, "SwitchToThread" if os.name == "nt" else "sched_yield")
        builder.call(function, [])
        return context.get_dummy_value()

    return types.none(), generate


@twin(_give_way)
def give_way() -> None:
    """Yield the processor to other threads while this one waits for them."""
    time.sleep(0)
