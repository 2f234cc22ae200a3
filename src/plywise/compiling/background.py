"""Compile in the background, one thing after the other: in a process of its own if possible, else in a thread.

A process leaves the interpreter and one processor to this one, but can compile only what it can load: a class that was
typed at the prompt exists only here.  Either way the machine code is found afterwards, on disk or in memory.  When this
process ends, so does the background.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from plywise.compiling.reading import NotReady, compile_only
from plywise.io.processes import leave_with_parent, python_command


class Task:
    """Something to compile in the background.

    Args:
        search: a search that needs the code; a ``functools.partial`` of a function at the top level of a module can be
            pickled.
        missing: the code that it needs first.
        first: what makes the other process know the game.
        only_elsewhere: compile only in another process, not in a thread.
    """

    def __init__(
        self, search: Callable[[], object], missing: NotReady, first: Sequence[Callable[[], object]] = (),
        only_elsewhere: bool = False,
    ) -> None:  # fmt: skip
        self.search, self.missing, self.first, self.only_elsewhere = search, missing, first, only_elsewhere
        self.ended = threading.Event()
        """Set when there is nothing left to do."""

    def run(self) -> None:
        """Compile."""
        try:
            self._in_process()
            if (
                not self.only_elsewhere and not self.missing.is_there
            ):  # it could not be loaded, compiled or kept on disk
                compile_only(self.search)
        except Exception:  # the next search, in the foreground, says what is wrong
            pass
        finally:
            self.ended.set()

    def _in_process(self) -> None:
        """Compile in another process, if it can know the game."""
        try:
            steps = [pickle.dumps(each) for each in (*self.first, self.search)]
        except Exception:  # something that only this process knows
            return
        if any(b"__main__" in step for step in steps):  # the other process has another main module
            return
        with contextlib.suppress(OSError), _child() as child:  # without another process, a thread does it
            pickle.dump(steps, child.stdin)
            child.stdin.flush()
            child.stdout.read()


_tasks: dict[Any, Task] = {}
_waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
_lock = threading.Lock()
_children: set[subprocess.Popen[bytes]] = set()


def compile_later(
    search: Callable[[], object], missing: NotReady, first: Sequence[Callable[[], object]] = (),
    only_elsewhere: bool = False,
) -> Task:  # fmt: skip
    """Compile a search in the background, unless that was begun before for the same missing code; see ``Task``."""
    with _lock:
        task = _tasks.get(missing.code)
        if task is None:
            if not _tasks:
                threading.Thread(target=_work, daemon=True, name="plywise background").start()
                atexit.register(_end)
            task = _tasks[missing.code] = Task(search, missing, first, only_elsewhere)
            _waiting.put(task)
        return task


def _work() -> None:
    while True:
        _waiting.get().run()


@contextlib.contextmanager
def _child() -> Any:
    """Start the other process; it ends when its input does."""
    command = python_command(f"from {__name__} import main; main()")
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    _children.add(child)
    try:
        yield child
    finally:
        _children.discard(child)
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


def _end() -> None:
    for child in list(_children):
        child.kill()


# In the other process ------------------------------------------------------------------------------------------------


def main() -> None:
    """Load a task from the standard input and compile it."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)
    *first, search = pickle.load(sys.stdin.buffer)
    leave_with_parent()
    for step in first:
        pickle.loads(step)()
    compile_only(pickle.loads(search))
