"""Objects that compiled code can hold: games, watchers, tables.

A native object is a frozen dataclass.  Its numbers, strings and tuples are constants of the machine code, unless it
says otherwise (``CONSTANT``, ``OPEN``); its numeric arrays are memory that the machine code reads through one pointer;
its methods are compiled when compiled code calls them.  Everything else (lists, dictionaries, names for people) is
invisible to compiled code.  This module does not import Numba, so importing it is cheap; ``native_types`` and
``members`` teach these objects to Numba.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from plywise.cells import Cells
from plywise.compiling.fingerprint import members
from plywise.errors import GameError

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda cls: cls


COMPILED = "compiled"
"""Metadata key of a field: ``dataclasses.field(default=..., metadata={COMPILED: False})`` hides the field from compiled
code, so that objects that differ only in it share their machine code.
"""

CONSTANT = "constant"
"""Metadata key of a field: ``dataclasses.field(default=..., metadata={CONSTANT: False})`` makes compiled code read the
number at run time, so that objects that differ only in it share their machine code.
"""


@dataclass_transform(frozen_default=True, eq_default=False)
class Native:
    """Base class of objects that compiled code can hold.  Subclasses become frozen dataclasses automatically."""

    ENTRY_POINTS: ClassVar[tuple[str, ...] | None] = None
    """The methods that other compiled code may call; None for all.  Changes to other methods do not make code stale."""

    OPEN: ClassVar[bool] = False
    """Whether machine code reads the object's numbers at run time, so that objects with other numbers share it."""

    REAL_VALUES: ClassVar[bool] = False
    """Of a game: whether values are real numbers even if scores are whole, as averages are."""

    UNSEEN: ClassVar[frozenset[str]] = frozenset()
    """Attributes for people only; compiled code does not depend on them."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = vars(cls).keys() & {"__init__", "__post_init__"}
        dataclasses.dataclass(frozen=True, eq=False)(cls)
        if own:
            cls.__init__ = _explaining(cls, cls.__init__)  # type: ignore[method-assign]

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies and other processes, without cached data such as addresses in this process."""
        return {name: value for name, value in self.__dict__.items() if not name.startswith(("_native", "_parts"))}

    def with_arrays(self, **arrays: np.ndarray) -> Self:
        """Return a copy with other arrays, of the same types: it shares its type in compiled code with this object, and
        the arrays that are not given.
        """
        copy = object.__new__(type(self))
        constants, own = self._parts
        parts = (constants, {**own, **arrays})  # compiled code expects the arrays in their usual order
        copy.__dict__.update({**self.__dict__, **arrays, "_parts": parts})
        copy.__dict__.setdefault("_native_pattern", self)
        copy.__dict__.pop("_native_block", None)
        return copy

    @functools.cached_property
    def _parts(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The constants and the arrays that compiled code can see, by name."""
        constants: dict[str, Any] = {}
        arrays: dict[str, np.ndarray] = {}
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        shown = [field.name for field in fields if field.metadata.get(COMPILED, True)]
        names = [name for name in shown if name not in self.UNSEEN]
        hidden = {field.name for field in fields} - set(names) | self.UNSEEN
        for name, member in members(type(self)).items():
            if (
                name not in names
                and name not in hidden
                and (isinstance(member, functools.cached_property) or _visible(member))
            ):
                names.append(name)
        for name in names:
            if name == "_parts":
                continue
            value = getattr(self, name)
            value = without_enums(value.item() if isinstance(value, np.generic) else value)
            if is_array(value):
                arrays[name] = value
            elif is_constant(value):
                constants[name] = value
        return constants, arrays

    @property
    def constants(self) -> Mapping[str, Any]:
        """The values that machine code holds, but for numbers that it reads at run time (``OPEN``, ``CONSTANT``)."""
        return self._parts[0]

    @property
    def arrays(self) -> Mapping[str, np.ndarray]:
        """The arrays that machine code reads at run time."""
        return self._parts[1]


def is_default(cls: type, name: str) -> bool:
    """Return whether a method is the contract's default, not one that a game defines."""
    owner = next(base for base in cls.__mro__ if name in vars(base))
    return not vars(owner).keys().isdisjoint(("ENTRY_POINTS", "METHODS"))  # the contract and its layers have one


class NativeValue(Native):
    """A native object that equals others of its class with equal fields."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in zip(_values(self), _values(other), strict=True)
        )

    def __hash__(self) -> int:
        return hash((type(self), *(v for v in _values(self) if isinstance(v, (int, float, str, tuple)))))


def _values(thing: Any) -> list[Any]:
    return [getattr(thing, field.name) for field in dataclasses.fields(thing)]


def _explaining(cls: type, initialise: Callable[..., None]) -> Callable[..., None]:
    """Wrap ``initialise`` so that setting attributes raises an error that says what to write instead."""

    @functools.wraps(initialise)
    def initialise_or_explain(self: Any, *arguments: Any, **options: Any) -> None:
        try:
            initialise(self, *arguments, **options)
        except dataclasses.FrozenInstanceError as error:
            explained = GameError(
                f"{cls.__name__} sets attributes in __init__ or __post_init__, but a game cannot change: annotate "
                "parameters as fields of the class, as in size: int = 4, and compute the rest in a "
                "functools.cached_property"
            )
            raise explained.with_traceback(error.__traceback__) from None  # its traceback shows the line

    return initialise_or_explain


WHOLE_INFINITY = 1 << 62
"""Infinity for games with integer scores.  Its negative and its successor still fit 64 bits."""


class RoundedUp(NamedTuple):
    """A score to pass to compiled code.  With integer scores it is rounded up, while a plain float is rounded down."""

    score: float


Function = TypeVar("Function", bound=Callable[..., Any])


def inlined(function: Function) -> Function:
    """Inline a function into its callers: for functions that run at every node and that LLVM would not inline."""
    function.__dict__["inlined"] = True
    return function


def apart(function: Function) -> Function:
    """Keep a function out of its callers: for functions that run seldom and would crowd out what runs at every node."""
    function.__dict__["apart"] = True
    return function


def is_constant(value: Any) -> bool:
    """Return whether a value can be a constant of the machine code: a number, a string, or a tuple of these."""
    if isinstance(value, tuple):
        return all(map(is_constant, value))
    return isinstance(value, (bool, int, float, str))


def without_enums(value: Any) -> Any:
    """Return ``value`` with IntEnum members replaced by plain integers, as in compiled code."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return value if isinstance(value, Cells) else tuple(map(without_enums, value))
    return int(value) if isinstance(value, int) and isinstance(value, enum.Enum) else value


def is_array(value: Any) -> bool:
    """Return whether a value is an array of numbers."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf"


def _visible(member: Any) -> bool:
    return is_constant(member) or is_array(member)
