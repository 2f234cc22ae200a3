"""``plywise games``: list the games with their parameters and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table

if TYPE_CHECKING:
    from rich.table import Table

RANDOM_GAMES = 3
"""How many random games to play of each game: enough for a first idea, in a second for all."""


def games(
    random: Annotated[
        int, typer.Option("--random", metavar="N", min=0, help="Random games to play of each game.")
    ] = RANDOM_GAMES,
    as_json: JsonOption = False,
) -> None:
    """List the games with their rules, parameters and sizes.

    "positions" counts the reachable positions with the default parameters, and "estimate" is what a course on search
    estimates for them.  "b^d" is the size of the game tree: b moves per position on average, d moves per game; n! is an
    upper bound for games in which each move leaves one move less.  "at random" is b^d as measured in a few random
    games, which are often longer than those of good players.

    \b
    plywise games
    plywise games --random 100
    plywise games --json
    """
    entries = [_entry(name, game_class, random) for name, game_class in _classes().items()]
    if as_json:
        print_json(entries)
        return
    print_table(_rules(entries))
    print()
    print_table(_sizes(entries))


def _rules(entries: list[dict[str, Any]]) -> Table:
    """Return the games with their descriptions, and below them their parameters, which would not fit beside them."""
    shown = table("game", "rules and parameters")
    for entry in entries:
        shown.add_row(entry["name"], "\n".join(filter(None, (entry["description"], entry["parameters"]))))
    return shown


def _sizes(entries: list[dict[str, Any]]) -> Table:
    shown = table("game", "positions", "estimate", "b^d", "at random", right=("positions",))
    for entry in entries:
        positions = "" if entry["positions"] is None else f"{entry['positions']:,}"
        measured = _measured_text(entry["random_games"])
        shown.add_row(entry["name"], positions, entry["estimate"] or "", entry["tree"] or "", measured)
    return shown


def _classes() -> dict[str, Any]:
    from plywise.games import catalogue

    return dict(catalogue())


def _entry(name: str, game_class: Any, random: int) -> dict[str, Any]:
    import dataclasses

    from plywise.inputs.choose import parameters_text
    from plywise.study.survey import random_games

    positions, tree = game_class.known_size
    return {
        "name": name,
        "title": game_class.title,
        "class": game_class.__name__,
        "parameters": parameters_text(game_class),
        "description": game_class.description,
        "positions": positions,
        "estimate": game_class.estimated_size or None,
        "tree": tree or None,
        "random_games": dataclasses.asdict(random_games(game_class(), random)) if random else None,
    }


def _measured_text(measured: dict[str, Any] | None) -> str:
    from plywise.study.survey import RandomGames

    return "" if measured is None else str(RandomGames(**measured))
