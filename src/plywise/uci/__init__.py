"""plywise as a chess engine for GUIs, with the UCI protocol (Kahlen and Meyer-Kahlen 2000).

``protocol`` and ``engine_options`` parse and format lines, ``session`` reads commands and answers them, ``thinker``
runs the engine in its own thread, and ``going`` is one search.  A GUI expects the engine's name at once.  So
nothing imported here needs NumPy or Numba; the thinker's thread loads them later.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

USAGE = "usage: plywise-uci [--log FILE] [COMMAND ...]   (see also 'plywise uci --help')"


def main() -> NoReturn:
    """Run the console script ``plywise-uci``."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run as a UCI engine until ``quit`` and return the exit code.  No exception leaves this function."""
    from plywise.io.transcript import Transcript
    from plywise.uci.session import Session

    words = list(arguments)
    file = None
    if words and words[0].startswith("--log="):
        words[:1] = words[0].split("=", 1)
    if words[:1] == ["--log"] and len(words) > 1:
        file, words = words[1], words[2:]
    if words and words[0].startswith("-"):
        helped = words[0] in ("--help", "-h")
        print(USAGE, file=sys.stdout if helped else sys.stderr)
        return 0 if helped else 2
    try:
        transcript = Transcript(file)
    except OSError as error:
        print(f"plywise: --log {file!r}: {error.strerror}", file=sys.stderr)
        return 2
    session = Session(transcript)
    code = 0
    try:
        if words:
            session.do(" ".join(words))
        else:
            session.listen()
    except KeyboardInterrupt:
        code = 130
    if not session.close():
        sys.stdout.flush()
        os._exit(code)  # do not wait for a thread that is still compiling
    return code
