"""Compile the engine's code for any game in a process of its own, while this process compiles the rules of a game.

Only the first search on a machine needs it.  The process ends when it is done, or when this process ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
from functools import partial

from plywise.io.processes import leave_with_parent, python_command


def begin(solving: bool, real: bool, dice: bool) -> None:
    """Begin to compile the code for any game, or any game with ``dice``, with float scores if ``real``, in another
    process if there can be one.
    """
    if (os.cpu_count() or 1) > 1:
        program, quiet = f"from {__name__} import main; main({solving}, {real}, {dice})", subprocess.DEVNULL
        with contextlib.suppress(OSError):  # then this process does it
            command = python_command(program)
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
            atexit.register(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def main(solving: bool, real: bool, dice: bool) -> None:
    """Compile, and end early if the parent does."""
    from plywise.compiling.reading import compile_only
    from plywise.engine.any_code import alone, made_by
    from plywise.engine.engine import Engine
    from plywise.games import Pig, RedBlue

    leave_with_parent()
    engine = Engine(Pig() if dice else RedBlue(), table_mb=1)
    with made_by(partial(alone, real)):
        compile_only(engine.solve if solving else partial(engine.search, nodes=1))
