"""Compile ahead of time.  Machine code is cached on disk, so later runs start at once."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from plywise.algorithms import REQUIRED, TEXTBOOK, Algorithm, algorithm_named, engine, perft
from plywise.compiling.reading import specialised
from plywise.engine.any_code import made_by
from plywise.engine.engine import Engine
from plywise.game import Game, State
from plywise.layers import Recurrence
from plywise.search import search
from plywise.study.survey import last_position

TRIES = 20
"""How many random openings to try in search of a position that can recur."""


@dataclasses.dataclass(frozen=True)
class WarmingTask:
    """One function to compile for one game."""

    name: str
    run: Callable[[], object]


def warm(game: Game, algorithms: Sequence[str] | None = None) -> None:
    """Compile algorithms (default: the engine and the textbook) and perft for a game, unless they are cached."""
    for task in warming_tasks(game, algorithms):
        task.run()


def warming_tasks(game: Game, algorithms: Sequence[str] | None = None) -> list[WarmingTask]:
    """Return the steps of ``warm``, for callers that show progress.

    >>> import plywise as pw
    >>> [task.name for task in warming_tasks(pw.games.RedBlue(), ["alphabeta"])]
    ['alphabeta', 'perft']
    """
    named = [algorithm_named(name) for name in algorithms or ()]
    usual = [each for each in (engine, *TEXTBOOK.values()) if each.many_players or game.is_zero_sum()]
    tasks = [
        WarmingTask(each.name, partial(_engine, game) if each is engine else _once(game, each))
        for each in dict.fromkeys(named or usual)
    ]
    return [*tasks, WarmingTask("perft", lambda: perft(game, None, 1))]


def _engine(game: Game) -> None:
    with made_by(specialised):
        for exact in (False, True):
            search_once(game, exact)


def search_once(game: Game, exact: bool) -> None:
    """Search once with the engine, with earlier positions, so that the code for repetitions is compiled too."""
    *history, state = _some_states(game)
    Engine(game, table_mb=1).search(state, history=history, depth=1, exact=exact)


def _once(game: Game, algorithm: Algorithm) -> Callable[[], object]:
    """Return a function that runs each compiled variant once: with a depth limit, and to the end of the game."""
    options: dict[str, Any] = {option: 0 for option, default in algorithm.options.items() if default is REQUIRED}

    def run() -> None:
        depth, nodes = (1, None) if algorithm.has_depth else (None, 1)
        search(game, algorithm=algorithm, depth=depth, nodes=nodes, **options)
        if algorithm.uses_table and not algorithm.needs_limit:
            search(game, last_position(game), algorithm=algorithm, **options)

    return run


def _some_states(game: Game) -> list[State]:
    """Return the first positions of a game, ending, if possible, with one that can recur."""
    chance = random.Random(0)
    for _ in range(TRIES):
        states = [game.initial()]
        while len(states) < 3 and not game.is_terminal(states[-1]):
            states.append(game.play(states[-1], chance.choice(list(game.moves(states[-1])))))
        if len(states) > 1 and game.is_terminal(states[-1]):
            states.pop()
        if game.reversible(states[-1]) or not isinstance(game, Recurrence):
            break
    return states
