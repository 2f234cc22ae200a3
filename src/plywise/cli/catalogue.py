"""``plywise games`` and ``plywise algorithms``: what there is to choose from."""

from __future__ import annotations

import inspect
from typing import Any

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table

ABOUT: dict[str, tuple[str, int | None, str]] = {
    "chess": ("Mate the other king; Chess960 too.", None, "35^80"),
    "connect-four": ("Drop stones into columns; four in a row win.", 4_531_985_219_092, "4^36"),
    "dog-cat-mouse": ("A small tree of three players, for max^n.", 15, "2^3"),
    "mnk": ("k in a row on a board of m columns and n rows.", 5_478, "9!"),
    "nim": ("Take from one heap; whoever takes the last thing wins.", 232, "12!"),
    "red-blue": ("Min, Max and Min choose blue or red: a small tree.", 15, "2^3"),
    "tic-tac-toe": ("Three in a row on the board of 3 by 3.", 5_478, "9!"),
}
"""What a game is about; with its usual parameters, how many positions can arise, and the size of its tree as b^d."""


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

    \b
    plywise algorithms
    plywise search connect-four --algorithm pvs --depth 8
    """
    from plywise.algorithms import ALGORITHMS, REQUIRED

    def default(value: Any) -> Any:
        return None if value is REQUIRED else value

    if as_json:
        print_json(
            [
                {"name": a.name, "summary": a.summary, "options": {name: default(v) for name, v in a.options.items()}}
                for a in ALGORITHMS.values()
            ]
        )
        return
    shown = table("algorithm", "options", "")
    for algorithm in ALGORITHMS.values():
        shown.add_row(algorithm.name, ", ".join(algorithm.options), algorithm.summary)
    print_table(shown)


def _classes() -> dict[str, Any]:
    from plywise.games import catalogue

    return dict(catalogue())


def _entry(name: str, game_class: Any) -> dict[str, Any]:
    from plywise.cli.choose import parameters_text

    first_sentence = (inspect.getdoc(game_class) or "").partition("\n")[0]
    description, positions, tree = ABOUT.get(name, (first_sentence, None, None))
    return {
        "name": name,
        "class": game_class.__name__,
        "parameters": parameters_text(game_class),
        "description": description,
        "positions": positions,
        "tree": tree,
    }
