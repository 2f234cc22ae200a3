"""plywise as a chess engine for graphical interfaces: the UCI protocol (Kahlen and Meyer-Kahlen 2000).

``protocol`` and ``options`` know the words, ``session`` reads and answers them, ``thinker`` has the engine and a thread
to use it in, ``going`` is one search.  Whoever starts a chess engine wants its name at once: nothing that is imported
here needs NumPy or Numba, which the thinker's thread loads afterwards.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

USAGE = """usage: plywise uci [--log FILE] [COMMAND ...]

A chess engine that speaks UCI on standard input and output.  With a COMMAND, such as 'bench' or 'go perft 5', it does
that alone and leaves.  --log keeps a transcript.
"""


def main() -> NoReturn:
    """Run the console script ``plywise-uci``."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Be a UCI engine until told to quit; returns the exit code.  No exception leaves this function."""
    from plywise.uci.session import Session
    from plywise.uci.transcript import Transcript

    words = list(arguments)
    file = None
    if words[:1] in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if words[:1] == ["--log"]:
        file, words = (words[1] if len(words) > 1 else ""), words[2:]
    elif words and words[0].startswith("--log="):
        file, words = words[0].removeprefix("--log="), words[1:]
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
