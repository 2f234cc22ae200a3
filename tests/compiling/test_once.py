"""Two processes that need the same machine code compile it once, and nobody waits for the dead."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.compiling.once import made_once

SEARCH = """
import os, sys
import plywise as pw
from plywise.compiling.progress import compile_notice

told = set()
compile_notice.set(lambda news: news and told.add("waited" if news.elsewhere else "compiled"))
print(pw.solve(pw.games.Nim(), "1,2,3 max", algorithm="alphabeta").value, *sorted(told))
"""


def test_two_processes_make_an_entry_once_and_both_say_what_they_do(tmp_path: Path) -> None:
    setting = {**os.environ, "PLYWISE_CACHE_DIR": str(tmp_path), "PLYWISE_INTERPRET": "0"}
    both = [
        subprocess.Popen([sys.executable, "-c", SEARCH], env=setting, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = sorted(process.communicate(timeout=120)[0].strip() for process in both)
    assert said in (["-1 compiled", "-1 waited"], ["-1", "-1 compiled"])  # the second may come when all is done
    assert len(list(tmp_path.glob("*.machinecode"))) == 1
    assert not list(tmp_path.glob("*.lock"))


KILLED = """
import os, signal
import plywise as pw
from plywise.compiling import progress

progress._remember = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # after the file is written
pw.solve(pw.games.Nim(), "1,2,3 max", algorithm="alphabeta")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete open files")
def test_a_process_killed_after_it_wrote_its_file_leaves_no_lock(tmp_path: Path) -> None:
    setting = {**os.environ, "PLYWISE_CACHE_DIR": str(tmp_path), "PLYWISE_INTERPRET": "0"}
    assert subprocess.run([sys.executable, "-c", KILLED], env=setting, timeout=120).returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob("*.machinecode"))) == 1
    assert not list(tmp_path.glob("*.lock"))


def hold(path: Path, held: Callable[[], object]) -> None:
    with made_once(path, lambda passed: None):
        held()
        time.sleep(60)


def test_a_killed_process_holds_no_lock(tmp_path: Path) -> None:
    path, context = tmp_path / "entry.machinecode", multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=hold, args=(path, held.set))
    process.start()
    assert held.wait(30)
    waits: list[float] = []

    def wait(passed: float) -> None:
        waits.append(passed)
        if len(waits) == 3:
            os.kill(process.pid or 0, signal.SIGKILL)

    with made_once(path, wait):
        assert len(waits) >= 3
        assert waits == sorted(waits)
    process.join()


def test_threads_take_turns_and_a_block_inside_another_does_not_wait(tmp_path: Path) -> None:
    path, other, order = tmp_path / "a.machinecode", tmp_path / "b.machinecode", list[str]()
    begun, nested = threading.Event(), threading.Event()

    def second() -> None:
        with made_once(other, lambda passed: None):
            begun.set()
            nested.wait(30)
            with made_once(path, lambda passed: None):  # held by the main thread, which will want ours
                order.append("second")

    thread = threading.Thread(target=second)
    with made_once(path, lambda passed: None):
        thread.start()
        assert begun.wait(30)
        nested.set()
        with made_once(other, lambda passed: None):
            thread.join(30)
            order.append("main")
    assert order == ["second", "main"]


def test_a_file_that_appears_ends_the_wait(tmp_path: Path) -> None:
    path, made, waits = tmp_path / "entry.machinecode", threading.Event(), list[float]()

    def make() -> None:
        with made_once(path, lambda passed: None):
            made.set()
            time.sleep(0.3)
            path.touch()

    thread = threading.Thread(target=make)
    thread.start()
    assert made.wait(30)
    with made_once(path, waits.append):
        assert path.exists()
    assert waits
    thread.join()


def test_ctrl_c_while_waiting_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "entry.machinecode"

    def interrupt(passed: float) -> None:
        raise KeyboardInterrupt

    def wait_for_it() -> None:
        with pytest.raises(KeyboardInterrupt), made_once(path, interrupt):
            raise AssertionError("the lock is taken")

    with made_once(path, lambda passed: None):
        thread = threading.Thread(target=wait_for_it)
        thread.start()
        thread.join()
    with made_once(path, interrupt):  # free again
        pass


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission_has_no_locks(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with made_once(tmp_path / "entry.machinecode", lambda passed: None):
        assert not list(tmp_path.iterdir())


def test_no_path_no_lock() -> None:
    with made_once(None, lambda passed: None):
        pass
