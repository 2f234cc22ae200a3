"""Compile in a process of its own what a search is about to need, while this process compiles the rest.

Both take what the other has finished from the disk.  The process ends when it is done, or when this process ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial

from plywise.game import Game
from plywise.io.processes import leave_with_parent, python_command


def begin(solving: bool, real: bool, dice: bool) -> None:
    """Begin to compile the code for any game, or any game with ``dice``, with float scores if ``real``.  Only the first
    search on a machine needs it.
    """
    _start(partial(_compile_engine, solving, real, dice))


def share_rules(game: Game, names: Sequence[str]) -> None:
    """Begin to compile rules of a game, the last one first, as this process begins with the first.

    Only for games of plywise: another process would run a user's module once more, with all that it does.
    """
    if type(game).__module__.startswith("plywise.games."):
        _start(partial(_compile_rules, game, names))


def _start(work: Callable[[], None]) -> None:
    """Call a function in another process, if there can be one."""
    if (os.cpu_count() or 1) > 1:
        with contextlib.suppress(pickle.PicklingError):  # such as a game that ends where a table begins
            threading.Thread(target=_run, args=(pickle.dumps(work),), daemon=True).start()


def _run(work: bytes) -> None:
    quiet = subprocess.DEVNULL
    with contextlib.suppress(OSError):  # then this process does it all
        command = python_command(f"from {__name__} import main; main()")
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
        atexit.register(process.kill)
        assert process.stdin is not None
        with process.stdin:  # it stays open: the other process ends when this one does
            process.stdin.write(work)
            process.stdin.flush()
            process.wait()
        atexit.unregister(process.kill)


# In the other process ------------------------------------------------------------------------------------------------


def main() -> None:
    """Load a function from the standard input and call it; end early if the parent does."""
    work = pickle.load(sys.stdin.buffer)
    leave_with_parent()
    work()


def _compile_engine(solving: bool, real: bool, dice: bool) -> None:
    from plywise.compiling.reading import compile_only
    from plywise.engine.any_code import alone, made_by
    from plywise.engine.engine import Engine
    from plywise.games import Pig, RedBlue

    engine = Engine(Pig() if dice else RedBlue(), table_mb=1)
    with made_by(partial(alone, real)):
        compile_only(engine.solve if solving else partial(engine.search, nodes=1))


def _compile_rules(game: Game, names: Sequence[str]) -> None:
    from plywise.engine.any_code import rules_of

    rules = rules_of(game)
    for name in reversed(names):
        rules.compile([name])
