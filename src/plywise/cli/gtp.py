"""``plywise gtp``: a Go engine for GUIs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.options import ExtraOption, ThreadsOption, explains_games, given, read_extras

SECONDS = 3.0
"""Seconds for a move, unless the GUI sets a clock."""


@explains_games
def gtp(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="Go, or a game of your own that names moves by points.")
    ] = "go",
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", metavar="NAME", help="A name from 'plywise algorithms'.")
    ] = "mcts",
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", "-s", metavar="S", help="Seconds for a move without a clock. Default: 3."),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", metavar="N", help="Positions for a move.")] = None,
    threads: ThreadsOption = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Repeat the choices of a game.")
    ] = None,
    resign: Annotated[
        float | None,
        typer.Option("--resign", metavar="VALUE", help="Resign when the value is this bad for three moves."),
    ] = None,
    extras: ExtraOption = None,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Write a transcript to FILE.")] = None,
) -> None:
    """Run as a Go engine for GUIs, with the protocol GTP.

    A GUI such as GoGui or Sabaki starts it as 'plywise gtp'.  It sets the size of the board, the komi and the clock;
    without a clock, the engine thinks for three seconds.  Commands come on standard input, one in a line, answers go to
    standard output, and messages to standard error.  'list_commands' lists the commands.

    \b
    plywise gtp
    plywise gtp go:19 --seconds 10 --resign 40
    plywise gtp --nodes 100000 --seed 1 < test.tst
    """
    from plywise import gtp as engine
    from plywise.inputs.choose import choose_game
    from plywise.match.bots import BotSpec
    from plywise.match.time_control import Limits

    if seconds is None and nodes is None:
        seconds = SECONDS
    options = {**read_extras(extras), **given(threads=threads)}
    spec = BotSpec(algorithm, Limits(seconds=seconds, nodes=nodes), options)
    raise typer.Exit(engine.run(choose_game(game), spec, seed, resign, None if log is None else str(log)))
