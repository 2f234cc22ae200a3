"""Methods, properties, constants and arrays of native objects and of named tuples in compiled code.

A method is compiled like a function whose first argument is the object or the tuple.  Numba learns how to call a
method, or to read an attribute, when it first meets the name.
"""

from __future__ import annotations

import functools
import types as python_types
from typing import Any

import numba
from numba import types
from numba.core import cgutils, imputils
from numba.core.registry import cpu_target
from numba.core.typing import templates
from numba.extending import lower_builtin, lower_getattr, lower_getattr_generic
from numba.np.arrayobj import populate_array

from plywise.compiling.fingerprint import GENERATED, members, plain
from plywise.compiling.functions import call_function, constant_type, dispatcher
from plywise.compiling.instructions import WORD, load_unchanging, word
from plywise.compiling.native import is_constant, without_enums
from plywise.compiling.native_types import NativeType
from plywise.compiling.words import number_in


def method_type(context: Any, kind: NativeType, name: str, arguments: tuple[types.Type, ...]) -> types.Type:
    """Return the result type of method ``name`` of an object of type ``kind``, for these argument types."""
    return _signature(context, kind, name, arguments).return_type


def _signature(context: Any, kind: types.Type, name: str, arguments: Any, keywords: Any = None) -> Any:
    """Return the signature of a method or property, as a function of its object."""
    called = types.Dispatcher(dispatcher(_function(kind, name)))
    return called.get_call_type(context, (kind, *arguments), keywords or {})


def _function(kind: types.Type, name: str) -> python_types.FunctionType:
    function: python_types.FunctionType = plain(_member(kind, name))
    return function


def _member(kind: Any, name: str) -> Any:
    """Return the member of a class with this name; None if there is none, or if it is a field of a named tuple."""
    if isinstance(kind, NativeType):
        return kind.facts.members.get(name)
    return None if name in GENERATED or name in kind.fields else members(kind.instance_class).get(name)


def _member_type(context: Any, kind: types.Type, name: str) -> types.Type | None:
    """Return the type of a member that is a function; None for other members."""
    member = _member(kind, name)
    if isinstance(member, staticmethod):
        return types.Dispatcher(dispatcher(plain(member)))
    if isinstance(member, property):
        return _signature(context, kind, name, ()).return_type
    if not isinstance(member, (python_types.FunctionType, functools._lru_cache_wrapper)):
        return None
    base = NativeType if isinstance(kind, NativeType) else types.BaseNamedTuple
    _announce_method(base, name)

    class Method(templates.AbstractTemplate):
        key = (base, name)

        def generic(self, arguments, keywords):  # Numba keeps this class, so it must not keep a dispatcher
            return _signature(self.context, kind, name, arguments, keywords).as_method()

    return types.BoundFunction(Method, kind)


@functools.cache
def _announce_method(base: type[types.Type], name: str) -> None:
    """Teach Numba to call methods of this name on any native object, or on any named tuple."""

    @lower_builtin((base, name), base, types.VarArg(types.Any))
    def call_method(context, builder, call, arguments):
        return call_function(context, builder, _function(call.args[0], name), call, arguments)


def _read_member(context, builder, kind, value, name):
    """Generate code that reads a static method or a property."""
    if isinstance(_member(kind, name), staticmethod):
        return context.get_dummy_value()
    call = _signature(context.typing_context, kind, name, ())
    return call_function(context, builder, _function(kind, name), call, [value])


def _constant(context, builder, value):
    return context.get_constant_generic(builder, numba.typeof(value), value)


# ---------------------------------------------------------------------------------------------------------------------
# Native objects
# ---------------------------------------------------------------------------------------------------------------------


@templates.infer_getattr
class _NativeAttributes(templates.AttributeTemplate):
    key = NativeType

    def generic_resolve(self, kind: NativeType, name: str) -> types.Type | None:
        if name in kind.facts.constants:
            return constant_type(name, kind.facts.constants[name])
        if name in kind.facts.arrays:
            return kind.facts.arrays[name][1]
        if name in kind.facts.numbers:
            return kind.facts.numbers[name][1]
        return _member_type(self.context, kind, name)


@lower_getattr_generic(NativeType)
def _read_attribute(context, builder, kind, value, name):
    if name in kind.facts.constants:
        return _constant(context, builder, kind.facts.constants[name])
    if name in kind.facts.arrays or name in kind.facts.numbers:
        block = cgutils.create_struct_proxy(kind)(context, builder, value=value).block
        read, place = (
            (_read_array, kind.facts.arrays) if name in kind.facts.arrays else (_read_number, kind.facts.numbers)
        )
        return read(context, builder, builder.bitcast(block, WORD.as_pointer()), *place[name])
    return _read_member(context, builder, kind, value, name)


def _read_number(context, builder, block, place, kind):
    """Load a number of an open type from its place in the block."""
    loaded = load_unchanging(builder, builder.gep(block, [word(place)]))
    return number_in(context, builder, kind, loaded)


def _read_array(context, builder, block, place, kind):
    """Make an array from its description, which starts at ``place`` in the block."""

    def load(index):
        return load_unchanging(builder, builder.gep(block, [word(index)]))

    array = context.make_array(kind)(context, builder)
    lengths = [load(place + 1 + axis) for axis in range(kind.ndim)]
    size = word(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    if kind.layout == "C":
        strides = [size] * kind.ndim
        for axis in reversed(range(kind.ndim - 1)):
            strides[axis] = builder.mul(strides[axis + 1], lengths[axis + 1])
    else:
        strides = [load(place + 1 + kind.ndim + axis) for axis in range(kind.ndim)]
    populate_array(
        array,
        data=builder.inttoptr(load(place), array.data.type),
        shape=cgutils.pack_array(builder, lengths, WORD),
        strides=cgutils.pack_array(builder, strides, WORD),
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()


# ---------------------------------------------------------------------------------------------------------------------
# Named tuples
# ---------------------------------------------------------------------------------------------------------------------


@templates.infer_getattr
class _TupleAttributes(templates.AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, kind: Any, name: str) -> types.Type | None:
        member = _member(kind, name)
        if isinstance(member, (property, staticmethod)) or is_constant(member):
            _announce_tuple_attribute(name)
        if is_constant(member):
            return constant_type(name, without_enums(member))
        return _member_type(self.context, kind, name)


@functools.cache
def _announce_tuple_attribute(name: str) -> None:
    """Teach Numba to read an attribute of this name of any named tuple; in some tuples it may be a field."""

    @lower_getattr(types.BaseNamedTuple, name)
    def read(context, builder, kind, value):
        member = _member(kind, name)
        if member is None:
            place = kind.fields.index(name)
            field = builder.extract_value(value, place)
            return imputils.impl_ret_borrowed(context, builder, kind.types[place], field)
        if is_constant(member):
            return _constant(context, builder, without_enums(member))
        return _read_member(context, builder, kind, value, name)

    cpu_target.target_context.refresh()  # Numba looks for new functions by itself, but not for new attributes
