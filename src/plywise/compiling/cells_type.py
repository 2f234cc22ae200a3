"""``Cells`` in compiled code: one block of memory with the semantics of a value.

A block is a few 16-byte vectors.  To LLVM it is a value like a number: it can be assigned, returned and put into
tuples, and variables never share it.  Functions take a block by its address, which keeps calls cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_constant
from numba.core.typing import signature, templates
from numba.extending import NativeValue, lower_builtin, register_model, typeof_impl, unbox

from plywise.cells import CHUNK, NO_CELL, Cells, chunks
from plywise.compiling.addresses import address_of
from plywise.compiling.instructions import BYTE, INT32, WORD, word

VECTOR = ir.VectorType(BYTE, CHUNK)


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


# ---------------------------------------------------------------------------------------------------------------------
# Layout
# ---------------------------------------------------------------------------------------------------------------------


@register_model(CellsType)
class _CellsModel(PrimitiveModel):
    """A value inside a function; an address when passed as an argument."""

    def __init__(self, manager: Any, kind: CellsType) -> None:
        super().__init__(manager, kind, ir.ArrayType(VECTOR, chunks(kind.length)))

    def get_argument_type(self):
        return self.be_type.as_pointer()

    def as_argument(self, builder, value):
        return address_of(builder, value)

    def from_argument(self, builder, value):
        return builder.load(value)


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
        [ir.Constant(VECTOR, list(value.block[at : at + CHUNK])) for at in range(0, len(value.block), CHUNK)],
    )


def load_block(builder, kind, address):
    """Load a block of cells of type ``kind`` from any address."""
    block = ir.ArrayType(VECTOR, chunks(kind.length))
    return builder.load(builder.bitcast(address, block.as_pointer()), align=1)


def words_of_block(builder, value):
    """Return a block as 64-bit words, two for each vector."""
    words = []
    for chunk in range(value.type.count):
        pair = builder.bitcast(builder.extract_value(value, chunk), ir.VectorType(WORD, 2))
        words += [builder.extract_element(pair, ir.Constant(INT32, half)) for half in range(2)]
    return words


def bytes_at(builder, address):
    """Return the address of a block as the address of its first cell."""
    return builder.bitcast(address, BYTE.as_pointer())


def cell_address(context, builder, kind, address, index):
    """Return the address of the cell at ``index``, which may count from the end; raise IndexError if out of range."""
    length = word(kind.length)
    negative = builder.icmp_signed("<", index, word(0))
    index = builder.select(negative, builder.add(index, length), index)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, length)):
        context.call_conv.return_user_exc(builder, IndexError, (NO_CELL,))
    return builder.gep(bytes_at(builder, address), [index], inbounds=True)


# ---------------------------------------------------------------------------------------------------------------------
# Registering functions and methods of cells with Numba
# ---------------------------------------------------------------------------------------------------------------------


def function_of_cells(name: Any, result: types.Type, *others: type[types.Type]) -> Any:
    """Decorate the code generator of a function of cells and of ``others``, given as classes of types."""

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


def method_of_cells(name: str, result: Callable[[CellsType], types.Type], numbers: int) -> Any:
    """Decorate the code generator of a method of cells with this many integer arguments."""

    def resolve(self, kind):
        class CellsMethod(templates.AbstractTemplate):
            key = (CellsType, name)

            def generic(self, arguments, keywords):
                whole = all(isinstance(given, (types.Integer, types.Boolean)) for given in arguments)
                if keywords or len(arguments) != numbers or not whole:
                    return None
                return signature(result(kind), *map(_widest, arguments), recvr=kind)

        return types.BoundFunction(CellsMethod, kind)

    def decorate(generate):
        attributes = {"key": CellsType, f"resolve_{name}": resolve}
        templates.infer_getattr(type(f"Cells_{name}", (templates.AttributeTemplate,), attributes))
        return lower_builtin((CellsType, name), CellsType, types.VarArg(types.Any))(generate)

    return decorate


def _widest(kind: types.Type) -> types.Type:
    return types.int64 if isinstance(kind, (types.Integer, types.Boolean)) else kind
