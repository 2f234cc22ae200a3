"""Help is fast and has examples for every command; every command has its own file and tests."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from plywise import __version__
from plywise.cli.commands import COMMAND_GROUPS
from tests.cli.support import plywise, process

COMMANDS = [name for group in COMMAND_GROUPS.values() for name in group]


def test_help_is_fast_because_it_imports_nothing_heavy() -> None:
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "plywise", "--help"], capture_output=True, text=True, check=True
    )
    took = time.perf_counter() - begin
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert not imported & {"numba", "llvmlite", "numpy", "rich"}
    assert "typer" in imported
    assert took < 1.5  # 0.15 s on an idle machine; this one may be busy


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, "--help")
    assert answer.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in answer.out
    assert "..." not in answer.out.partition("Play and analyse")[2]  # no line is cut short


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = plywise(capsys, name, "--help")
    assert answer.code == 0
    assert f"  plywise {name}" in answer.out
    if "GAME" in answer.out.partition("\n")[0] and name != "warm":
        assert "connect-four:width=6,height=5" in answer.out


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert plywise(capsys).out == plywise(capsys, "--help").out


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert plywise(capsys, "--version").out == f"plywise {__version__}\n"


def test_the_installed_command_and_the_module_are_the_same() -> None:
    answer = process("--version")
    assert (answer.code, answer.out, answer.err) == (0, f"plywise {__version__}\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_and_its_tests_stand_in_files_of_its_name(name: str) -> None:
    command = next(group[name] for group in COMMAND_GROUPS.values() if name in group)
    file = name.replace("-", "_")
    assert command.__module__ == f"plywise.cli.{file}"
    assert f'"{name}"' in Path(__file__).with_name(f"test_{file}.py").read_text()
