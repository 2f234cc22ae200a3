"""The command line: ``plywise search connect-four --seconds 1`` prints the result of ``plywise.search``.

Each command has a file of its name.  An error is one line on stderr and exit code 2; Ctrl-C is exit code 130.
Commands import heavy modules only when they run, so ``plywise --help`` is fast.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn


def main() -> NoReturn:
    """Run the command that the program was called with, and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code.  No exception leaves this function."""
    if arguments[:1] == ["uci"] and not {"--help", "-h"} & set(
        arguments
    ):  # a GUI should not wait for our other imports
        from plywise import uci

        return uci.run(arguments[1:])
    from plywise.cli.failure import guarded

    return guarded(list(arguments))
