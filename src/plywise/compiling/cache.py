"""Machine code on disk, addressed by a hash of its inputs.

Numba's own cache trusts modification times, keeps an index that two processes may overwrite at the same time, and needs
a source file.  Here a file is named by the hash of everything that its machine code depends on: the function and all
that it reaches, the types of its arguments (a game's type names its rules), the processor, and the versions of Python,
NumPy and Numba.  Files are written atomically and never changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, serialize
from numba.core.environment import Environment, lookup_environment

from plywise.compiling import cache_folder
from plywise.compiling.fingerprint import VOLATILE, source_digest
from plywise.compiling.once import delete_lock, made_once
from plywise.compiling.progress import compile_notice, is_told, timetable, watched


def _parts(result: Any) -> tuple[Any, ...]:
    """Take a compiled function apart for the disk."""
    library, description, environment, *rest, environments = result._reduce()
    named = [(each.env_name, each.consts) for each in (environment, *environments)]
    return (library, description, named, rest)


def _together(target_context: Any, parts: tuple[Any, ...]) -> Any:
    """Rebuild a compiled function from the result of ``_parts``."""
    library, description, named, rest = parts
    environment, *environments = (_environment(*each) for each in named)
    rebuilt = (library, description, environment, *rest, tuple(environments))
    return compiler.CompileResult._rebuild(target_context, *rebuilt)


def _environment(name: str, constants: list[Any]) -> Environment:
    """Return the objects that compiled code refers to at run time.

    Numba would import the module of the compiled function.  But equal rules may come from modules with different names,
    or that cannot be imported, and code without Python objects needs nothing from its module.
    """
    found = lookup_environment(name)
    if found is None:
        found = Environment({"__name__": __name__})
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found
    return found


_CHECKSUM_BYTES = 32


def _checksum(payload: bytes) -> bytes:
    """Return the checksum that precedes a file's payload: LLVM would crash on a damaged one."""
    return hashlib.sha256(payload).digest()


def _known_as(function: FunctionType) -> str:
    """Return a function's name for users: its own in the textbook, else the name of its part of plywise."""
    parts = {"plywise.engine.mcts": "mcts", "plywise.engine.dfpn": "df-pn", "plywise.study.probe": "the rules",
             "plywise.compiling.rules": "the rules", "plywise.tables.expansion": "the table"}  # fmt: skip
    name = "the engine" if function.__module__.startswith("plywise.engine.") else function.__name__
    return parts.get(function.__module__, name)


_CODE_MAKERS = (
    "plywise.cells",
    "plywise.compiling.addresses",
    "plywise.compiling.bridge",
    "plywise.compiling.builtin_forms",
    "plywise.compiling.cache",
    "plywise.compiling.cells_reading",
    "plywise.compiling.cells_type",
    "plywise.compiling.cells_writing",
    "plywise.compiling.functions",
    "plywise.compiling.generators",
    "plywise.compiling.instructions",
    "plywise.compiling.members",
    "plywise.compiling.native",
    "plywise.compiling.native_types",
    "plywise.compiling.pipeline",
    "plywise.compiling.scores",
    "plywise.compiling.tuples",
    "plywise.compiling.twins",
    "plywise.compiling.words",
)
"""Modules that determine the machine code of a function.  ``bridge`` imports all of them.

Modules that only hold intrinsics are not listed: ``fingerprint`` reads their source where a function calls one.
"""


class MachineCode(caching._Cache):
    """The cache of one entry point, in the form that Numba's dispatchers expect."""

    def __init__(self, function: FunctionType, meaning: str, game: Any = None) -> None:
        self._game = game  # the type of the game, if it is not the first argument's
        self._name = function.__name__
        self._known_as = _known_as(function)
        self._meaning = meaning

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """Return the file for these argument types; None if their meaning is known only in this process."""
        kinds = [str(kind) for kind in signature]
        if VOLATILE in "".join([self._meaning, *kinds]):
            return None
        made_from = (
            self._meaning,
            kinds,
            codegen.magic_tuple(),
            [source_digest(module) for module in _CODE_MAKERS],
            (sys.version, platform.machine(), np.__version__, numba.__version__, llvmlite.__version__),
        )
        name = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
        return cache_folder.cache_directory() / f"{self._name}-{name}.machinecode"

    def holds(self, signature: Any, target_context: Any) -> bool:
        """Return whether there is a file for these argument types.  Another thread may be compiling."""
        path = self._path(signature, target_context.codegen())
        return path is not None and cache_folder.has(path)

    @contextlib.contextmanager
    def making(self, signature: Any, target_context: Any) -> Iterator[None]:
        """Give notice while the block compiles for these argument types.  If another process compiles the same, wait
        for it first: the block then loads its code.
        """
        game, waited = (self._game or signature[0]).facts.cls.__name__, False
        game = {"AnyGame": "any game", "AnyRealGame": "any game with real scores"}.get(game, game)
        entry, what = f"{self._name} for {game}", f"{self._known_as} for {game}"

        def wait(passed: float) -> None:
            nonlocal waited
            if is_told():
                return
            waited, known = True, timetable(entry)
            compile_notice.get()(known.progress(what, known.place(0, passed, whole=True), passed, elsewhere=True))

        try:
            with made_once(self._path(signature, target_context.codegen()), wait):
                if waited:
                    compile_notice.get()(None)
                    waited = False
                with watched(entry, what):
                    yield
        finally:
            if waited:
                compile_notice.get()(None)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        if path is None:
            return None
        content = cache_folder.read(path)
        if content is None:
            return None
        payload = content[_CHECKSUM_BYTES:]
        if _checksum(payload) == content[:_CHECKSUM_BYTES]:
            with contextlib.suppress(Exception):  # it refers to something that no longer exists
                return _together(target_context, pickle.loads(payload))
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)  # damaged: compile again
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        path = self._path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals or result.lifted:
            return
        with contextlib.suppress(Exception):  # without a file, the next process compiles again
            payload = serialize.dumps(_parts(result))
            cache_folder.write(path, _checksum(payload) + payload)
            delete_lock(path)

    @property
    def cache_path(self) -> str:
        return str(cache_folder.cache_directory())

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        cache_folder.clear_cache()
