"""Machine code on disk, addressed by what it was made from.

Numba's own cache trusts modification times, keeps an index that two processes can overwrite under each other, and
wants a source file.  Here an entry's file name is the hash of everything that its machine code depends on: the
function and all that it reaches, the types of its arguments (a game's type names its rules), the processor, and the
versions of Python, NumPy and Numba.  A file is written whole or not at all, and never changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import platform
import sys
import uuid
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, serialize
from numba.core.codegen import RuntimeLinker

from plywise.fingerprint import Unfingerprintable, fingerprint, source_digest

CACHE_VARIABLE = "PLYWISE_CACHE_DIR"


def cache_directory() -> Path:
    """Return the folder for machine code: ``$PLYWISE_CACHE_DIR``, or ``plywise`` in the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    home = Path.home()
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "plywise"


def clear_cache() -> int:
    """Delete all machine code from disk.  Returns how many files that were."""
    files = list(cache_directory().glob("*.machinecode"))
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


class MachineCode(caching._Cache):
    """The cache of one entry point, in the form that Numba's dispatchers expect."""

    def __init__(self, function: Any) -> None:
        self._name = function.__name__
        try:
            self._meaning: str | None = fingerprint(function)
        except Unfingerprintable:
            self._meaning = None  # compiles all the same; nothing is kept

    def _path(self, signature: Any, codegen: Any) -> Path:
        made_from = (
            self._meaning,
            [str(kind) for kind in signature],
            codegen.magic_tuple(),
            source_digest("plywise.bridge"),
            (sys.version, platform.machine(), np.__version__, numba.__version__, llvmlite.__version__),
        )
        name = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
        return cache_directory() / f"{self._name}-{name}.machinecode"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        if self._meaning is None:
            return None
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        try:
            parts = pickle.loads(path.read_bytes())
            return compiler.CompileResult._rebuild(target_context, *parts)
        except OSError:
            return None
        except (pickle.UnpicklingError, EOFError, ImportError, AttributeError):
            path.unlink(missing_ok=True)  # damaged, or its module is gone: make it again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if self._meaning is None or result.library.has_dynamic_globals or result.lifted:
            return
        path = self._path(signature, result.codegen)
        temporary = path.with_suffix(f".{uuid.uuid4().hex}.tmp")
        with contextlib.suppress(OSError):  # a full or read-only disk costs time, not answers
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_bytes(serialize.dumps(_parts(result)))
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
