"""Runs commands as a user would: in this process for speed, or in their own process where that matters."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

import pytest

from plywise.cli import run


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def plywise(capsys: pytest.CaptureFixture[str], *arguments: str) -> Answer:
    """Run a command in this process."""
    code = run(arguments)
    return Answer(code, *capsys.readouterr())


def process(*arguments: str, text: str = "", **options: object) -> Answer:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "plywise", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )  # type: ignore[call-overload]
    return Answer(done.returncode, done.stdout, done.stderr)
