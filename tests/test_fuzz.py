"""A small run of ``benchmarks/fuzz.py``: some cases are the same every time, and some are new."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "benchmarks" / "fuzz.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, FUZZ, *arguments], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("seed", [["--seed", "11"], []], ids=["a fixed seed", "a random seed"])
def test_command_lines_and_parsers_take_anything(seed: list[str]) -> None:
    done = fuzz("--commands", "30", "--inputs", "150", *seed)
    assert done.returncode == 0, done.stdout + done.stderr  # which begins with the seed
    assert done.stdout.startswith("seed ")
    assert "Nothing wrong in 30 commands, 150 fen, " in done.stdout
