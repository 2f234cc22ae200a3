"""plywise as an engine for Go GUIs, with the Go Text Protocol, version 2 (Farnebäck 2002).

``protocol`` reads lines and writes answers, ``board`` is the game that is played, ``timing`` the clocks, ``player`` the
bot that thinks, and ``session`` has the commands.  Any game whose moves are named by the points of a board can be
played; handicaps and SGF need methods that ``Go`` has.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.match.bots import BotSpec

INTERRUPTED = 130


def run(game: Game, spec: BotSpec, seed: int | None = None, resign: float | None = None, log: str | None = None) -> int:
    """Answer commands on standard input until ``quit`` or its end, and return the exit code.

    Args:
        game: the first game; ``boardsize`` and ``komi`` change it.
        spec: the bot that plays.
        seed: for random choices; default: another one every time.
        resign: resign when the value is this bad for a few moves; default: never.
        log: a file for a transcript.

    Raises:
        SearchError, GameError: the bot cannot play the game, or GTP cannot describe it.
        OSError: the log cannot be written.
    """
    from plywise.gtp.board import Board
    from plywise.gtp.player import Player
    from plywise.gtp.session import Session
    from plywise.io.transcript import Transcript

    session = Session(Board(game), Player(game, spec, seed, resign), Transcript(log))
    code = 0
    try:
        session.listen()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if not session.close():
        sys.stdout.flush()
        os._exit(code)  # do not wait for a thread that is still compiling
    return code
