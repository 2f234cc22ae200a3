"""``plywise uci``: the chess engine for graphical interfaces."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def uci(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]...", help="Do only this, and leave: bench, go perft 5.")
    ] = None,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Keep a transcript in FILE.")] = None,
) -> None:
    """Be a chess engine for a graphical interface, by the UCI protocol.

    A GUI starts it as 'plywise uci', or as 'plywise-uci', and does the talking.  'bench' tells how many nodes a fixed
    set of searches takes, which is a signature of the search, and how fast they are.

    \b
    plywise uci
    plywise uci --log transcript.txt
    plywise uci bench
    """
    from plywise import uci as engine

    raise typer.Exit(engine.run([*(["--log", str(log)] if log is not None else []), *(command or [])]))
