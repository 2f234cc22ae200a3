"""The commands by name, in the groups of ``plywise --help``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
import typer.core

from plywise import __version__
from plywise.cli.algorithms import algorithms
from plywise.cli.analyse import analyse
from plywise.cli.check import check
from plywise.cli.cluster import cluster
from plywise.cli.command import Command
from plywise.cli.compare import compare
from plywise.cli.games import games
from plywise.cli.gtp import gtp
from plywise.cli.match import match
from plywise.cli.new import new
from plywise.cli.perft import perft
from plywise.cli.play import play
from plywise.cli.quiz import quiz
from plywise.cli.search import search
from plywise.cli.serve import serve
from plywise.cli.solve import solve
from plywise.cli.tabulate import tabulate
from plywise.cli.tour import tour
from plywise.cli.train import train
from plywise.cli.tree import tree
from plywise.cli.tune import tune
from plywise.cli.tune_jamboree import tune_jamboree
from plywise.cli.uci import uci
from plywise.cli.verify import verify
from plywise.cli.warm import warm

COMMAND_GROUPS: dict[str, dict[str, Callable[..., None]]] = {
    "Play and analyse": {
        "search": search,
        "solve": solve,
        "analyse": analyse,
        "tabulate": tabulate,
        "cluster": cluster,
        "verify": verify,
        "serve": serve,
        "play": play,
        "match": match,
        "uci": uci,
        "gtp": gtp,
        "games": games,
        "algorithms": algorithms,
    },
    "Understand": {
        "tour": tour,
        "tree": tree,
        "quiz": quiz,
        "compare": compare,
        "perft": perft,
    },
    "Write a game": {
        "new": new,
        "check": check,
        "warm": warm,
        "train": train,
        "tune": tune,
        "tune-jamboree": tune_jamboree,
    },
}


class Commands(typer.core.TyperGroup):
    """Lists commands in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, commands in COMMAND_GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(65)) for name in commands])


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,  # Rich's help is prettier but takes twice as long
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)


@app.callback(invoke_without_command=True)
def plywise(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Write the rules of a game once; get exact search, an engine, a web page and drawings.

    \b
    plywise tour                              start here
    plywise search connect-four --seconds 1   the best move within a second
    plywise solve tic-tac-toe --prove         the value, proved
    plywise tree red-blue --steps             alpha-beta, step by step
    plywise play tic-tac-toe                  you against the search

    'plywise COMMAND --help' explains a command.
    """
    if version:
        print(f"plywise {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


for group in COMMAND_GROUPS.values():
    for name, command in group.items():
        app.command(name, cls=Command)(command)
