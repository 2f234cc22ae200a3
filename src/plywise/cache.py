"""Machine code on disk, addressed by what it was made from.

Numba's own cache trusts modification times, keeps an index that two processes can overwrite under each other, and
wants a source file.  Here an entry's file name is the hash of everything that its machine code depends on: the
function and all that it reaches, the types of its arguments (a game's type names its rules), the processor, and the
versions of Python, NumPy and Numba.  A file is written whole or not at all, and never changed.
"""

from __future__ import annotations

import contextlib
import contextvars
import hashlib
import os
import pickle
import platform
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, serialize
from numba.core.codegen import RuntimeLinker

from plywise.fingerprint import VOLATILE, source_digest

CACHE_VARIABLE = "PLYWISE_CACHE_DIR"

compile_notice: contextvars.ContextVar[Callable[[str | None], None]] = contextvars.ContextVar(
    "compile_notice", default=lambda what: None
)
"""Called with what is about to be compiled, such as ``memo for ConnectFour``, and with None when that is done."""


def cache_directory() -> Path:
    """Return the folder for machine code: ``$PLYWISE_CACHE_DIR``, or ``plywise`` in the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home: nothing can be kept there, and that is all right
        return Path(os.devnull, "plywise")
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "plywise"


def clear_cache() -> int:
    """Delete all machine code from disk.  Returns how many files that were."""
    folder = cache_directory()
    files = [*folder.glob("*.machinecode"), *folder.glob("*.machinecode.*.tmp")]  # the latter: of a killed process
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _parts(result: Any) -> tuple[Any, ...]:
    """Take a compiled function apart for the disk.

    Numba links functions that call each other through a pointer that it fills in later, but not when it loads object
    code: the first call then crashes.  Such a function is kept as LLVM's bitcode, for which Numba does fill it in.
    """
    library, *rest = result._reduce()
    if RuntimeLinker.PREFIX in result.library.get_llvm_str():
        library = result.library.serialize_using_bitcode()
    return (library, *rest)


_CHECKSUM_BYTES = 32


def _checksum(payload: bytes) -> bytes:
    """Return what stands before the payload of a file, to tell a damaged one: LLVM would crash on it."""
    return hashlib.sha256(payload).digest()


class MachineCode(caching._Cache):
    """The cache of one entry point, in the form that Numba's dispatchers expect."""

    def __init__(self, function: FunctionType, meaning: str) -> None:
        self._name = function.__name__
        self._meaning = meaning

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """Return the file for these types of arguments; None if what they mean is known to this process only."""
        kinds = [str(kind) for kind in signature]
        if VOLATILE in "".join([self._meaning, *kinds]):
            return None
        made_from = (
            self._meaning,
            kinds,
            codegen.magic_tuple(),
            [source_digest(module) for module in ("plywise.bridge", "plywise.tuples")],
            (sys.version, platform.machine(), np.__version__, numba.__version__, llvmlite.__version__),
        )
        name = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
        return cache_directory() / f"{self._name}-{name}.machinecode"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        found = self._load(signature, target_context)
        if found is None:
            game = signature[0].name.partition("@")[0]
            compile_notice.get()(f"{self._name} for {game}")
        return found

    def _load(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        if path is None:
            return None
        with contextlib.suppress(OSError):  # not there, or not ours to read
            content = path.read_bytes()
            payload = content[_CHECKSUM_BYTES:]
            if _checksum(payload) == content[:_CHECKSUM_BYTES]:
                with contextlib.suppress(Exception):  # it names something that is gone
                    return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
            path.unlink(missing_ok=True)  # damaged: make it again
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        compile_notice.get()(None)
        path = self._path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals or result.lifted:
            return
        temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
        with contextlib.suppress(OSError, pickle.PicklingError, TypeError):  # a full disk costs time, not answers
            payload = serialize.dumps(_parts(result))
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_bytes(_checksum(payload) + payload)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        clear_cache()
