"""Built-ins that Numba lacks: ``any``, ``all``, ``reversed``, and a few methods.

Other users of Numba in this process notice only that more of their code compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, overload, overload_attribute, overload_method

from plywise.compiling.instructions import bit_length, call_llvm, word


@overload(any)
def _any(items):
    def found(items):
        for item in items:  # noqa: SIM110
            if item:
                return True
        return False

    return found


@overload(all)
def _all(items):
    def found(items):
        for item in items:  # noqa: SIM110
            if not item:
                return False
        return True

    return found


@overload(reversed)
def _reversed(items):
    if isinstance(items, types.RangeType):
        return lambda items: range(items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step)
    if isinstance(items, (types.BaseTuple, types.List, types.Array)):
        return lambda items: items[::-1]
    return None


@overload_method(types.UniTuple, "count")
def _count(items, wanted):
    def count(items, wanted):
        number = 0
        for item in items:
            if item == wanted:
                number += 1
        return number

    return count


def _add_bit_method(name: str, generate_for: Callable[..., Any]) -> None:
    """Register a method of integers that depends on the bits of their absolute value."""

    @intrinsic
    def of_absolute(typing_context, number):
        def generate(context, builder, signature, arguments):
            value = context.cast(builder, arguments[0], number, types.int64)
            negative = builder.icmp_signed("<", value, word(0))
            return generate_for(builder, builder.select(negative, builder.neg(value), value))

        return types.int64(number), generate

    @overload_method(types.Integer, name)
    def method(number):
        return lambda number: of_absolute(number)


_add_bit_method("bit_count", lambda builder, size: call_llvm(builder, "llvm.ctpop", size))
_add_bit_method("bit_length", bit_length)


@overload_attribute(types.Integer, "value")
def _value(number):
    """The value of an IntEnum member, which is a plain integer in compiled code."""
    return lambda number: number
