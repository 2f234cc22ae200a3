"""Compile the engine's code for any game in a process of its own, while this process compiles the rules of a game.

Only the first search on a machine needs it.  The process ends when it is done, or when this process ends.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial


@contextlib.contextmanager
def head_start(solving: bool, real: bool) -> Iterator[None]:
    """Compile the code for any game, with float scores if ``real``, while the block does something else."""
    if (os.cpu_count() or 1) < 2:
        yield
        return
    command = [sys.executable, "-m", __name__, "solve" if solving else "search", "real" if real else "whole"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet) as process:
        try:
            yield
        finally:
            process.kill()


def _main(what: str, numbers: str) -> None:
    """Compile, and end early if the parent does."""
    from plywise.compiling.reading import compile_only
    from plywise.engine.any_code import alone, made_by
    from plywise.engine.engine import Engine
    from plywise.games import RedBlue

    def listen() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    engine = Engine(RedBlue(), table_mb=1)
    search = engine.solve if what == "solve" else partial(engine.search, nodes=1)
    with made_by(partial(alone, numbers == "real")):
        compile_only(search)


if __name__ == "__main__":
    _main(*sys.argv[1:])
