"""``plywise games`` and ``plywise algorithms``: what there is to choose from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from plywise.cli.options import JsonOption
from plywise.cli.screen import print_json, print_table, table


def games(as_json: JsonOption = False) -> None:
    """List the games: titles, parameters and size.

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
    shown = table("game", "title", "parameters", "positions", "b^d", "", right=("positions",))
    for entry in entries:
        positions = entry["positions"]
        size = "" if positions is None else f"{positions:,}"
        shown.add_row(
            entry["name"], entry["title"], entry["parameters"], size, entry["tree"] or "", entry["description"]
        )
    print_table(shown)


def algorithms(as_json: JsonOption = False) -> None:
    """List the algorithms, what they are, and their options.

    First the engine, which searches unless another is named, and Monte Carlo tree search; then the textbook.

    \b
    plywise algorithms
    plywise search connect-four --algorithm pvs --depth 8
    """
    entries = [*_engines(), *_textbook()]
    if as_json:
        print_json(entries)
        return
    shown = table("algorithm", "options", "")
    for entry in entries:
        shown.add_row(entry["name"], ", ".join(entry["options"]), entry["summary"])
    print_table(shown)


def _engines() -> Iterator[dict[str, Any]]:
    from plywise.engine.engine import Engine
    from plywise.engine.mcts import mcts_search
    from plywise.engine.plan import OPTIONS

    options = {**_keywords(Engine), **OPTIONS}
    yield {"name": "engine", "summary": "The default: PVS, deeper and deeper, or proofs to the end", "options": options}
    common = ("seconds", "nodes", "all_moves", "on_info", "enough")
    options = {name: default for name, default in _keywords(mcts_search).items() if name not in common}
    yield {"name": "mcts", "summary": "Monte Carlo tree search: random games, and what they prove", "options": options}


def _keywords(function: Callable[..., Any]) -> dict[str, Any]:
    """Return what may be given to a function by name only, with defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}


def _textbook() -> Iterator[dict[str, Any]]:
    from plywise.algorithms import ALGORITHMS, REQUIRED

    for algorithm in ALGORITHMS.values():
        options = {name: None if value is REQUIRED else value for name, value in algorithm.options.items()}
        yield {"name": algorithm.name, "summary": algorithm.summary, "options": options}


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
