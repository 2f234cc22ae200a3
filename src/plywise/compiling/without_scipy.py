"""Let Numba start without SciPy.

If SciPy is installed, Numba imports its linear algebra before it compiles or loads anything, only to know whether it is
there.  Rules need none of it, and the import takes an eighth of the processor time to the first answer.
"""

from __future__ import annotations

import functools
import importlib.util


@functools.cache
def start_without_scipy() -> None:
    """Tell Numba whether SciPy is there without importing it.  Code that uses linear algebra imports it later."""
    from numba.np import linalg

    usual, linalg.ensure_blas = linalg.ensure_blas, _look_for_scipy
    try:
        from numba.np import arraymath  # noqa: F401 (it asks, when it is imported)
    finally:
        linalg.ensure_blas = usual


def _look_for_scipy() -> None:
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("there is no SciPy")
