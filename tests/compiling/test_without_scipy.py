"""Numba does not import SciPy's linear algebra before somebody uses it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from plywise.compiling import without_scipy

PROGRAM = """
import sys
import numba, numpy as np
import plywise as pw
assert pw.search(pw.games.RedBlue(), algorithm="minimax").compiled
print("scipy.linalg" in sys.modules)
print(numba.njit(lambda vector: np.dot(vector, vector))(np.ones(3)))
print("scipy.linalg" in sys.modules)
"""


def test_a_search_does_not_import_it_and_linear_algebra_does(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy.linalg")
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n3.0\nTrue\n"


def test_where_there_is_none_numba_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    without_scipy._look_for_scipy()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="no SciPy"):
        without_scipy._look_for_scipy()
