"""The Numba types of native objects: games, watchers, tables.

Every native object has a type named after a fingerprint of its code and parameters.  So methods are resolved while the
caller is compiled, and numbers are constants.  At run time the object is only a pointer to a block of words that
describe its arrays.

Numbers that are no constants (``native.CONSTANT``) are left out: machine code reads them from the block, and serves all
objects that differ only in them.  An *open* type leaves all numbers out.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError, NumbaTypeError
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from plywise.cells import Cells
from plywise.compiling.fingerprint import (
    VOLATILE,
    class_fingerprint,
    members,
    names_in,
    plain,
    tuple_classes,
    tuple_fingerprints,
)
from plywise.compiling.native import CONSTANT, Native, without_enums
from plywise.compiling.words import fits, plain_words


class NativeType(types.Type):
    """The Numba type of one native object.

    Its name covers everything that machine code for the object depends on, and no more: classes that differ only in
    name share machine code.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def facts(self) -> _Facts:
        return _facts[self.name]


class _Facts:
    """The facts about a native object that typing and code generation need."""

    def __init__(self, thing: Native, is_open: bool) -> None:
        self.cls = type(thing)
        initial = thing.initial() if hasattr(thing, "initial") else None
        self.state = _type_of(initial)
        """The type of a game's positions; None if they do not consist of numbers, or ``thing`` is not a game."""
        self._values = (initial, *thing.constants.values())
        self.arrays: dict[str, tuple[int, types.Array]] = {}
        """By name: the place of the array's description in the block, and the array's type."""
        self.numbers: dict[str, tuple[int, types.Type]] = {}
        """By name: the place in the block and the type of each number that is no constant."""
        place = 0
        for name, _, kind in _arrays(thing):
            self.arrays[name] = (place, kind)
            place += 1 + kind.ndim * (1 if kind.layout == "C" else 2)  # as long as its _description
        for name, number in _numbers(thing).items():
            if is_open or name in _varying(self.cls):
                self.numbers[name] = (place, numba.typeof(number))
            place += 1
        self.constants = {name: value for name, value in thing.constants.items() if name not in self.numbers}

    def name(self, roots: tuple[str, ...] | None) -> str:
        """Return a name for all that machine code depends on if it calls the methods in ``roots``; None for all."""
        roots = roots and (*roots, *self._called_by_positions)
        code = [class_fingerprint(self.cls, roots), *tuple_fingerprints(self._values, self.cls, roots)]
        arrays = [(name, kind.name) for name, (_, kind) in self.arrays.items()]
        numbers = [(name, place, str(kind)) for name, (place, kind) in self.numbers.items()]
        parts = (code, sorted(self.constants.items()), arrays, _layout(self.state), numbers)
        mark = VOLATILE if VOLATILE in "".join(code) else ""
        return f"@{mark}{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}"

    @functools.cached_property
    def _called_by_positions(self) -> list[str]:
        """The members that methods of positions mention: a position may get the object."""
        methods = [plain(member) for cls in tuple_classes(self._values) for member in members(cls).values()]
        named = {name for each in methods if isinstance(each, FunctionType) for name in names_in(each.__code__)}
        return sorted(named & set(self.members))

    @property
    def has_block(self) -> bool:
        """Whether machine code needs the object's block."""
        return bool(self.arrays or self.numbers)

    @functools.cached_property
    def members(self) -> dict[str, Any]:
        """Methods, properties and static methods."""
        return members(self.cls)


_facts: dict[str, _Facts] = {}
"""The facts, by the name of the type."""


def native_class(name: str) -> type[Native]:
    """Return the class of objects whose type has this name."""
    return _facts[name].cls


def native_type(thing: Native, is_open: bool | None = None) -> NativeType:
    """Return the Numba type of ``thing``, equal for objects that can share machine code; default: open if its class is.

    The object caches it until its code changes, which may happen at the prompt.
    """
    is_open = type(thing).OPEN if is_open is None else is_open
    code = class_fingerprint(type(thing), type(thing).ENTRY_POINTS)
    thing = thing.__dict__.get("_native_pattern", thing)
    name = "_native_type_open" if is_open else "_native_type"
    known = thing.__dict__.get(name)
    if known is None or known[0] != code:
        facts = _Facts(thing, is_open)
        kind = NativeType(facts.name(type(thing).ENTRY_POINTS))
        _facts[kind.name] = facts
        known = thing.__dict__[name] = (code, kind)
    return known[1]


@typeof_impl.register(Native)
def _typeof(value: Native, context: Any) -> NativeType:
    return native_type(value)


# ---------------------------------------------------------------------------------------------------------------------
# Positions
# ---------------------------------------------------------------------------------------------------------------------


def state_type(context: Any, game: NativeType) -> types.Type:
    """Return the type of the positions of ``game``: the type of the initial position."""
    if game.facts.state is None:
        raise NumbaTypeError("its positions do not consist of numbers")
    return game.facts.state


def _type_of(value: Any) -> types.Type | None:
    """Return the type of a value as nested tuples of 64-bit numbers; None if it holds anything else."""
    if isinstance(value, tuple) and not isinstance(value, Cells):
        kinds = list(map(_type_of, value))
        named = type(value) if hasattr(value, "_fields") else None
        return None if None in kinds else types.BaseTuple.from_types(kinds, named)
    value = without_enums(value.item() if isinstance(value, np.generic) else value)
    return numba.typeof(value) if isinstance(value, (bool, int, float, Cells)) else None


def _layout(kind: types.Type | None) -> Any:
    """Return the layout of a type, without the identity of classes."""
    if isinstance(kind, types.BaseTuple):
        return (getattr(kind, "fields", ()), *map(_layout, kind))
    return str(kind)


# ---------------------------------------------------------------------------------------------------------------------
# At run time: one pointer to a block that describes the arrays, and holds the numbers
# ---------------------------------------------------------------------------------------------------------------------


def _arrays(thing: Native) -> Iterator[tuple[str, np.ndarray, types.Array]]:
    """Yield the arrays that compiled code can read; not, for example, arrays in another byte order."""
    for name, array in thing.arrays.items():
        with contextlib.suppress(ValueError, NumbaError):
            yield name, array, _array_type(array)


def _array_type(array: np.ndarray) -> types.Array:
    """Return the type of an array; most are known from another one."""
    facts = array_facts(array)
    if facts not in _array_types:
        _array_types[facts] = numba.typeof(array)
    return _array_types[facts]


def array_facts(array: np.ndarray) -> tuple[Any, ...]:
    """Return what determines the type of an array."""
    return type(array), array.dtype, array.ndim, array.flags.num


_array_types: dict[tuple[Any, ...], types.Array] = {}


def _description(array: np.ndarray, kind: types.Array) -> list[int]:
    """Return an array's address, its shape and, if its type does not imply them, its strides."""
    return [array.ctypes.data, *array.shape, *(() if kind.layout == "C" else array.strides)]


def _numbers(thing: Native) -> dict[str, Any]:
    """Return the numbers that belong to this object, not to its class, by name."""
    own = {name: thing.constants[name] for name in thing.constants if name in thing.__dict__}
    return {
        name: value
        for name, value in own.items()
        if isinstance(value, float) or (isinstance(value, int) and fits(value))
    }


def _varying(cls: Any) -> set[str]:
    """Return the fields that machine code reads at run time though the type is not open."""
    return {field.name for field in dataclasses.fields(cls) if not field.metadata.get(CONSTANT, True)}


def block_address(thing: Native) -> int:
    """Return the address of the block that describes the arrays of ``thing`` and holds its numbers."""
    known = thing.__dict__.get("_native_block")
    if known is None:
        words = [word for _, array, kind in _arrays(thing) for word in _description(array, kind)]
        words += [word for number in _numbers(thing).values() for word in plain_words(number, number)]
        known = thing.__dict__["_native_block"] = np.array(words or [0], dtype=np.int64)
    return int(known.ctypes.data)


Native._native_address = property(block_address)  # type: ignore[attr-defined]


@register_model(NativeType)
class _NativeModel(models.StructModel):
    """One pointer; nothing if machine code does not need the block, so that it takes no register in calls."""

    def __init__(self, manager: Any, kind: NativeType) -> None:
        super().__init__(manager, kind, [("block", types.voidptr)] if kind.facts.has_block else [])


@unbox(NativeType)
def _unbox(kind, thing, c):
    value = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    if kind.facts.has_block:
        address = c.pyapi.object_getattr_string(thing, "_native_address")
        value.block = c.pyapi.long_as_voidptr(address)
        c.pyapi.decref(address)
    return NativeValue(value._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))
