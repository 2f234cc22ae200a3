"""Code runs compiled, unless the user, the environment or Numba requires plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import plywise as pw
from tests.take_away import TakeAway as Take


def test_interpretation_by_context() -> None:
    with pw.interpreted():
        assert not pw.search(Take(), depth=3, algorithm="minimax_single").compiled
    assert pw.search(Take(), depth=3, algorithm="minimax_single").compiled

    @pw.interpreted()
    def debugging() -> bool:
        return pw.search(Take(), depth=3, algorithm="minimax_single").compiled

    assert not debugging()


def test_interpretation_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen, is_compiled in (("1", False), ("0", True), ("", True)):
        monkeypatch.setenv("PLYWISE_INTERPRET", chosen)
        assert pw.search(Take(), depth=3, algorithm="minimax_single").compiled == is_compiled


def test_interpretation_by_numbas_own_switch() -> None:
    program = (
        "import plywise as pw; result = pw.solve(pw.games.TicTacToe(), 'XO./.X./..O'); "
        "print(result.value, result.compiled, pw.algorithms.perft(pw.games.ConnectFour(), None, 3))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.split() == ["1", "False", "343"], done.stderr
