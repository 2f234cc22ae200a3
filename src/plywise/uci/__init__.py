"""plywise as a chess engine for graphical interfaces: the UCI protocol (Kahlen and Meyer-Kahlen 2000).

``protocol`` and ``engine_options`` know the words, ``session`` reads and answers them, ``thinker`` has the engine and a
thread to use it in, ``going`` is one search.  Whoever starts a chess engine wants its name at once: nothing imported
here needs NumPy or Numba, which the thinker's thread loads afterwards.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

USAGE = "usage: plywise-uci [--log FILE] [COMMAND ...]   ('plywise uci --help' tells more)"


def main() -> NoReturn:
    """Run the console script ``plywise-uci``."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Be a UCI engine until told to quit; returns the exit code.  No exception leaves this function."""
    from plywise.uci.session import Session
    from plywise.uci.transcript import Transcript

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
        os._exit(code)  # a thread is in the middle of compiling, which nobody waits for
    return code
