"""Compile ahead: machine code is kept on disk, so that whoever comes next need not wait for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from plywise.algorithms import ALGORITHMS, REQUIRED, algorithm_named, perft
from plywise.engine.engine import Engine
from plywise.game import Game
from plywise.search import search
from plywise.survey import last_position, suitable_algorithms


@dataclasses.dataclass(frozen=True)
class Task:
    """One function to compile for one game."""

    name: str
    run: Callable[[], object]


def warm(game: Game, algorithms: Sequence[str] | None = None) -> None:
    """Compile the engine and algorithms (default: all that suit it) and perft for a game, or find that done."""
    for task in warming_tasks(game, algorithms):
        task.run()


def warming_tasks(game: Game, algorithms: Sequence[str] | None = None) -> list[Task]:
    """Return what ``warm`` does, piece by piece, for whoever wants to show progress.

    >>> import plywise as pw
    >>> [task.name for task in warming_tasks(pw.games.RedBlue(), ["alphabeta"])]
    ['alphabeta', 'perft']
    """
    names = algorithms or [*(["engine"] if game.is_zero_sum() else []), *suitable_algorithms(game), "boolean"]
    known = dict.fromkeys(name if name == "engine" else algorithm_named(name).name for name in names)
    tasks = [Task(name, _engine(game) if name == "engine" else _once(game, name)) for name in known]
    return [*tasks, Task("perft", lambda: perft(game, None, 1))]


def _engine(game: Game) -> Callable[[], object]:
    """Return a function that plays, and searches exactly, with the engine once."""

    def run() -> None:
        engine = Engine(game, table_mb=1)
        for exact in (False, True):
            engine.search(depth=1, exact=exact)

    return run


def _once(game: Game, name: str) -> Callable[[], object]:
    """Return a function that searches with each kind of machine code once: limited in depth, and to the end."""
    algorithm = ALGORITHMS[name]
    options: dict[str, Any] = {option: 0 for option, default in algorithm.options.items() if default is REQUIRED}

    def run() -> None:
        search(game, algorithm=name, depth=1, **options)
        if algorithm.uses_table:
            search(game, last_position(game), algorithm=name, **options)

    return run
