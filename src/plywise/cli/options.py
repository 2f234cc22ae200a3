"""Arguments and options that several commands share, and the parser of ``--option name=value``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from plywise.errors import SearchError
from plywise.io.numbers import read_value

Function = TypeVar("Function", bound=Callable[..., Any])

GAME_FORMS = """\
GAME is one of

\b
  connect-four                       a name from 'plywise games'
  mnk:4,4,3                          with parameters
  connect-four:width=6,height=5      the same, by name
  mygame.py                          the game class in your file
  mygame.py:Class:3,5                one class of several, with parameters
  package.module:Class               a class that Python can import
  tree.json, lecture.test            a tree, as JSON or in Berkeley's format"""

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A name, a file, or package.module:Class; see above.")
]
PositionOption = Annotated[
    str | None,
    typer.Option("--position", "-p", metavar="TEXT", help="The position to start from, in the game's notation."),
]
DepthOption = Annotated[int | None, typer.Option("--depth", "-d", metavar="N", help="Look N plies ahead.")]
SecondsOption = Annotated[
    float | None, typer.Option("--seconds", "-s", metavar="S", help="Deepen ply by ply for S seconds.")
]
AlgorithmOption = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        "-a",
        metavar="NAME",
        help="A name from 'plywise algorithms'. Default: the engine.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads", "-t", metavar="N", help="Search with N threads. Default: one, or two if the algorithm is parallel."
    ),
]
TableOption = Annotated[
    float | None, typer.Option("--table-mb", metavar="MB", help="Megabytes for the transposition table. Default: 64.")
]
TableFileOption = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="Answer from a table of all positions ('plywise tabulate')."),
]
EndingsOption = Annotated[
    Path | None,
    typer.Option("--endings", metavar="FILE", help="Let the engine stop at positions that this table holds."),
]
NetworkOption = Annotated[
    str | None,
    typer.Option(
        "--network", metavar="FILE", help="Evaluate with this network (see 'plywise train'); none: with no network."
    ),
]
AllMovesOption = Annotated[bool, typer.Option("--all-moves", help="Also find the value of every move.")]
CompileOption = Annotated[
    str | None,
    typer.Option(
        "--compile", metavar="WHEN",
        help="first: before the search; later: search in plain Python at once, and compile meanwhile. Default: first.",
    ),
]  # fmt: skip
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
ExtraOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE",
        help="An option of the algorithm or the engine, such as alpha=0 or reductions=false; repeatable.",
    ),
]  # fmt: skip


TEXTS = ("margins", "policy")
"""The options of the engine whose value is a text."""


def read_extras(extras: list[str] | None) -> dict[str, Any]:
    """Return the values of ``--option`` by name.

    Raises:
        SearchError: one is not NAME=VALUE, or its value is neither a number nor true or false, nor a file of margins.

    >>> read_extras(["alpha=-inf", "strict=true", "guess=3"])
    {'alpha': -inf, 'strict': True, 'guess': 3}
    """
    from plywise.search import ARGUMENTS

    found = {}
    for extra in extras or []:
        name, equals, text = extra.partition("=")
        if not equals or not name.strip():
            raise SearchError(f"--option {extra!r} is not NAME=VALUE, such as alpha=0 or strict=true")
        value, name = read_value(text), name.strip().replace("-", "_")
        if isinstance(value, str) and name not in TEXTS:
            raise SearchError(f"--option {extra!r}: {text!r} is neither a number nor true or false")
        if name in ARGUMENTS:
            raise SearchError(f"--option {extra!r}: {name} is not an option of an algorithm, nor of the engine")
        found[name] = value
    return found


TABLE_ANSWERS = "with --table nothing is searched"
WORKERS_SEARCH = "with --cluster each worker's engine searches"
ITS_OWN_WORKERS = "with --cluster its own workers do the work"


def refuse(why: str, **options: Any) -> None:
    """Refuse options that have no meaning here.

    Raises:
        SearchError: one is given.

    >>> refuse(TABLE_ANSWERS, depth=None, table_mb=64)
    Traceback (most recent call last):
    ...
    plywise.errors.SearchError: with --table nothing is searched, so leave out --table-mb
    """
    if found := given(**options):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in found)
        raise SearchError(f"{why}, so leave out {names}")


def given(**options: Any) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def explains_games(function: Function) -> Function:
    """Append the ways to name a game to a command's help."""
    function.__doc__ = f"{inspect.getdoc(function)}\n\n{GAME_FORMS}"
    return function
