"""Plain Python functions as compiled code.

Before Numba sees a function, the plain functions, classes and modules that it mentions are replaced by forms that Numba
can compile.  So neither rules nor algorithms need a decorator, and a call from Python simply runs Python.
"""

from __future__ import annotations

import enum
import functools
import threading
import types as python_types
from typing import Any

import numba
from numba import types
from numba.core import imputils
from numba.core.errors import NumbaError, NumbaTypeError
from numba.core.registry import cpu_target

from plywise.compiling import builtin_forms, cells_reading, cells_writing, generators  # noqa: F401 (Numba learns them)
from plywise.compiling.fingerprint import fingerprint, generation, installed, names_in, plain
from plywise.compiling.native import without_enums
from plywise.compiling.pipeline import InnerCompiler
from plywise.compiling.tuples import constructor
from plywise.compiling.without_scipy import start_without_scipy
from plywise.compiling.words import TOO_WIDE, fits, leaves

_dispatchers: dict[tuple[python_types.FunctionType, str, int], Any] = {}
_lock = threading.RLock()


def dispatcher(function: python_types.FunctionType) -> Any:
    """Return Numba's dispatcher for ``function``, with everything that it mentions in compiled form.

    A helper that is redefined at the prompt changes the fingerprint of the function, which then gets another
    dispatcher.  A method of a named tuple that the function receives is not part of the fingerprint; redefining it
    changes the generation.
    """
    with _lock:
        start_without_scipy()
        known = (function, fingerprint(function), generation())
        if known not in _dispatchers:
            scope = {"__builtins__": __builtins__, "__name__": function.__module__}
            cells = tuple(python_types.CellType() for _ in function.__closure__ or ())
            copy = python_types.FunctionType(
                function.__code__, scope, function.__name__, function.__defaults__, cells or None
            )
            copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
            copy.__kwdefaults__ = function.__kwdefaults__
            # Stored before its globals are filled in, because a function may mention itself.
            copy.__dict__.update(function.__dict__)
            inline = function.__dict__.get("inlined", False)
            _dispatchers[known] = numba.njit(copy, nogil=True, forceinline=inline, pipeline_class=InnerCompiler)
            for name in names_in(function.__code__) & set(function.__globals__):
                scope[name] = _compiled_form(function.__globals__[name])
            for cell, original in zip(cells, function.__closure__ or (), strict=True):
                cell.cell_contents = _compiled_form(original.cell_contents)
        return _dispatchers[known]


def call_function(context, builder, function, signature, arguments):
    """Generate a call of the compiled ``function``."""
    call = context.get_function(types.Dispatcher(dispatcher(function)), signature)
    result = call(builder, arguments)
    context.add_linking_libs(getattr(call, "libs", ()))
    return imputils.impl_ret_new_ref(context, builder, signature.return_type, result)


def constant_type(name: str, value: Any) -> types.Type:
    """Return the type of a constant.

    Raises:
        NumbaTypeError: a number in it does not fit a signed word.  Numba would make it unsigned, and every sum of
            signed and unsigned a float.
    """
    for number in leaves(value):
        if isinstance(number, int) and not fits(number):
            raise NumbaTypeError(f"self.{name} is {number}, {TOO_WIDE}")
    return numba.typeof(value)


def _compiled_form(value: Any) -> Any:
    """Return what compiled code sees for a name whose Python value is ``value``."""
    if isinstance(value, functools._lru_cache_wrapper):
        value = plain(value)
    if isinstance(value, python_types.ModuleType):
        return value if installed(value.__name__) else _namespace(value)
    if isinstance(value, type) and issubclass(value, int) and issubclass(value, enum.Enum):
        return _namespace(value)  # whose members are integers
    if isinstance(value, (python_types.FunctionType, type)) and not _known_to_numba(value):
        return _namespace(value) if isinstance(value, type) else dispatcher(value)
    return constructor(value) if getattr(value, "_field_defaults", None) else without_enums(value)


def _known_to_numba(value: Any) -> bool:
    try:
        cpu_target.typing_context.refresh()
        cpu_target.typing_context.resolve_value_type(value)
    except (ValueError, NumbaError):
        return False
    return True


class _Namespace(python_types.ModuleType):
    """A module or class whose functions and constants compiled code uses, as in ``helpers.f(x)`` or ``Base.LIMIT``."""

    def __init__(self, original: Any) -> None:
        super().__init__(original.__name__)
        self.__dict__["_original"] = original

    def __getattr__(self, name: str) -> Any:
        return _compiled_form(getattr(self._original, name))


_namespace = functools.cache(_Namespace)
