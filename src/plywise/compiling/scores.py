"""The number type of scores in compiled code: 64-bit integers if all scores are integers, else floats.

Python passes windows as floats, because they may be infinite.  With integer scores a plain float is rounded down, and a
``RoundedUp`` one up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from plywise.compiling.instructions import WORD, call_llvm, word
from plywise.compiling.members import method_type
from plywise.compiling.native import WHOLE_INFINITY, Native
from plywise.compiling.native_types import NativeType, native_type, state_type


def number_type(context: Any, game: NativeType) -> types.Type:
    """Return the type that holds every score, evaluation and value of ``game``: int64 or float64."""
    if game.facts.cls.REAL_VALUES:
        return types.float64
    state = (state_type(context, game),)
    kinds = [method_type(context, game, name, state) for name in ("score", "evaluate", "repetition")]
    return types.float64 if any(isinstance(kind, types.Float) for kind in kinds) else types.int64


_number_kinds: dict[NativeType, np.dtype[Any]] = {}


def number_kind(game: Native) -> np.dtype[Any]:
    """Return the dtype that stores scores of ``game`` exactly, in arrays for compiled code."""
    kind = native_type(game, is_open=True)
    if kind not in _number_kinds:
        try:
            _number_kinds[kind] = np.dtype(str(number_type(cpu_target.typing_context, kind)))
        except Exception:  # it does not compile: ``reading.prepare`` will find out soon, and say why
            _number_kinds[kind] = np.dtype(np.float64)
    return _number_kinds[kind]


def set_number_kind(game: NativeType, number: types.Type) -> None:
    """Save ``number_kind`` the work to infer the type of scores, for those who know it."""
    _number_kinds[game] = np.dtype(str(number))


def rounded(builder, real, rounding):
    """Convert a float to int64 with ``llvm.floor`` or ``llvm.ceil``; infinities become ``WHOLE_INFINITY``."""
    limit = ir.Constant(real.type, float(WHOLE_INFINITY))
    clipped = builder.select(builder.fcmp_ordered(">=", real, limit), limit, real)
    low = builder.fneg(limit)
    clipped = builder.select(builder.fcmp_ordered("<=", clipped, low), low, clipped)
    return builder.fptosi(call_llvm(builder, rounding, clipped), WORD)


@intrinsic
def infinity_of(typing_context, game):
    """Infinity, as a number of the game."""
    number = number_type(typing_context, game)
    value = float("inf") if number == types.float64 else WHOLE_INFINITY
    return number(game), lambda context, builder, signature, values: context.get_constant(number, value)


@intrinsic
def limits_of_max(typing_context, game, limits):
    """A pair of limits, such as ``bounds`` returns, as numbers of the game: low rounded down, high rounded up."""
    number = number_type(typing_context, game)
    pair = types.UniTuple(number, 2)

    def generate(context, builder, signature, arguments):
        ends = cgutils.unpack_tuple(builder, arguments[1])
        for place, (kind, rounding) in enumerate(zip(limits, ("llvm.floor", "llvm.ceil"), strict=True)):
            if isinstance(kind, types.Float) and number == types.int64:
                real = context.cast(builder, ends[place], kind, types.float64)
                ends[place] = rounded(builder, real, rounding)
            else:
                ends[place] = context.cast(builder, ends[place], kind, number)
        return context.make_tuple(builder, pair, ends)

    return pair(game, limits), generate


@intrinsic
def above_of(typing_context, game, value):
    """The smallest number of the game above ``value``."""
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        if number == types.int64:
            return builder.add(arguments[1], word(1))
        return _next_float(builder, arguments[1])

    return number(game, number), generate


def _next_float(builder, real):
    """Return the next float above ``real``.

    Among floats of one sign, the bits read as an integer grow with the absolute value.  So the next float is one more
    for a positive float, and one less for a negative one.
    """
    bits = builder.bitcast(builder.fadd(real, ir.Constant(real.type, 0.0)), WORD)  # -0.0 becomes 0.0
    negative = builder.icmp_signed("<", bits, word(0))
    step = builder.select(negative, word(-1), word(1))
    return builder.bitcast(builder.add(bits, step), real.type)
