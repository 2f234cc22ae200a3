"""Compile ahead: machine code is kept on disk, so that whoever comes next need not wait for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from plywise.algorithms import ALGORITHMS, REQUIRED, algorithm_named, perft
from plywise.game import Game
from plywise.search import search
from plywise.survey import last_position, suitable_algorithms


@dataclasses.dataclass(frozen=True)
class Task:
    """One function to compile for one game."""

    name: str
    run: Callable[[], object]


def warm(game: Game, algorithms: Sequence[str] | None = None) -> None:
    """Compile algorithms (default: all that suit it) and perft for a game, or find that done."""
    for task in warming_tasks(game, algorithms):
        task.run()


def warming_tasks(game: Game, algorithms: Sequence[str] | None = None) -> list[Task]:
    """Return what ``warm`` does, piece by piece, for whoever wants to show progress.

    >>> import plywise as pw
    >>> [task.name for task in warming_tasks(pw.games.RedBlue(), ["alphabeta"])]
    ['alphabeta', 'perft']
    """
    names = [algorithm_named(name).name for name in algorithms or [*suitable_algorithms(game), "boolean"]]
    tasks = [Task(name, _once(game, name)) for name in dict.fromkeys(names)]
    return [*tasks, Task("perft", lambda: perft(game, None, 1))]


def _once(game: Game, name: str) -> Callable[[], object]:
    """Return a function that searches with each kind of machine code once: limited in depth, and to the end."""
    algorithm = ALGORITHMS[name]
    options: dict[str, Any] = {option: 0 for option, default in algorithm.options.items() if default is REQUIRED}

    def run() -> None:
        search(game, algorithm=name, depth=1, **options)
        if algorithm.uses_table:
            search(game, last_position(game), algorithm=name, **options)

    return run
