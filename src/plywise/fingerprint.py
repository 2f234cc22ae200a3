"""What a piece of Python code means, as a short hash.

Machine code on disk may be used again only if nothing that it was made from has changed.  Modification times cannot
promise that: a rule may call a helper in another file, and a class typed at the prompt has no file at all.  So we hash
what Numba compiles: the bytecode of a function, its constants and defaults, and, recursively, whatever it can reach
through its globals, its closure and the attributes of its class.  Equal fingerprints mean equal behaviour.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import inspect
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

COMPILED_TWIN = "__compiled_twin__"
"""Attribute of a Python function that names what compiled code calls in its place (see ``bridge.twin``)."""


class Unfingerprintable(Exception):
    """Something reachable has no stable description, so machine code made from it must not be kept."""


def fingerprint(*things: Any) -> str:
    """Return a hash of ``things`` and of everything that compiled code could reach from them.

    Raises:
        Unfingerprintable: a reachable object has no stable description; the message names it.
    """
    digest = hashlib.sha256()
    walk = _Walk()
    for thing in things:
        for part in walk.describe(thing):
            digest.update(part.encode())
            digest.update(b"\0")
    return digest.hexdigest()[:24]


def class_fingerprint(cls: type, roots: Iterable[str] | None = None) -> str:
    """Return the fingerprint of the methods of ``cls`` named in ``roots`` (all, if None) and of what they reach."""
    digest = hashlib.sha256()
    for part in _Walk().members(cls, roots):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:24]


def members(cls: type) -> dict[str, Any]:
    """The attributes that ``cls`` and its bases define, overridden ones left out, without Python's own."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        found.update({n: v for n, v in vars(base).items() if not (n.startswith("__") and n.endswith("__"))})
    return found


class _Walk:
    """One traversal.  An object met a second time is described by the number it got the first time."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []  # ids stay unique only while their objects live

    def describe(self, thing: Any) -> Iterator[str]:
        if thing is None or isinstance(thing, (bool, int, float, complex, str, bytes, np.generic)):
            yield f"{type(thing).__name__} {thing!r}"
            return
        if id(thing) in self.seen:
            yield f"again {self.seen[id(thing)]}"
            return
        self.seen[id(thing)] = len(self.seen)
        self.alive.append(thing)
        if isinstance(thing, (tuple, list)):
            yield f"{type(thing).__name__} of {len(thing)}"
            for item in thing:
                yield from self.describe(item)
        elif isinstance(thing, (set, frozenset)):
            yield f"{type(thing).__name__} {sorted(map(repr, thing))}"
        elif isinstance(thing, dict):
            yield f"dict of {len(thing)}"
            for key, value in thing.items():
                yield from self.describe(key)
                yield from self.describe(value)
        elif isinstance(thing, np.ndarray):
            yield f"array {thing.dtype.str} {thing.shape}"
            yield hashlib.sha256(np.ascontiguousarray(thing).tobytes()).hexdigest()
        elif isinstance(thing, types.CodeType):
            yield from self.code(thing)
        elif isinstance(thing, types.FunctionType):
            yield from self.function(thing)
        elif isinstance(thing, (types.BuiltinFunctionType, types.BuiltinMethodType, np.ufunc)):
            yield f"builtin {getattr(thing, '__module__', None)}.{thing.__name__}"
        elif isinstance(thing, types.ModuleType):
            yield f"module {thing.__name__} {getattr(thing, '__version__', '')}"
        elif isinstance(thing, (staticmethod, classmethod)):
            yield from self.describe(thing.__func__)
        elif isinstance(thing, property):
            yield from self.describe(thing.fget)
        elif isinstance(thing, functools.cached_property):
            yield from self.describe(thing.func)
        elif isinstance(thing, type):
            yield from self.klass(thing)
        elif isinstance(getattr(thing, "py_func", None), types.FunctionType):  # a kernel, or Numba's dispatcher
            yield from self.describe(thing.py_func)
        elif isinstance(getattr(thing, "_defn", None), types.FunctionType):  # Numba's @intrinsic
            yield f"intrinsic {thing._defn.__qualname__} {source_digest(thing._defn.__module__)}"
        elif dataclasses.is_dataclass(thing):
            yield from self.describe(type(thing))
            for field in dataclasses.fields(thing):
                yield from self.describe(getattr(thing, field.name))
        elif _installed(getattr(type(thing), "__module__", "")):  # e.g. Numba's types
            yield f"{type(thing).__module__}.{type(thing).__qualname__} {thing}"
        else:
            raise Unfingerprintable(f"{type(thing).__name__} {thing!r}")

    def function(self, function: types.FunctionType) -> Iterator[str]:
        if _installed(function.__module__):
            yield f"function {function.__module__}.{function.__qualname__}"
            return
        yield f"function {function.__name__}"
        yield from self.describe(function.__code__)
        yield from self.describe(function.__defaults__)
        yield from self.describe(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            yield from self.describe(cell.cell_contents)
        if twin := getattr(function, COMPILED_TWIN, None):  # its body is for Python only; describe the other one
            yield f"twin {twin._defn.__qualname__} {source_digest(twin._defn.__module__)}"
            return
        names = sorted(names_in(function.__code__))
        for name in names:
            if name not in function.__globals__:
                continue
            value = function.__globals__[name]
            yield f"global {name}"
            yield from self.describe(value)
            if isinstance(value, types.ModuleType) and not _installed(value.__name__):
                for attribute in names:
                    if attribute in vars(value):
                        yield f"{name}.{attribute}"
                        yield from self.describe(vars(value)[attribute])

    def code(self, code: types.CodeType) -> Iterator[str]:
        yield f"code {code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_flags}"
        for constant in code.co_consts:
            yield from self.describe(constant)

    def klass(self, cls: type) -> Iterator[str]:
        if _installed(cls.__module__):
            yield f"class {cls.__module__}.{cls.__qualname__}"
        elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
            annotations = {name: str(kind) for name, kind in getattr(cls, "__annotations__", {}).items()}
            yield f"namedtuple {cls.__name__} {cls._fields} {annotations}"
            yield from self.describe(getattr(cls, "_field_defaults", None))
        else:
            yield from self.members(cls, None)

    def members(self, cls: type, roots: Iterable[str] | None) -> Iterator[str]:
        """Describe the members in ``roots`` and those whose names appear in the code of described ones."""
        yield f"class {cls.__name__}"
        known = members(cls)
        waiting = sorted(known if roots is None else set(roots) & set(known))
        done: set[str] = set()
        while waiting:
            name = waiting.pop(0)
            if name in done:
                continue
            done.add(name)
            member = known[name]
            yield f"member {name}"
            yield from self.describe(member)
            function = getattr(member, "fget", None) or getattr(member, "func", None) or member
            function = getattr(function, "__func__", function)
            if isinstance(function, types.FunctionType):
                waiting += sorted(names_in(function.__code__) & set(known))


def names_in(code: types.CodeType) -> set[str]:
    """All global and attribute names that ``code``, or a function nested in it, mentions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names


@functools.cache
def source_digest(module: str) -> str:
    """A hash of the source of a module whose functions generate code, and so mean more than their bytecode says."""
    return hashlib.sha256(inspect.getsource(sys.modules[module]).encode()).hexdigest()[:24]


def _installed(module: str | None) -> bool:
    """True for Python's own library, NumPy and Numba: their versions stand for their content."""
    top = (module or "").partition(".")[0]
    return top in sys.stdlib_module_names and top != "__main__" or top in ("numpy", "numba", "llvmlite", "builtins")
