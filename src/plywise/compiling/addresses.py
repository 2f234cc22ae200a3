"""Find the address of a value in memory, to read a part of it.

To LLVM a block of cells is a value like a number, but reading one cell needs an address.  ``address_of`` traces a value
back to the memory it was loaded from and returns that address if nothing was written there since.  Otherwise it writes
the value to the stack first.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions
from numba.core import cgutils

from plywise.compiling.instructions import INT32


def address_of(builder, value):
    """Return an address at which ``value`` lies.  Nothing may be written there."""
    known = _source(builder, value, ())
    if known is None:
        return cgutils.alloca_once_value(builder, value)
    address, path = known
    return builder.gep(address, [ir.Constant(INT32, step) for step in (0, *path)], inbounds=True) if path else address


def _source(builder: Any, value: Any, path: tuple[int, ...]) -> tuple[Any, tuple[int, ...]] | None:
    """Return an address, and a path below it, where the part of ``value`` at ``path`` still lies; None if nowhere."""
    while not isinstance(value, instructions.LoadInstr):
        if isinstance(value, instructions.ExtractValue):
            value, path = value.aggregate, (*value.indices, *path)
        elif isinstance(value, instructions.InsertValue):
            steps = tuple(value.indices)
            if path[: len(steps)] == steps:
                value, path = value.operands[1], path[len(steps) :]
            elif steps[: len(path)] == path:  # it was assembled from parts
                return None
            else:
                value = value.aggregate
        else:
            return None
    if value.align is not None:  # it may lie anywhere, but functions expect blocks to be aligned like vectors
        return None
    stored = _stored_before(value)
    earlier = None if stored is None else _source(builder, stored, path)
    if earlier is not None:  # a variable that is a copy of another one
        return earlier
    return (value.operands[0], path) if _unchanged(builder, value) else None


def _stored_before(load: instructions.LoadInstr) -> Any:
    """Return the value that this basic block last stored to the loaded variable; None if unknown."""
    if isinstance(load.operands[0], instructions.AllocaInstr):
        for instruction in reversed(_until(load.parent, load)):
            if _writes(instruction, load.operands[0]):
                is_store = isinstance(instruction, instructions.StoreInstr)
                return instruction.operands[0] if is_store and instruction.operands[1] is load.operands[0] else None
    return None


def _until(block: Any, last: Any) -> list[Any]:
    """Return the instructions of a basic block before ``last``, which is usually near its end."""
    for index in range(len(block.instructions) - 1, -1, -1):
        if block.instructions[index] is last:
            return list(block.instructions[:index])
    return []


def _unchanged(builder: Any, load: instructions.LoadInstr) -> bool:
    """Return whether the memory that was loaded still holds the same value.

    The memory behind an argument never changes while the function runs: it writes only to its own variables and
    results.  A generator keeps its variables behind an argument, but loads every variable again after each ``yield``.
    A variable may change, but not between two instructions of a basic block without a write to it in between.
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
    """Return whether an instruction writes to a variable.  A call writes only to its first argument, the result."""
    if isinstance(instruction, instructions.StoreInstr):
        return _base(instruction.operands[1]) is base
    if isinstance(instruction, instructions.CallInstr):
        return bool(instruction.args) and _base(instruction.args[0]) is base
    return False


def _base(address):
    while isinstance(address, (instructions.GEPInstr, instructions.CastInstr)):
        address = address.operands[0]
    return address
