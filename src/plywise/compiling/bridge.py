"""How plain Python becomes machine code for one game.

An algorithm is a plain function ``f(game, state, ...)``; a game is a plain class.  ``entry(f)`` makes Numba compile
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

import contextlib
import enum
import functools
import hashlib
import threading
import types as python_types
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, imputils
from numba.core.errors import NumbaError, NumbaTypeError
from numba.core.generators import GeneratorDescriptor
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
from numba.np.arrayobj import populate_array

from plywise.cells import Cells
from plywise.compiling import blocks, builtin_forms, tuples  # noqa: F401 (Numba learns more of Python)
from plywise.compiling.cache import MachineCode
from plywise.compiling.fingerprint import (
    COMPILED_TWIN,
    VOLATILE,
    class_fingerprint,
    fingerprint,
    generation,
    installed,
    members,
    names_in,
    plain,
    tuple_fingerprints,
)
from plywise.compiling.native import WHOLE_INFINITY, Function, Native, RoundedUp, without_enums

# ---------------------------------------------------------------------------------------------------------------------
# Functions
# ---------------------------------------------------------------------------------------------------------------------

_dispatchers: dict[tuple[python_types.FunctionType, str, int], Any] = {}
_entries: dict[tuple[python_types.FunctionType, str], Any] = {}
_lock = threading.RLock()


def dispatcher(function: python_types.FunctionType) -> Any:
    """Return Numba's dispatcher for ``function``, with the plain functions that it mentions compiled as well.

    A helper that is defined anew at the prompt gives the function another meaning, and so another dispatcher.  So may a
    method of a tuple that it is given, which its own fingerprint does not tell: hence the generation.
    """
    with _lock:
        known = (function, fingerprint(function), generation())
        if known not in _dispatchers:
            scope = {"__builtins__": __builtins__, "__name__": function.__module__}
            cells = tuple(python_types.CellType() for _ in function.__closure__ or ())
            copy = python_types.FunctionType(
                function.__code__, scope, function.__name__, function.__defaults__, cells or None
            )
            copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
            copy.__kwdefaults__ = function.__kwdefaults__
            # Known before its globals are: it may mention itself.
            _dispatchers[known] = numba.njit(copy, nogil=True, forceinline=function.__dict__.get("inlined", False))
            for name in names_in(function.__code__) & set(function.__globals__):
                scope[name] = _compiled_form(function.__globals__[name])
            for cell, original in zip(cells, function.__closure__ or (), strict=True):
                cell.cell_contents = _compiled_form(original.cell_contents)
        return _dispatchers[known]


def _compiled_form(value: Any) -> Any:
    """What compiled code sees under a name that is ``value`` in Python."""
    if isinstance(value, functools._lru_cache_wrapper):
        value = plain(value)
    if isinstance(value, python_types.ModuleType):
        return value if installed(value.__name__) else _namespace(value)
    if isinstance(value, type) and issubclass(value, int) and issubclass(value, enum.Enum):
        return _namespace(value)  # whose members are integers
    if isinstance(value, (python_types.FunctionType, type)) and not _known_to_numba(value):
        return _namespace(value) if isinstance(value, type) else dispatcher(value)
    return tuples.constructor(value) if getattr(value, "_field_defaults", None) else without_enums(value)


def _known_to_numba(value: Any) -> bool:
    try:
        cpu_target.typing_context.refresh()
        cpu_target.typing_context.resolve_value_type(value)
    except (ValueError, NumbaError):
        return False
    return True


_descriptor_of_next = GeneratorDescriptor.from_generator_fndesc


def _inlined_like_its_function(func_ir: Any, fndesc: Any, *others: Any, **options: Any) -> GeneratorDescriptor:
    """Have ``next`` of an ``inlined`` generator be inlined as well, which Numba forgets: LLVM then keeps in registers
    what would be written to memory at every ``yield`` and read again after it.

    For others who use Numba in this process it changes no meaning, and speed only with ``forceinline=True``.
    """
    descriptor = _descriptor_of_next(func_ir, fndesc, *others, **options)
    descriptor.inline = fndesc.inline
    return descriptor


GeneratorDescriptor.from_generator_fndesc = staticmethod(_inlined_like_its_function)


class _Namespace(python_types.ModuleType):
    """A module or a class, of which compiled code may use functions and constants: ``helpers.f(x)``, ``Base.LIMIT``."""

    def __init__(self, original: Any) -> None:
        super().__init__(original.__name__)
        self.__dict__["_original"] = original

    def __getattr__(self, name: str) -> Any:
        return _compiled_form(getattr(self._original, name))


_namespace = functools.cache(_Namespace)


def twin(implementation: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a Python function another body in compiled code.  ``implementation`` is an ``@intrinsic``."""

    def decorate(function: Function) -> Function:
        arguments = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
        scope: dict[str, Any] = {"implementation": implementation}
        exec(f"def chosen({arguments}): return lambda {arguments}: implementation({arguments})", scope)
        overload(function)(scope["chosen"])
        setattr(function, COMPILED_TWIN, implementation)
        return function

    return decorate


def entry(function: python_types.FunctionType) -> Any:
    """Return the compiled way into ``function(game, state, *arguments)``: ``enter(game, fields, arguments)``."""
    with _lock:
        known = (function, fingerprint(function))
        if known not in _entries:
            inner = dispatcher(function)

            def enter(game, fields, arguments):
                return inner(game, _restore(game, fields), *_prepare(game, arguments))

            enter.__qualname__ = enter.__name__ = f"enter_{function.__name__}"
            _entries[known] = numba.njit(enter, nogil=True)
            _entries[known]._cache = MachineCode(*known)
        return _entries[known]


# ---------------------------------------------------------------------------------------------------------------------
# Objects
# ---------------------------------------------------------------------------------------------------------------------


class NativeType(types.Type):
    """The Numba type of one native object.  Its name says everything that machine code for it depends on, and no more:
    classes that differ in their names alone share machine code.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def facts(self) -> _Facts:
        return _facts[self.name]


class _Facts:
    """What typing and code generation must know of a native object; found by the name of its type."""

    def __init__(self, thing: Native, state: types.Type | None) -> None:
        self.cls = type(thing)
        self.state = state
        """The type of a game's positions; None if they are not made of numbers, or ``thing`` is no game."""
        self.constants = dict(thing.constants)
        self.arrays: dict[str, tuple[int, types.Array]] = {}
        place = 0
        for name, array, kind in _arrays(thing):
            self.arrays[name] = (place, kind)
            place += len(_words(array, kind))

    @functools.cached_property
    def methods(self) -> dict[str, python_types.FunctionType]:
        """Methods and properties, as functions of the object."""
        return self._functions(python_types.FunctionType, property)

    @functools.cached_property
    def static_methods(self) -> dict[str, python_types.FunctionType]:
        return self._functions(staticmethod)

    def _functions(self, *kinds: type) -> dict[str, python_types.FunctionType]:
        return {name: plain(member) for name, member in members(self.cls).items() if isinstance(member, kinds)}


_facts: dict[str, _Facts] = {}


def native_class(name: str) -> type[Native]:
    """Return the class of the objects whose type has this name."""
    return _facts[name].cls


def native_type(thing: Native) -> NativeType:
    """Return the Numba type of ``thing``: equal for objects that can share machine code.

    It is kept with the object as long as its code is what it was: that may change at the prompt.
    """
    code = class_fingerprint(type(thing), type(thing).ENTRY_POINTS)
    known = thing.__dict__.get("_native_type")
    if known is None or known[0] != code:
        arrays = [(name, str(kind)) for name, _, kind in _arrays(thing)]
        initial = thing.initial() if hasattr(thing, "initial") else None
        values = (initial, *thing.constants.values())
        methods = tuple_fingerprints(values, type(thing), type(thing).ENTRY_POINTS)
        state = _type_of(initial)
        parts = (code, sorted(thing.constants.items()), arrays, _layout(state), methods)
        mark = VOLATILE if VOLATILE in "".join([code, *methods]) else ""
        kind = NativeType(f"@{mark}{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}")
        with _lock:
            _facts[kind.name] = _Facts(thing, state)
        known = thing.__dict__["_native_type"] = (code, kind)
    return known[1]


def _arrays(thing: Native) -> Iterator[tuple[str, np.ndarray, types.Array]]:
    """Yield the arrays that compiled code can read.  It cannot read, say, those of another machine's byte order."""
    for name, array in thing.arrays.items():
        with contextlib.suppress(ValueError, NumbaError):
            yield name, array, numba.typeof(array)


def _words(array: np.ndarray, kind: types.Array) -> list[int]:
    """Return what compiled code must be told of an array: where it is, and what its type does not say of its form."""
    return [array.ctypes.data, *array.shape, *(() if kind.layout == "C" else array.strides)]


def _block(thing: Native) -> int:
    """Return the address of the words that describe the arrays of ``thing``."""
    known = thing.__dict__.get("_native_block")
    if known is None:
        words = [word for _, array, kind in _arrays(thing) for word in _words(array, kind)]
        known = thing.__dict__["_native_block"] = np.array(words or [0], dtype=np.int64)
    return int(known.ctypes.data)


Native._native_address = property(_block)  # type: ignore[attr-defined]


@typeof_impl.register(Native)
def _typeof(value: Native, context: Any) -> NativeType:
    return native_type(value)


@register_model(NativeType)
class _NativeModel(models.StructModel):
    """One pointer; nothing at all for an object without arrays, so that it takes no register at any call."""

    def __init__(self, manager: Any, kind: NativeType) -> None:
        super().__init__(manager, kind, [("block", types.voidptr)] if kind.facts.arrays else [])


@unbox(NativeType)
def _unbox(kind, thing, c):
    value = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    if kind.facts.arrays:
        address = c.pyapi.object_getattr_string(thing, "_native_address")
        value.block = c.pyapi.long_as_voidptr(address)
        c.pyapi.decref(address)
    return NativeValue(value._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


def method_type(context: Any, kind: NativeType, name: str, arguments: tuple[types.Type, ...]) -> types.Type:
    """Return what method ``name`` of an object of type ``kind`` returns for arguments of these types."""
    return method_signature(context, kind, name, arguments).return_type


def method_signature(context: Any, kind: NativeType, name: str, arguments: tuple[types.Type, ...]) -> Any:
    """Return the signature of method ``name`` of an object of type ``kind`` for arguments of these types."""
    called = types.Dispatcher(dispatcher(kind.facts.methods[name]))
    return called.get_call_type(context, (kind, *arguments), {})


@templates.infer_getattr
class _Attributes(templates.AttributeTemplate):
    key = NativeType

    def generic_resolve(self, kind: NativeType, name: str) -> types.Type | None:
        facts = kind.facts
        if name in facts.constants:
            return constant_type(name, facts.constants[name])
        if name in facts.arrays:
            return facts.arrays[name][1]
        if name in facts.static_methods:
            return types.Dispatcher(dispatcher(facts.static_methods[name]))
        if name not in facts.methods:
            return None
        if isinstance(members(facts.cls)[name], property):
            return method_type(self.context, kind, name, ())
        _announce(name)

        class Method(templates.AbstractTemplate):
            key = (NativeType, name)

            def generic(self, arguments, keywords):  # Numba keeps this class, so it must not keep a dispatcher
                called = types.Dispatcher(dispatcher(kind.facts.methods[name]))
                return called.get_call_type(self.context, (kind, *arguments), keywords).as_method()

        return types.BoundFunction(Method, kind)


def constant_type(name: str, value: Any) -> types.Type:
    """Return the type of a constant.  Numba makes floats of signed and unsigned together: never begin that."""
    for number in _flat(value):
        if isinstance(number, int) and not -(1 << 63) <= number < 1 << 63:
            raise NumbaTypeError(
                f"self.{name} is {number}, which does not fit a signed 64-bit integer (see plywise.bits)"
            )
    return numba.typeof(value)


def _flat(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in _flat(item)] if isinstance(value, tuple) else [value]


@lower_getattr_generic(NativeType)
def _read_attribute(context, builder, kind, value, name):
    facts = kind.facts
    if name in facts.constants:
        constant = facts.constants[name]
        return context.get_constant_generic(builder, numba.typeof(constant), constant)
    if name in facts.arrays:
        block = cgutils.create_struct_proxy(kind)(context, builder, value=value).block
        return _read_array(context, builder, block, *facts.arrays[name])
    if name in facts.static_methods:
        return context.get_dummy_value()
    return _call(context, builder, name, method_signature(context.typing_context, kind, name, ()), [value])


def _read_array(context, builder, block, place, kind):
    word = context.get_value_type(types.intp)
    block = builder.bitcast(block, word.as_pointer())

    def load(index):
        loaded = builder.load(builder.gep(block, [ir.Constant(word, index)]))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    array = context.make_array(kind)(context, builder)
    lengths = [load(place + 1 + axis) for axis in range(kind.ndim)]
    size = ir.Constant(word, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    if kind.layout == "C":
        strides = [size] * kind.ndim
        for axis in reversed(range(kind.ndim - 1)):
            strides[axis] = builder.mul(strides[axis + 1], lengths[axis + 1])
    else:
        strides = [load(place + 1 + kind.ndim + axis) for axis in range(kind.ndim)]
    populate_array(
        array,
        data=builder.inttoptr(load(place), array.data.type),
        shape=cgutils.pack_array(builder, lengths, word),
        strides=cgutils.pack_array(builder, strides, word),
        itemsize=size,
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
    def call_method(context, builder, signature, arguments):
        return _call(context, builder, name, signature, arguments)


def _call(context, builder, name, signature, arguments):
    return call_function(context, builder, signature.args[0].facts.methods[name], signature, arguments)


def call_function(context, builder, function, signature, arguments):
    """Generate a call of ``function``, compiled."""
    call = context.get_function(types.Dispatcher(dispatcher(function)), signature)
    result = call(builder, arguments)
    context.add_linking_libs(getattr(call, "libs", ()))
    return imputils.impl_ret_new_ref(context, builder, signature.return_type, result)


# ---------------------------------------------------------------------------------------------------------------------
# Positions and numbers on their way in
# ---------------------------------------------------------------------------------------------------------------------


def state_type(context: Any, game: NativeType) -> types.Type:
    """Return the type of the positions of ``game``: that of its initial one."""
    if game.facts.state is None:
        raise NumbaTypeError("its positions are not made of numbers")
    return game.facts.state


def _type_of(value: Any) -> types.Type | None:
    """Return the type of all values like this one, as tuples of 64-bit numbers; None if it holds something else."""
    if isinstance(value, tuple) and not isinstance(value, Cells):
        kinds = list(map(_type_of, value))
        named = type(value) if hasattr(value, "_fields") else None
        return None if None in kinds else types.BaseTuple.from_types(kinds, named)
    value = without_enums(value.item() if isinstance(value, np.generic) else value)
    return numba.typeof(value) if isinstance(value, (bool, int, float, Cells)) else None


def _layout(kind: types.Type | None) -> Any:
    """Return what a type says of positions, without the identity of classes."""
    if isinstance(kind, types.BaseTuple):
        return (getattr(kind, "fields", ()), *map(_layout, kind))
    return str(kind)


def number_type(context: Any, game: NativeType) -> types.Type:
    """Return the type that holds every score and every evaluation of ``game``: int64 or float64."""
    state = (state_type(context, game),)
    kinds = [method_type(context, game, name, state) for name in ("score", "evaluate")]
    return types.float64 if any(isinstance(kind, types.Float) for kind in kinds) else types.int64


def number_kind(game: Native) -> np.dtype[Any]:
    """Return the kind of array in which compiled code keeps scores of ``game`` exactly."""
    return _number_kind(native_type(game))


@functools.cache
def _number_kind(game: NativeType) -> np.dtype[Any]:
    try:
        return np.dtype(str(number_type(cpu_target.typing_context, game)))
    except Exception:  # it cannot be compiled at all: ``reading.prepare`` is about to find out and to say why
        return np.dtype(np.float64)


@intrinsic
def _restore(typing_context, game, fields):
    """Make a position of the game's own type from the bare tuple of its fields."""
    target = state_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[1], fields, _bare(target))

    return target(game, fields), generate


def _bare(kind: types.Type) -> types.Type:
    """The nameless tuple type that is laid out like ``kind``."""
    return (
        types.BaseTuple.from_types([_bare(item) for item in kind.types]) if isinstance(kind, types.BaseTuple) else kind
    )


@intrinsic
def _prepare(typing_context, game, arguments):
    """Turn every float among ``arguments`` into a number of the game's: a window may be infinite on both sides."""
    scores = [kind == types.float64 or _rounds_up(kind) for kind in arguments]
    number = number_type(typing_context, game) if any(scores) else types.float64
    target = types.BaseTuple.from_types([number if s else kind for kind, s in zip(arguments, scores, strict=True)])

    def generate(context, builder, signature, values):
        items = cgutils.unpack_tuple(builder, values[1])
        for place, kind in enumerate(arguments):
            if _rounds_up(kind):
                items[place] = builder.extract_value(items[place], 0)
            if scores[place] and number == types.int64:
                items[place] = _whole(builder, items[place], "llvm.ceil" if _rounds_up(kind) else "llvm.floor")
        result = context.make_tuple(builder, target, items)
        return imputils.impl_ret_borrowed(context, builder, target, result)  # an array may be among them

    return target(game, arguments), generate


def _rounds_up(kind: types.Type) -> bool:
    return isinstance(kind, types.BaseNamedTuple) and kind.instance_class is RoundedUp


def _whole(builder, real, rounding):
    """Convert a float to int64, with the infinities as ``WHOLE_INFINITY``."""
    function = builder.module.declare_intrinsic(rounding, [real.type])
    limit = ir.Constant(real.type, float(WHOLE_INFINITY))
    clipped = builder.select(builder.fcmp_ordered(">=", real, limit), limit, real)
    low = builder.fneg(limit)
    clipped = builder.select(builder.fcmp_ordered("<=", clipped, low), low, clipped)
    return builder.fptosi(builder.call(function, [clipped]), ir.IntType(64))


@intrinsic
def infinity_of(typing_context, game):
    """Infinity, as a number of the game's."""
    number = number_type(typing_context, game)
    value = float("inf") if number == types.float64 else WHOLE_INFINITY
    return number(game), lambda context, builder, signature, values: context.get_constant(number, value)


@intrinsic
def limits_of_max(typing_context, game, limits):
    """A pair of limits, such as ``bounds`` returns, as numbers of the game's: the first rounded down, the other up."""
    number = number_type(typing_context, game)
    pair = types.UniTuple(number, 2)

    def generate(context, builder, signature, arguments):
        ends = cgutils.unpack_tuple(builder, arguments[1])
        for place, (kind, rounding) in enumerate(zip(limits, ("llvm.floor", "llvm.ceil"), strict=True)):
            if isinstance(kind, types.Float) and number == types.int64:
                real = context.cast(builder, ends[place], kind, types.float64)
                ends[place] = _whole(builder, real, rounding)
            else:
                ends[place] = context.cast(builder, ends[place], kind, number)
        return context.make_tuple(builder, pair, ends)

    return pair(game, limits), generate


@intrinsic
def above_of(typing_context, game, value):
    """The least number of the game's above ``value``."""
    number = number_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        if number == types.int64:
            return builder.add(arguments[1], ir.Constant(arguments[1].type, 1))
        return _next_float(builder, arguments[1])

    return number(game, number), generate


def _next_float(builder, real):
    """The next float: neighbours in size are neighbours as integers, counted upwards from zero on either side."""
    word = ir.IntType(64)
    bits = builder.bitcast(builder.fadd(real, ir.Constant(real.type, 0.0)), word)  # -0.0 becomes 0.0
    negative = builder.icmp_signed("<", bits, ir.Constant(word, 0))
    step = builder.select(negative, ir.Constant(word, -1), ir.Constant(word, 1))
    return builder.bitcast(builder.add(bits, step), real.type)
