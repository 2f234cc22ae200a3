"""All commands, by name.  The modules with the commands import what is heavy only when a command runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
import typer.core

from plywise import __version__
from plywise.cli import (
    analysing,
    catalogue,
    comparing,
    counting,
    learning,
    matching,
    own,
    playing,
    quizzing,
    searching,
    serving,
    speaking,
    tour,
    trees,
    tuning,
    verifying,
    warming,
)
from plywise.cli.numbers import Command

GROUPS: dict[str, dict[str, Callable[..., None]]] = {
    "Play and analyse": {
        "search": searching.search,
        "solve": searching.solve,
        "analyse": analysing.analyse,
        "verify": verifying.verify,
        "serve": serving.serve,
        "play": playing.play,
        "match": matching.match,
        "uci": speaking.uci,
        "games": catalogue.games,
        "algorithms": catalogue.algorithms,
    },
    "Understand": {
        "tour": tour.tour,
        "tree": trees.tree,
        "quiz": quizzing.quiz,
        "compare": comparing.compare,
        "perft": counting.perft,
    },
    "Write a game": {
        "new": own.new,
        "check": own.check,
        "warm": warming.warm,
        "tune": learning.tune,
        "tune-jamboree": tuning.tune_jamboree,
    },
}


class Commands(typer.core.TyperGroup):
    """Lists the commands in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(65)) for name in commands])


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,  # Rich's help is prettier and takes twice the time
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)


@app.callback(invoke_without_command=True)
def plywise(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Write the rules of a game once; get everything that computer game playing knows.

    \b
    plywise tour                              begin here
    plywise search connect-four --seconds 1   the best move within a second
    plywise solve tic-tac-toe --prove         the value, proved
    plywise tree red-blue --steps             alpha-beta, step by step
    plywise play tic-tac-toe                  you against the search

    'plywise COMMAND --help' tells more about a command.
    """
    if version:
        print(f"plywise {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


for group in GROUPS.values():
    for name, command in group.items():
        app.command(name, cls=Command)(command)
