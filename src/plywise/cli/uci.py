"""``plywise uci``: the chess engine for GUIs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def uci(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COMMAND]...", help="Run only this, such as bench or go perft 5, and exit."),
    ] = None,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Write a transcript to FILE.")] = None,
) -> None:
    """Run as a chess engine for GUIs, with the UCI protocol.

    A GUI starts it as 'plywise uci' or 'plywise-uci'.  'bench' runs a fixed set of searches and prints their nodes, a
    signature of the search, and their speed.

    \b
    plywise uci
    plywise uci --log transcript.txt
    plywise uci bench
    """
    from plywise import uci as engine

    raise typer.Exit(engine.run([*(["--log", str(log)] if log is not None else []), *(command or [])]))
