"""Compiling in the background: in another process, in a thread where that cannot be, and never in the way."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import plywise as pw
from plywise.algorithms import ALGORITHMS
from plywise.compiling import background
from plywise.compiling.reading import as_ready, compile_only
from plywise.inputs.choose import choose_game, loading
from tests.take_away import TakeAway

A_WHILE = 120.0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PLYWISE_INTERPRET", "0")
    return tmp_path / "cache"


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled in this process."""
    monkeypatch.setattr(background, "compile_only", lambda search: None)


def searched(game: pw.Game, algorithm: str = "minimax") -> tuple[pw.Result, list[background.Task]]:
    """Search as soon as possible; return the result, and the task that was begun for it."""
    tasks: list[background.Task] = []
    search = partial(pw.search, game, algorithm=algorithm, depth=2)
    result = as_ready(search, lambda missing: tasks.append(background.compile_later(search, missing, loading(game))))
    return result, tasks


def changed_over(game: pw.Game, algorithm: str = "minimax") -> None:
    """Check that a first search is interpreted, and that the next one after its task is compiled, and equal."""
    first, (task,) = searched(game, algorithm)
    assert not first.compiled
    assert task.ended.wait(A_WHILE)
    second, tasks = searched(game, algorithm)
    assert not tasks
    assert second.compiled
    assert (second.value, second.line) == (first.value, first.line)


@pytest.mark.usefixtures("elsewhere")
def test_a_game_of_a_module_is_compiled_in_another_process(folder: Path) -> None:
    changed_over(TakeAway(), "negamax_sign")
    assert len(list(folder.glob("*.machinecode"))) == 1


OWN = """
from plywise.games import Nim

print("a file may print")


class Mine(Nim):
    def evaluate(self, state):
        return state.heaps[0] - state.turn
"""


@pytest.mark.usefixtures("elsewhere")
def test_a_game_of_a_file_is_compiled_in_another_process(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    changed_over(choose_game(f"{file}:1,2"))


def test_a_local_class_is_compiled_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_child", lambda: pytest.fail("another process cannot know it"))

    class Local(pw.games.Nim):
        def evaluate(self, state):
            return state.heaps[0] - state.turn

    changed_over(Local())


def test_what_cannot_be_kept_on_disk_is_compiled_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("PLYWISE_CACHE_DIR", str(blocked / "cache"))
    changed_over(TakeAway(), "satisficing")


@pytest.mark.filterwarnings("ignore::plywise.errors.CompileWarning")
def test_what_cannot_be_compiled_is_tried_once() -> None:
    class Spelled(pw.games.Nim):
        def evaluate(self, state):
            return int(str(state.turn) + "0")

    first, (task,) = searched(Spelled())
    assert task.ended.wait(A_WHILE)
    second, tasks = searched(Spelled())
    assert not tasks
    assert (first.compiled, second.compiled, first.value) == (False, False, second.value)


def test_the_same_code_is_made_once() -> None:
    _, (first,) = searched(TakeAway(), "negamax_alphabeta")
    _, (second,) = searched(TakeAway(), "negamax_alphabeta")
    assert first is second
    assert first.ended.wait(A_WHILE)


def test_compiling_alone_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[pw.Result] = []
    compile_only(partial(pw.search, TakeAway(), algorithm="negamax", seconds=60, on_info=told.append))
    assert not told
    assert searched(TakeAway(), "negamax")[0].compiled


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=lambda each: each.name)
def test_an_algorithm_travels_by_name(algorithm: Any) -> None:
    assert pickle.loads(pickle.dumps(algorithm)) is algorithm


PROGRAM = """
import os, subprocess, sys, time
import plywise as pw
from plywise.compiling import background

print(pw.search(pw.games.ConnectFour(), seconds=0.1, compile="later").compiled, flush=True)
while not background._children:
    time.sleep(0.01)
(child,) = background._children
print(child.pid, flush=True)
if sys.argv[1] == "killed":
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("end", ["ends", "killed"])
def test_the_other_process_ends_with_this_one(end: str) -> None:
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, end], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    assert program.stdout.readline() == "False\n"
    child = Path("/proc", program.stdout.readline().strip())
    if end == "killed":
        assert child.exists()
        program.kill()
    program.stdout.close()
    assert program.wait(30) == (-9 if end == "killed" else 0)
    deadline = time.monotonic() + 30
    while child.exists() and "zombie" not in (child / "status").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)


MAIN = """
import plywise as pw
from plywise.compiling import background

class Mine(pw.games.Nim):
    def evaluate(self, state):
        return state.heaps[0] - state.turn

game = Mine((1, 2, 3))
first = pw.search(game, algorithm="minimax", depth=2, compile="later")
(task,) = background._tasks.values()
task.ended.wait()
second = pw.search(game, algorithm="minimax", depth=2, compile="later")
print(first.compiled, second.compiled, first.value == second.value)
"""


def test_a_script_without_a_guard_is_not_run_twice(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(MAIN)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=dict(os.environ))
    assert (done.stdout, done.stderr) == ("False True True\n", "")
