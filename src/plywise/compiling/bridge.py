"""The way from Python into machine code: ``entry(f)`` compiles an algorithm together with a game.

An algorithm is a plain function ``f(game, state, ...)``; a game is a plain class.  Three ideas carry the bridge:

* A game has a Numba type of its own (``native_types``), so its methods and numbers are known while ``f`` is compiled.
* The plain functions that ``f`` mentions are compiled on the way (``functions``), so nothing needs a decorator.
* Positions enter compiled code as bare tuples and never leave it.  So signatures contain no user classes, and machine
  code can be cached on disk (``cache``) even for a class that was typed at the prompt.
"""

from __future__ import annotations

import threading
import types as python_types
from typing import Any

import numba
from numba import types
from numba.core import cgutils, imputils
from numba.extending import intrinsic

from plywise.compiling.cache import MachineCode
from plywise.compiling.fingerprint import fingerprint
from plywise.compiling.functions import dispatcher
from plywise.compiling.native import RoundedUp
from plywise.compiling.native_types import state_type
from plywise.compiling.pipeline import EntryCompiler
from plywise.compiling.scores import number_type, rounded

_entries: dict[tuple[python_types.FunctionType, str], Any] = {}
_kernels: dict[tuple[python_types.FunctionType, str], Any] = {}
_lock = threading.RLock()


def entry(function: python_types.FunctionType) -> Any:
    """Return ``function(game, state, *arguments)`` compiled, to call as ``enter(game, fields, arguments)``."""
    with _lock:
        known = (function, fingerprint(function))
        if known not in _entries:
            inner = dispatcher(function)

            def enter(game, fields, arguments):
                return inner(game, _restored(game, fields), *_prepared(game, arguments))

            enter.__qualname__ = enter.__name__ = f"enter_{function.__name__}"
            _entries[known] = numba.njit(enter, nogil=True, pipeline_class=EntryCompiler)
            _entries[known]._cache = MachineCode(*known)
        return _entries[known]


def kernel(function: python_types.FunctionType) -> Any:
    """Return ``function(*arguments)`` compiled: a function of numbers and arrays that no game takes part in."""
    with _lock:
        known = (function, fingerprint(function))
        if known not in _kernels:
            inner = dispatcher(function)

            def enter(arguments):
                return inner(*arguments)

            enter.__qualname__ = enter.__name__ = f"enter_{function.__name__}"
            compiled = numba.njit(enter, nogil=True, pipeline_class=EntryCompiler)
            compiled._cache = MachineCode(*known)
            _kernels[known] = lambda *arguments: compiled(arguments)
        return _kernels[known]


def kinds_of(*inputs: Any) -> tuple[types.Type, ...]:
    """Return the types of the game, the position and the arguments, for an entry to be compiled for."""
    return tuple(map(numba.typeof, inputs))


def is_ready(function: python_types.FunctionType, kinds: tuple[types.Type, ...]) -> bool:
    """Return whether an entry is compiled for these types, in this process or on disk."""
    compiled = entry(function)
    return kinds in compiled.overloads or compiled._cache.holds(kinds, compiled.targetctx)


@intrinsic
def _restored(typing_context, game, fields):
    """Make a position of the game's own type from the bare tuple of fields."""
    target = state_type(typing_context, game)

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[1], fields, _bare(target))

    return target(game, fields), generate


def _bare(kind: types.Type) -> types.Type:
    """Return the unnamed tuple type with the layout of ``kind``."""
    return (
        types.BaseTuple.from_types([_bare(item) for item in kind.types]) if isinstance(kind, types.BaseTuple) else kind
    )


@intrinsic
def _prepared(typing_context, game, arguments):
    """Turn every float among ``arguments`` into a number of the game."""
    scores = [kind == types.float64 or _rounds_up(kind) for kind in arguments]
    number = number_type(typing_context, game) if any(scores) else types.float64
    target = types.BaseTuple.from_types([number if s else kind for kind, s in zip(arguments, scores, strict=True)])

    def generate(context, builder, signature, values):
        items = cgutils.unpack_tuple(builder, values[1])
        for place, kind in enumerate(arguments):
            if _rounds_up(kind):
                items[place] = builder.extract_value(items[place], 0)
            if scores[place] and number == types.int64:
                items[place] = rounded(builder, items[place], "llvm.ceil" if _rounds_up(kind) else "llvm.floor")
        result = context.make_tuple(builder, target, items)
        return imputils.impl_ret_borrowed(context, builder, target, result)  # an array may be among them

    return target(game, arguments), generate


def _rounds_up(kind: types.Type) -> bool:
    return isinstance(kind, types.BaseNamedTuple) and kind.instance_class is RoundedUp
