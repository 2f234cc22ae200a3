"""LLVM instructions that several modules of this package generate.

Every function takes LLVM's builder and LLVM values, and returns the LLVM value of the result.
"""

from __future__ import annotations

from llvmlite import ir

BYTE, INT32, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)
"""The types of a cell, of an index into an LLVM struct or vector, and of a machine word."""

DEFINED_FOR_ZERO = ir.Constant(ir.IntType(1), 0)
"""The second argument of ``llvm.ctlz`` and ``llvm.cttz``: they return 64 for a word without set bits."""


def word(number):
    """Return a constant word."""
    return ir.Constant(WORD, number)


def call_llvm(builder, name, *arguments):
    """Call an LLVM intrinsic that returns the type of its first argument, such as ``llvm.ctpop``."""
    kind = arguments[0].type
    function = builder.module.declare_intrinsic(name, [kind], ir.FunctionType(kind, [each.type for each in arguments]))
    return builder.call(function, arguments)


def bit_length(builder, number):
    """Return the index of the highest set bit plus one; 0 for 0."""
    return builder.sub(word(64), call_llvm(builder, "llvm.ctlz", number, DEFINED_FOR_ZERO))


def item_address(context, builder, array_type, array, index):
    """Return the address of the item at ``index`` of the array's memory."""
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


def load_unchanging(builder, address):
    """Load from memory that never changes, so that LLVM may load it only once."""
    loaded = builder.load(address)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded
