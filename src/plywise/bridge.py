"""How plain Python becomes machine code for one game.

An algorithm is a plain function ``f(game, state, ...)``; a game is a plain class.  ``compiled(f)`` makes Numba compile
both together.  Three ideas carry it:

* A game (any ``Native`` object) has a Numba type of its own, named after a fingerprint of its code and parameters.  Its
  methods are resolved while the caller is compiled, its numbers are constants, and all that exists at run time is one
  pointer to its arrays.
* Before Numba sees a function, the plain Python functions that it mentions are replaced by compiled ones.  So neither
  rules nor algorithms need a decorator, and calling them from Python simply runs them as Python.
* Positions enter compiled code as bare tuples and never leave it.  So no class of the user's is part of a signature,
  and machine code can be kept on disk (see ``cache``) even for a class that was typed at the prompt.
"""

from __future__ import annotations

import functools
import hashlib
import threading
import types as python_types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, imputils
from numba.core.registry import cpu_target
from numba.core.typing import templates
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np import numpy_support

from plywise.cache import MachineCode
from plywise.fingerprint import COMPILED_TWIN, class_fingerprint, members, names_in
from plywise.native import Native

INTEGER_INFINITY = 1 << 62
"""Infinity for games with whole scores.  Its negative and its successor still fit 64 bits."""


# ---------------------------------------------------------------------------------------------------------------------
# Functions
# ---------------------------------------------------------------------------------------------------------------------

_dispatchers: dict[python_types.FunctionType, Any] = {}
_lock = threading.RLock()


def dispatcher(function: python_types.FunctionType) -> Any:
    """Return Numba's dispatcher for ``function``, with the plain functions that it mentions compiled as well."""
    with _lock:
        if function not in _dispatchers:
            scope = {"__builtins__": __builtins__, "__name__": function.__module__}
            cells = tuple(python_types.CellType() for _ in function.__closure__ or ())
            copy = python_types.FunctionType(
                function.__code__, scope, function.__name__, function.__defaults__, cells or None
            )
            copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
            copy.__kwdefaults__ = function.__kwdefaults__
            _dispatchers[function] = numba.njit(copy, nogil=True)  # before its globals: it may mention itself
            for name in names_in(function.__code__) & set(function.__globals__):
                scope[name] = _compiled_form(function.__globals__[name])
            for cell, original in zip(cells, function.__closure__ or (), strict=True):
                cell.cell_contents = _compiled_form(original.cell_contents)
        return _dispatchers[function]


def _compiled_form(value: Any) -> Any:
    """What compiled code sees under a name that is ``value`` in Python."""
    if not isinstance(value, python_types.FunctionType):
        return value
    try:
        cpu_target.typing_context.refresh()
        cpu_target.typing_context.resolve_value_type(value)
    except (ValueError, numba.core.errors.NumbaError):
        return dispatcher(value)
    return value  # Numba has an implementation of it


def twin(implementation: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Give a Python function another body in compiled code.  ``implementation`` is an ``@intrinsic``."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        arguments = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
        scope: dict[str, Any] = {"implementation": implementation}
        exec(f"def chosen({arguments}): return lambda {arguments}: implementation({arguments})", scope)
        overload(function, inline="always")(scope["chosen"])
        setattr(function, COMPILED_TWIN, implementation)
        return function

    return decorate


@functools.cache
def entry(function: python_types.FunctionType) -> Any:
    """Return the compiled way into ``function(game, state, *arguments)``: ``enter(game, fields, arguments)``."""
    inner = dispatcher(function)

    def enter(game, fields, arguments):  # type: ignore[no-untyped-def]
        return inner(game, _restore(game, fields), *_prepare(game, arguments))

    enter.__qualname__ = enter.__name__ = f"enter_{function.__name__}"
    outer = numba.njit(enter, nogil=True)
    outer._cache = MachineCode(function)
    return outer


# ---------------------------------------------------------------------------------------------------------------------
# Objects
# ---------------------------------------------------------------------------------------------------------------------


class NativeType(types.Type):
    """The Numba type of one native object.  Its name says everything that machine code for it depends on."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def facts(self) -> _Facts:
        return _facts[self.name]


class _Facts:
    """What typing and code generation must know of a native object; found by the name of its type."""

    def __init__(self, thing: Native) -> None:
        self.cls = type(thing)
        self.constants = dict(thing.constants)
        self.arrays: dict[str, tuple[int, types.Array]] = {}
        place = 0
        for name, array in thing.arrays.items():
            kind = types.Array(numpy_support.from_dtype(array.dtype), array.ndim, "C", readonly=not array.flags.writeable)
            self.arrays[name] = (place, kind)
            place += 1 + array.ndim

    @functools.cached_property
    def methods(self) -> dict[str, python_types.FunctionType]:
        found = {n: f for n, f in members(self.cls).items() if isinstance(f, python_types.FunctionType)}
        for name in found:
            _announce(name)
        return found


_facts: dict[str, _Facts] = {}


def native_type(thing: Native) -> NativeType:
    """Return the Numba type of ``thing``: equal for objects that can share machine code."""
    known = thing.__dict__.get("_native_type")
    if known is None:
        arrays = [(n, a.dtype.str, a.ndim, a.flags.writeable) for n, a in thing.arrays.items()]
        code = class_fingerprint(type(thing), type(thing).ENTRY_POINTS)
        rest = hashlib.sha256(repr((code, sorted(thing.constants.items()), arrays)).encode()).hexdigest()[:24]
        known = NativeType(f"{type(thing).__name__}@{rest}")
        with _lock:
            _facts.setdefault(known.name, _Facts(thing))
        thing.__dict__["_native_type"] = known
    return known  # type: ignore[no-any-return]


def _block(thing: Native) -> int:
    """Return the address of the words (data, length, ..., data, length, ...) that describe the arrays of ``thing``."""
    known = thing.__dict__.get("_native_block")
    if known is None:
        words: list[int] = []
        for name, array in thing.arrays.items():
            if not array.flags.c_contiguous:
                raise TypeError(f"{type(thing).__name__}.{name} must be a C-contiguous array")
            words += [array.ctypes.data, *array.shape]
        known = np.array(words or [0], dtype=np.int64)
        thing.__dict__["_native_block"] = known
    return int(known.ctypes.data)


Native._native_address = property(_block)  # type: ignore[attr-defined]


@typeof_impl.register(Native)
def _typeof(value: Native, context: Any) -> NativeType:
    return native_type(value)


register_model(NativeType)(models.OpaqueModel)


@unbox(NativeType)
def _unbox(kind, thing, c):  # type: ignore[no-untyped-def]
    address = c.pyapi.object_getattr_string(thing, "_native_address")
    value = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(value, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


def method_type(context: Any, kind: NativeType, name: str, arguments: tuple[types.Type, ...]) -> types.Type:
    """Return what method ``name`` of an object of type ``kind`` returns for arguments of these types."""
    called = types.Dispatcher(dispatcher(kind.facts.methods[name]))
    return called.get_call_type(context, (kind, *arguments), {}).return_type


@templates.infer_getattr
class _Attributes(templates.AttributeTemplate):
    key = NativeType

    def generic_resolve(self, kind: NativeType, name: str) -> types.Type | None:
        facts = kind.facts
        if name in facts.constants:
            return numba.typeof(facts.constants[name])
        if name in facts.arrays:
            return facts.arrays[name][1]
        if name not in facts.methods:
            return None
        called = types.Dispatcher(dispatcher(facts.methods[name]))

        class Method(templates.AbstractTemplate):
            key = (NativeType, name)

            def generic(self, arguments, keywords):  # type: ignore[no-untyped-def]
                return called.get_call_type(self.context, (kind, *arguments), keywords).as_method()

        return types.BoundFunction(Method, kind)


@lower_getattr_generic(NativeType)
def _read_attribute(context, builder, kind, value, name):  # type: ignore[no-untyped-def]
    facts = kind.facts
    if name in facts.constants:
        constant = facts.constants[name]
        return context.get_constant_generic(builder, numba.typeof(constant), constant)
    place, array_type = facts.arrays[name]
    word = context.get_value_type(types.intp)
    block = builder.bitcast(value, word.as_pointer())

    def load(index):  # type: ignore[no-untyped-def]
        loaded = builder.load(builder.gep(block, [ir.Constant(word, index)]))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    array = context.make_array(array_type)(context, builder)
    lengths = [load(place + 1 + axis) for axis in range(array_type.ndim)]
    size = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    strides = [ir.Constant(word, size)]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    from numba.np.arrayobj import populate_array

    populate_array(
        array,
        data=builder.inttoptr(load(place), array.data.type),
        shape=cgutils.pack_array(builder, lengths),
        strides=cgutils.pack_array(builder, strides),
        itemsize=ir.Constant(word, size),
        meminfo=None,
    )
    return array._getvalue()


_announced: set[str] = set()


def _announce(name: str) -> None:
    """Tell Numba how to call methods of this name on any native object."""
    if name in _announced:
        return
    _announced.add(name)

    @lower_builtin((NativeType, name), NativeType, types.VarArg(types.Any))
    def call_method(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        called = types.Dispatcher(dispatcher(signature.args[0].facts.methods[name]))
        call = context.get_function(called, signature)
        result = call(builder, arguments)
        context.add_linking_libs(getattr(call, "libs", ()))
        return imputils.impl_ret_new_ref(context, builder, signature.return_type, result)


# ---------------------------------------------------------------------------------------------------------------------
# Positions and numbers on their way in
# ---------------------------------------------------------------------------------------------------------------------


def state_type(context: Any, game: NativeType) -> types.Type:
    """Return the type of the positions of ``game``: what its ``initial`` returns."""
    return method_type(context, game, "initial", ())


def number_type(context: Any, game: NativeType) -> types.Type:
    """Return the type that holds every score and every evaluation of ``game``: int64 or float64."""
    state = (state_type(context, game),)
    kinds = [method_type(context, game, name, state) for name in ("score", "evaluate")]
    return types.float64 if any(isinstance(kind, types.Float) for kind in kinds) else types.int64


@intrinsic
def _restore(typing_context, game, fields):  # type: ignore[no-untyped-def]
    """Make a position of the game's own type from the bare tuple of its fields."""
    target = state_type(typing_context, game)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return context.cast(builder, arguments[1], fields, _bare(target))

    return target(game, fields), generate


def _bare(kind: types.Type) -> types.Type:
    """The nameless tuple type that is laid out like ``kind``."""
    return types.BaseTuple.from_types(kind.types) if isinstance(kind, types.BaseTuple) else kind


@intrinsic
def _prepare(typing_context, game, arguments):  # type: ignore[no-untyped-def]
    """Turn every float among ``arguments`` into a number of the game's: a window may be infinite on both sides."""
    if not any(kind == types.float64 for kind in arguments):
        return arguments(game, arguments), lambda context, builder, signature, values: values[1]
    number = number_type(typing_context, game)
    target = types.BaseTuple.from_types([number if kind == types.float64 else kind for kind in arguments])

    def generate(context, builder, signature, values):  # type: ignore[no-untyped-def]
        items = cgutils.unpack_tuple(builder, values[1])
        for place, kind in enumerate(arguments):
            if kind == types.float64 and number == types.int64:
                items[place] = _whole(builder, items[place])
        return context.make_tuple(builder, target, items)

    return target(game, arguments), generate


def _whole(builder, real):  # type: ignore[no-untyped-def]
    """Convert a float to int64, with the infinities as ``INTEGER_INFINITY``."""
    whole = ir.IntType(64)
    limit = ir.Constant(real.type, float(INTEGER_INFINITY))
    clipped = builder.select(builder.fcmp_ordered(">=", real, limit), limit, real)
    low = builder.fneg(limit)
    clipped = builder.select(builder.fcmp_ordered("<=", clipped, low), low, clipped)
    return builder.fptosi(clipped, whole)


@intrinsic
def infinity_of(typing_context, game):  # type: ignore[no-untyped-def]
    """Infinity, as a number of the game's."""
    number = number_type(typing_context, game)
    value = float("inf") if number == types.float64 else INTEGER_INFINITY
    return number(game), lambda context, builder, signature, values: context.get_constant(number, value)


@intrinsic
def above_of(typing_context, game, value):  # type: ignore[no-untyped-def]
    """The least number of the game's above ``value``."""
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        if number == types.int64:
            return builder.add(arguments[1], ir.Constant(arguments[1].type, 1))
        return _next_float(builder, arguments[1])

    return number(game, number), generate


def _next_float(builder, real):  # type: ignore[no-untyped-def]
    """The next float: neighbours in size are neighbours as integers, counted upwards from zero on either side."""
    word = ir.IntType(64)
    bits = builder.bitcast(builder.fadd(real, ir.Constant(real.type, 0.0)), word)  # -0.0 becomes 0.0
    negative = builder.icmp_signed("<", bits, ir.Constant(word, 0))
    step = builder.select(negative, ir.Constant(word, -1), ir.Constant(word, 1))
    return builder.bitcast(builder.add(bits, step), real.type)
