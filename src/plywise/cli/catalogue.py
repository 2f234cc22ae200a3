"""``plywise games`` and ``plywise algorithms``: what there is to choose from."""

from __future__ import annotations

from typing import Any

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table


def games(as_json: JsonOption = False) -> None:
    """List the games, their parameters and their size.

    Positions are those that can arise, with the usual parameters.  b^d is the size of the tree of all ways to play: b
    moves in a position, on average, and d moves in a game; n! where every move leaves one less (an upper bound).

    \b
    plywise games
    plywise games --json
    """
    entries = [_entry(name, game_class) for name, game_class in _classes().items()]
    if as_json:
        print_json(entries)
        return
    shown = table("game", "parameters", "positions", "b^d", "", right=("positions",))
    for entry in entries:
        positions = entry["positions"]
        size = "" if positions is None else f"{positions:,}"
        shown.add_row(entry["name"], entry["parameters"], size, entry["tree"] or "", entry["description"])
    print_table(shown)


def algorithms(as_json: JsonOption = False) -> None:
    """List the algorithms, what they are, and their options.

    First the engine, which searches unless another is named, and other searches of its kind; then the textbook.

    \b
    plywise algorithms
    plywise search connect-four --algorithm pvs --depth 8
    plywise search connect-four --algorithm jamboree --threads 2 --depth 12
    """
    from plywise.algorithms import ALGORITHMS, REQUIRED

    entries: list[dict[str, Any]] = [
        {
            "name": each.name,
            "summary": each.summary,
            "options": {name: None if value is REQUIRED else value for name, value in each.options.items()},
        }
        for each in ALGORITHMS.values()
    ]
    if as_json:
        print_json(entries)
        return
    shown = table("algorithm", "options", "")
    for entry in entries:
        shown.add_row(entry["name"], ", ".join(entry["options"]), entry["summary"])
    print_table(shown)


def _classes() -> dict[str, Any]:
    from plywise.games import catalogue

    return dict(catalogue())


def _entry(name: str, game_class: Any) -> dict[str, Any]:
    from plywise.games.about import ABOUT, about
    from plywise.inputs.choose import parameters_text

    description, positions, tree = ABOUT.get(name, (about(name, game_class), None, None))
    return {
        "name": name,
        "class": game_class.__name__,
        "parameters": parameters_text(game_class),
        "description": description,
        "positions": positions,
        "tree": tree,
    }
