"""Functions with two bodies: one in Python, and machine instructions for compiled code.

A test must check that both give the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from plywise.compiling.fingerprint import COMPILED_TWIN
from plywise.compiling.native import Function
from plywise.compiling.pipeline import InnerCompiler


def twin(implementation: Callable[..., Any]) -> Callable[[Function], Function]:
    """Make compiled code call ``implementation``, an ``@intrinsic``, instead of the decorated function."""

    def decorate(function: Function) -> Function:
        arguments = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
        scope: dict[str, Any] = {"implementation": implementation}
        exec(f"def chosen({arguments}): return lambda {arguments}: implementation({arguments})", scope)
        overload(function, jit_options={"pipeline_class": InnerCompiler, "nogil": True})(scope["chosen"])
        setattr(function, COMPILED_TWIN, implementation)
        return function

    return decorate
