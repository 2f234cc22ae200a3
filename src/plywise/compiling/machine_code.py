"""Find machine code again, for arguments of the same types.

Numba would describe all arguments at every call, which takes longer than a small search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof
from numba.core.dispatcher import Dispatcher

from plywise.cells import Cells
from plywise.compiling.native import Native
from plywise.compiling.native_types import array_facts, native_type
from plywise.compiling.words import fits

_codes: dict[tuple[Any, Any], Callable[..., Any]] = {}


def machine_code(compiled: Any, inputs: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Return the machine code of an entry (``bridge.entry``) for arguments like ``inputs``; None if there is none.

    ``compiled`` may be something else than an entry; then there is none.
    """
    if not isinstance(compiled, Dispatcher):
        return None
    known = (compiled, kind_of(inputs))
    if known not in _codes:
        overload = compiled.overloads.get(tuple(map(typeof, inputs)))
        if overload is None:
            return None
        _codes[known] = overload.entry_point
    return _codes[known]


def kind_of(value: Any) -> Any:
    """Return something that is equal for values of the same Numba type only."""
    if isinstance(value, tuple) and not isinstance(value, Cells):
        return (type(value), *map(kind_of, value))
    if isinstance(value, Native):
        return native_type(value)
    if isinstance(value, np.ndarray):
        return array_facts(value)
    kind = type(value)
    return kind if kind is float or kind is bool or (kind is int and fits(value)) else typeof(value)
