"""``plywise games``: list the games with their parameters and sizes."""

from __future__ import annotations

from typing import Any

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table


def games(as_json: JsonOption = False) -> None:
    """List the games with titles, parameters and sizes.

    "positions" counts the reachable positions with the default parameters.  "b^d" is the size of the game tree: b moves
    per position on average, d moves per game.  n! is an upper bound for games in which each move leaves one move less.

    \b
    plywise games
    plywise games --json
    """
    entries = [_entry(name, game_class) for name, game_class in _classes().items()]
    if as_json:
        print_json(entries)
        return
    shown = table("game", "title", "parameters", "positions", "b^d", "", right=("positions",))
    for entry in entries:
        positions = entry["positions"]
        size = "" if positions is None else f"{positions:,}"
        shown.add_row(
            entry["name"], entry["title"], entry["parameters"], size, entry["tree"] or "", entry["description"]
        )
    print_table(shown)


def _classes() -> dict[str, Any]:
    from plywise.games import catalogue

    return dict(catalogue())


def _entry(name: str, game_class: Any) -> dict[str, Any]:
    from plywise.inputs.choose import parameters_text

    positions, tree = game_class.known_size
    return {
        "name": name,
        "title": game_class.title,
        "class": game_class.__name__,
        "parameters": parameters_text(game_class),
        "description": game_class.description,
        "positions": positions,
        "tree": tree or None,
    }
