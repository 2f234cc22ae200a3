"""Fingerprints: short hashes of what Python code means.

Machine code may be reused only if nothing that it was made from has changed.  Modification times cannot show this: a
rule may call a helper in another file, and a class typed at the prompt has no file.  So we hash what Numba compiles:
the bytecode of a function, its constants and defaults, and, recursively, everything that it can reach through its
globals, its closure and the attributes of its class.  Equal fingerprints mean equal behaviour.

A fingerprint is remembered with every name that was looked up for it, and is valid while these names mean the same
objects.  So a helper that is redefined at the prompt takes effect at once.  A change inside a list, a dictionary or an
array behind a global name goes unnoticed.  Keep data that changes at run time in an array field of the game: compiled
code reads it every time.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import enum
import functools
import hashlib
import inspect
import itertools
import operator
import re
import sys
import types
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

COMPILED_TWIN = "__compiled_twin__"
"""The attribute of a Python function that holds what compiled code calls instead (see ``twins``)."""

INLINING = ("apart", "inlined")
"""The marks that ``native.apart`` and ``native.inlined`` leave on a function."""

VOLATILE = "~"
"""The prefix of a fingerprint that is valid in this process only, because something in it has no stable description."""

OUR_OWN = ("plywise.algorithms.", "plywise.compiling.", "plywise.engine.", "plywise.tables.")
"""Modules whose code is looked at once; rules are looked at before every search, as a user may change them."""

_ABSENT = object()
_known: dict[Any, tuple[str, _Reads]] = {}
_checked: contextvars.ContextVar[dict[Any, str] | None] = contextvars.ContextVar("checked", default=None)
_generation = [0]

READ = (functools.cached_property, np.ndarray)
"""Members that are not a part of the code: it reads their values."""

GENERATED = ("_make", "_replace", "_asdict", "_fields", "_field_defaults")
"""Attributes that Python adds to every class of named tuples."""


def fingerprint(function: types.FunctionType) -> str:
    """Return a hash of ``function`` and everything that compiled code can reach from it."""
    return _remembered(function, lambda walk: walk.describe(function))


def class_fingerprint(cls: type, roots: tuple[str, ...] | None = None) -> str:
    """Return the fingerprint of the methods of ``cls`` named in ``roots`` (None for all) and of what they reach.

    Arrays and cached properties do not count: compiled code reads them at run time, or knows them as constants of the
    object's type.
    """
    before, _ = _known.get((cls, roots), ("", None))
    digest = _remembered((cls, roots), lambda walk: walk.members(cls, roots, outside=False))
    if before not in ("", digest):
        _generation[0] += 1
    return digest


def tuple_classes(value: Any) -> list[type]:
    """Return the classes of the named tuples in ``value``, such as a position."""
    if not isinstance(value, tuple):
        return []
    inner = [cls for item in value for cls in tuple_classes(item)]
    return list(dict.fromkeys([type(value), *inner] if hasattr(value, "_fields") else inner))


def tuple_fingerprint(cls: type, user: type, roots: tuple[str, ...] | None) -> str:
    """Return the fingerprint of a class of named tuples, with its methods that the members of ``user`` named in
    ``roots`` may use: rules reach them through a position, even if they do not name its class.
    """
    return _remembered((cls, user, roots), lambda walk: walk.tuple_of(cls, user, roots))


def tuple_fingerprints(value: Any, user: type, roots: tuple[str, ...] | None) -> list[str]:
    """Return the fingerprints of all classes of named tuples in ``value``."""
    return [tuple_fingerprint(cls, user, roots) for cls in tuple_classes(value)]


def code_digest(game: Any, methods: tuple[str, ...] | None = None) -> str:
    """Return a hash of a game's rules and text forms, or of these methods and what they reach."""
    roots = methods or (*(type(game).ENTRY_POINTS or ()), "parse", "format_move")
    code = class_fingerprint(type(game), roots) + "".join(tuple_fingerprints(game.initial(), type(game), roots))
    return code + _values_digest(game, roots)


def _values_digest(game: Any, roots: tuple[str, ...]) -> str:
    """Return a hash of the arrays and cached properties that these methods read; compiled code has their values."""
    walk = _Walk()
    for _ in itertools.chain(walk.members(type(game), roots, outside=False), walk.methods_of_tuples()):
        pass  # now it knows all names that are mentioned
    known = members(type(game))
    names = [name for name in sorted(walk.mentioned & set(known)) if isinstance(known[name], READ)]
    try:
        values = [text for name in names for text in (name, *walk.describe(getattr(game, name)))]
    except _Indescribable:
        return VOLATILE + uuid.uuid4().hex[:24]
    return hashlib.sha256("\0".join(values).encode()).hexdigest()[:24] if names else ""


def rules_digest(game: Any, methods: tuple[str, ...] | None = None) -> str:
    """Return a hash of a game's rules, parameters and text forms, for results stored on disk.

    With ``methods``, it depends on these methods alone, and on what they reach.
    """
    code = code_digest(game, methods)
    digest = hashlib.sha256(b"" if VOLATILE in code else code.encode())
    for field in dataclasses.fields(game):
        value = getattr(game, field.name)
        digest.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def checked_once() -> Iterator[None]:
    """Check each fingerprint at most once in this context: a search goes on with the rules that it started with."""
    token = _checked.set({})
    try:
        yield
    finally:
        _checked.reset(token)


def _remembered(subject: Any, describe: Callable[[_Walk], Iterator[str]]) -> str:
    checked = _checked.get()
    if checked is not None and subject in checked:
        return checked[subject]
    digest, reads = _known.get(subject, ("", None))
    if reads is None or (not _is_our_own(subject) and reads.changed()):
        walk = _Walk()
        try:
            description = "\0".join(itertools.chain(describe(walk), walk.methods_of_tuples()))
            digest = hashlib.sha256(description.encode()).hexdigest()[:24]
        except _Indescribable:
            digest = VOLATILE + uuid.uuid4().hex[:24]
        _known[subject] = digest, walk.reads
    if checked is not None:
        checked[subject] = digest
    return digest


def _is_our_own(subject: Any) -> bool:
    """Return whether something belongs to the searches themselves, which do not change while they run."""
    thing = subject[0] if isinstance(subject, tuple) else subject
    return str(thing.__module__).startswith(OUR_OWN)


class _Reads:
    """The lookups that a fingerprint depends on, and what they found.

    Every search repeats thousands of them, so they are kept by what they look in, and ``changed`` leaves the loops to
    C functions.
    """

    def __init__(self) -> None:
        self.names: dict[int, tuple[Callable[[str, Any], Any], dict[str, Any]]] = {}
        """By the identity of a namespace: the function that looks up a name there, and the results by name."""
        self.parts: tuple[list[Any], list[str], list[Any]] = ([], [], [])
        """Objects, names of their attributes, and the results."""

    def name(self, space: Any, names: Mapping[str, Any], name: str) -> Any:
        """Look up a name in the namespace ``names`` of a function, a module or a class."""
        look, known = self.names.setdefault(id(space), (names.get, {}))
        return known.setdefault(name, look(name, _ABSENT))

    def member(self, cls: type, name: str) -> None:
        """Look up a member of a class: its bases count up to the first that defines it."""
        for base in cls.__mro__[:-1]:
            if self.name(base, vars(base), name) is not _ABSENT:
                return

    def module(self, module: types.ModuleType, name: str) -> Any:
        """Look up an attribute of a module.  This may import it."""
        found = getattr(module, name, _ABSENT)
        if found is vars(module).get(name, _ABSENT) and not hasattr(module, "__getattr__"):
            return self.name(vars(module), vars(module), name)
        return self.part(module, name)

    def part(self, thing: Any, name: str) -> Any:
        """Look up an attribute."""
        found = getattr(thing, name, _ABSENT)
        for column, value in zip(self.parts, (thing, name, found), strict=True):
            column.append(value)
        return found

    def changed(self) -> bool:
        """Return whether anything reads differently now."""
        absent = itertools.repeat(_ABSENT)
        things, names, found = self.parts
        return not all(map(operator.is_, map(getattr, things, names, absent), found)) or not all(
            all(map(operator.is_, map(look, known, absent), known.values())) for look, known in self.names.values()
        )


def generation() -> int:
    """Return how often a class was found to have changed its meaning."""
    return _generation[0]


def members(cls: type) -> dict[str, Any]:
    """Return the attributes that ``cls`` and its bases define, without overridden and special (``__x__``) ones, and
    without those that ``native_types`` adds (``_native_x``), which depend on what a process has seen.
    """
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        found.update({n: v for n, v in vars(base).items() if not re.match(r"__.*__$|_native_", n)})
    return found


def names_in(code: types.CodeType) -> set[str]:
    """Return all global and attribute names that ``code``, or a function nested in it, mentions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names


def members_reached(cls: type, roots: Iterable[str]) -> list[str]:
    """Return the members of ``cls`` named in ``roots`` and those that they may use, nearest first, without fields."""
    known = members(cls)
    usable = set(known) - {field.name for field in dataclasses.fields(cls)}
    found = [name for name in roots if name in known]
    for name in found:
        function = plain(known[name])
        if isinstance(function, types.FunctionType):
            found += sorted(names_in(function.__code__) & usable - set(found))
    return found


def functions_reached(cls: type, roots: Iterable[str]) -> Iterator[types.FunctionType]:
    """Yield the functions among those members and the functions they can call, except in libraries."""
    waiting = [plain(members(cls)[name]) for name in members_reached(cls, roots)]
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if isinstance(function, types.FunctionType) and id(function) not in seen and not installed(function.__module__):
            seen.add(id(function))
            yield function
            names = names_in(function.__code__)
            waiting += [plain(function.__globals__[name]) for name in names if name in function.__globals__]


def plain(member: Any) -> Any:
    """Return the function inside a property, static method, cached function or similar wrapper; others unchanged."""
    if isinstance(member, (staticmethod, classmethod)):
        return member.__func__
    if isinstance(member, property):
        return member.fget
    if isinstance(member, functools.cached_property):
        return member.func
    if isinstance(member, functools._lru_cache_wrapper):
        return member.__wrapped__
    return member


def installed(module: str | None) -> bool:
    """Return whether a module belongs to Python's library, NumPy or Numba, whose versions identify their content."""
    top = (module or "").partition(".")[0]
    return (top in sys.stdlib_module_names and top != "__main__") or top in ("numpy", "numba", "llvmlite", "builtins")


@functools.cache
def source_digest(module: str) -> str:
    """Return a hash of the source of a module that generates code: the bytecode does not show which code."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (KeyError, OSError, TypeError) as error:
        raise _Indescribable(f"module {module} has no source") from error
    return hashlib.sha256(source.encode()).hexdigest()[:24]


class _Indescribable(Exception):
    """Something reachable has no stable description, so machine code made from it must not be cached."""


class _Walk:
    """One traversal.  An object that is met again is described by the number it got the first time."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []  # ids stay unique only while their objects live
        self.reads = _Reads()
        self.mentioned: set[str] = set()  # by all code described so far
        self.tuples: list[type] = []

    def describe(self, thing: Any) -> Iterator[str]:
        if isinstance(thing, enum.Enum):
            yield f"{type(thing).__name__} {thing.name} {thing.value!r}"
        elif thing is None or isinstance(thing, (bool, int, float, complex, str, bytes, np.generic)):
            yield f"{type(thing).__name__} {thing!r}"
        elif isinstance(thing, tuple):  # before "again": equal constants may or may not be one object
            yield f"{type(thing).__name__} of {len(thing)}"
            if hasattr(thing, "_fields"):
                yield from self.describe(type(thing))
            for item in thing:
                yield from self.describe(item)
        elif id(thing) in self.seen:
            yield f"again {self.seen[id(thing)]}"
        else:
            self.seen[id(thing)] = len(self.seen)
            self.alive.append(thing)
            yield from self.describe_new(thing)

    def describe_new(self, thing: Any) -> Iterator[str]:
        if isinstance(thing, types.FunctionType):
            yield from self.function(thing)
        elif isinstance(thing, types.CodeType):
            yield from self.code(thing)
        elif isinstance(thing, type):
            yield from self.klass(thing)
        elif isinstance(thing, types.ModuleType):
            yield from self.module(thing, frozenset())
        elif plain(thing) is not thing:
            yield type(thing).__name__
            yield from self.describe(plain(thing))
        elif isinstance(thing, (types.BuiltinFunctionType, np.ufunc)):
            yield f"builtin {getattr(thing, '__module__', None)}.{thing.__name__}"
        elif isinstance(thing, np.ndarray):
            yield f"array {thing.dtype.str} {thing.shape}"
            yield hashlib.sha256(np.ascontiguousarray(thing).tobytes()).hexdigest()
        elif isinstance(thing, list):
            yield f"list of {len(thing)}"
            for item in thing:
                yield from self.describe(item)
        elif isinstance(thing, dict):
            yield f"dict of {len(thing)}"
            for item in thing.items():
                yield from self.describe(item)
        elif isinstance(thing, (set, frozenset)):
            yield f"{type(thing).__name__} {_lasting(sorted(map(repr, thing)))}"
        elif isinstance(getattr(thing, "py_func", None), types.FunctionType):  # Numba's dispatcher
            yield f"dispatcher {getattr(thing, 'targetoptions', '')}"
            yield from self.describe(thing.py_func)
        elif isinstance(getattr(thing, "_defn", None), types.FunctionType):  # Numba's @intrinsic
            yield f"intrinsic {thing._defn.__qualname__} {source_digest(thing._defn.__module__)}"
        elif dataclasses.is_dataclass(thing):
            yield from self.describe(type(thing))
            for field in dataclasses.fields(thing):
                yield from self.describe(getattr(thing, field.name))
        elif installed(type(thing).__module__):  # e.g. Numba's types
            yield f"{type(thing).__module__}.{type(thing).__qualname__} {_lasting(thing)}"
        else:
            raise _Indescribable(f"{type(thing).__name__} {thing!r}")

    def function(self, function: types.FunctionType) -> Iterator[str]:
        if installed(function.__module__):
            yield f"function {function.__module__}.{function.__qualname__}"
            return
        if twin := getattr(function, COMPILED_TWIN, None):  # its body is for Python only
            yield from self.describe(twin)
            return
        yield f"function {function.__name__} {[mark for mark in INLINING if mark in function.__dict__]}"
        for part in ("__code__", "__defaults__", "__kwdefaults__"):
            yield from self.describe(self.reads.part(function, part))
        for cell in function.__closure__ or ():
            yield from self.describe(self.reads.part(_Contents(cell), "now"))
        names = names_in(function.__code__)
        self.mentioned |= names
        if "print" in names:  # classes of printed values are looked up by their names
            yield f"printing in {function.__module__}"
        for name in sorted(names):
            value = self.reads.name(function.__globals__, function.__globals__, name)
            if value is not _ABSENT:
                yield f"global {name}"
                yield from self.module(value, names) if isinstance(value, types.ModuleType) else self.describe(value)

    def code(self, code: types.CodeType) -> Iterator[str]:
        yield f"code {code.co_code.hex()} {getattr(code, 'co_exceptiontable', b'').hex()} {code.co_flags}"
        yield f"names {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_cellvars}"
        yield f"parameters {code.co_argcount} {code.co_posonlyargcount} {code.co_kwonlyargcount}"
        yield from self.describe(code.co_consts)

    def module(self, module: types.ModuleType, names: Iterable[str], above: tuple[Any, ...] = ()) -> Iterator[str]:
        """Describe what code that mentions ``names`` can reach through ``module``."""
        if installed(module.__name__):
            yield f"module {module.__name__} {getattr(module, '__version__', '')}"
            return
        if module in above:
            yield f"module {above.index(module)} of those above"
            return
        yield "module"
        for name in sorted(names):
            value = self.reads.module(module, name)
            if isinstance(value, types.ModuleType):
                yield f"attribute {name}"
                yield from self.module(value, names, (*above, module))
            elif value is not _ABSENT:
                yield f"attribute {name}"
                yield from self.describe(value)

    def klass(self, cls: type) -> Iterator[str]:
        if installed(cls.__module__):
            yield f"class {cls.__module__}.{cls.__qualname__}"
        elif issubclass(cls, enum.Enum):
            yield f"enum {cls.__name__} {[(item.name, item.value) for item in cls]}"
        elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
            annotations = {
                name: _without_modules(str(kind)) for name, kind in getattr(cls, "__annotations__", {}).items()
            }
            yield f"namedtuple {cls.__name__} {cls._fields} {annotations}"
            yield from self.describe(getattr(cls, "_field_defaults", None))
            self.tuples.append(cls)
        else:
            if issubclass(cls, BaseException):  # looked up by its name when it is raised
                yield f"exception of {cls.__module__}"
            yield from self.members(cls, None, outside=True)

    def tuple_of(self, cls: type, user: type, roots: tuple[str, ...] | None) -> Iterator[str]:
        """Describe a class of named tuples, with the methods that code reached from ``user`` mentions."""
        for function in functions_reached(user, members(user) if roots is None else roots):
            self.mentioned |= names_in(function.__code__)
        yield from self.klass(cls)

    def methods_of_tuples(self) -> Iterator[str]:
        """Describe the methods of named tuples that any described code mentions; these are known only at the end."""
        done: set[tuple[type, str]] = set()
        while waiting := [
            (cls, name)
            for cls in self.tuples
            for name in sorted(self.mentioned & set(members(cls)) - {*GENERATED, *cls._fields})  # type: ignore[attr-defined]
            if (cls, name) not in done
        ]:
            for cls, name in waiting:
                done.add((cls, name))
                self.reads.member(cls, name)
                yield f"method {self.tuples.index(cls)} {name}"
                yield from self.describe(members(cls)[name])

    def members(self, cls: type, roots: tuple[str, ...] | None, outside: bool) -> Iterator[str]:
        """Describe the members in ``roots`` and those whose names appear in the code of described ones.

        From ``outside``, as in ``Class.member``, arrays are constants too.
        """
        yield f"class {cls.__name__}" if outside else "class"
        known = members(cls)
        if not outside:
            known = {name: member for name, member in known.items() if not isinstance(member, READ)}
        waiting = sorted(known if roots is None else set(roots) & set(known))
        done: set[str] = set()
        while waiting:
            name = waiting.pop(0)
            if name in done:
                continue
            done.add(name)
            self.reads.member(cls, name)
            yield f"member {name}"
            yield from self.describe(known[name])
            waiting += sorted(self.mentioned & set(known))  # also by helpers, which may get the object


class _Contents:
    """A variable of an enclosing function, as an object with an attribute."""

    def __init__(self, cell: types.CellType) -> None:
        self.cell = cell

    @property
    def now(self) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:  # nothing was assigned to the variable
            return _ABSENT


def _without_modules(text: str) -> str:
    """Return the text of an annotation without module names, which depend on how the program was started."""
    return re.sub(r"(?:[\w<>]+\.)+(?=\w)", "", text)


def _lasting(thing: Any) -> str:
    """Return ``thing`` as text; raise if the text would differ in the next process."""
    text = str(thing)
    if " at 0x" in text:
        raise _Indescribable(text)
    return text
