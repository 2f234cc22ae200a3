"""Compile ahead of time.  Machine code is cached on disk, so later runs start at once.

``warm_all`` does it on all processors.  A process stays with one game as long as it can, because what it has compiled
for one algorithm it can use for the next; at last it helps with the game that has most left to do.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from plywise.algorithms import REQUIRED, TEXTBOOK, Algorithm, algorithm_named, engine, mcts, perft, plays_by_playouts
from plywise.compiling.progress import Compiling, compile_notice
from plywise.compiling.reading import compile_only, specialised, wants_compiled
from plywise.engine.any_code import NUMBERS, made_by, rules_of
from plywise.engine.engine import Engine
from plywise.errors import CompileWarning, PlywiseError, SearchError
from plywise.game import Game, State
from plywise.inputs.choose import choose_game
from plywise.io.processes import start
from plywise.layers import Recurrence, must_deepen
from plywise.search import search

PERFT = "perft"
"""A task for every game, beside those named after algorithms."""

TRIES = 20
"""How many random openings to try in search of a position that can recur."""


@dataclasses.dataclass(frozen=True)
class WarmingTask:
    """One function to compile for one game."""

    name: str
    run: Callable[[], object]


def warm(game: Game, algorithms: Sequence[str] | None = None) -> None:
    """Compile algorithms (default: the engine, what else plays the game, and the textbook) and perft for a game, unless
    they are cached.
    """
    for task in warming_tasks(game, algorithms):
        task.run()


def warming_tasks(game: Game, algorithms: Sequence[str] | None = None) -> list[WarmingTask]:
    """Return the steps of ``warm``, for callers that show progress.

    >>> import plywise as pw
    >>> [task.name for task in warming_tasks(pw.games.RedBlue(), ["alphabeta"])]
    ['alphabeta', 'perft']
    """
    named = [algorithm_named(name) for name in algorithms or ()]
    playing = [engine, mcts] if plays_by_playouts(game) else [engine]
    usual = [each for each in (*playing, *TEXTBOOK.values()) if each.suits(game)]
    tasks = [
        WarmingTask(each.name, partial(_engine, game) if each is engine else _once(game, each))
        for each in dict.fromkeys(named or usual)
    ]
    return [*tasks, WarmingTask(PERFT, lambda: perft(game, None, 1))]


def _engine(game: Game) -> None:
    with made_by(specialised):
        for exact in (False, True):
            search_once(game, exact)
        if wants_compiled(game) and not must_deepen(game):
            state, solver = _some_states(game)[-1], Engine(game, table_mb=1)
            rules_of(game).compile(NUMBERS)
            compile_only(partial(solver.solve, state))
            compile_only(partial(solver.solve_many, [state]))


def search_once(game: Game, exact: bool) -> None:
    """Search once with the engine, with earlier positions, so that the code for repetitions is compiled too."""
    *history, state = _some_states(game)
    Engine(game, table_mb=1).search(state, history=history, depth=1, exact=exact)


def _once(game: Game, algorithm: Algorithm) -> Callable[[], object]:
    """Return a function that compiles each variant: with a depth limit, and to the end of the game."""
    options: dict[str, Any] = {option: 0 for option, default in algorithm.options.items() if default is REQUIRED}

    def run() -> None:
        depth, nodes = (1, None) if algorithm.has_depth else (None, 1)
        compile_only(partial(search, game, algorithm=algorithm, depth=depth, nodes=nodes, **options))
        if algorithm.uses_table and not algorithm.needs_limit:
            compile_only(partial(search, game, algorithm=algorithm, **options))

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


# ---------------------------------------------------------------------------------------------------------------------
# On all processors
# ---------------------------------------------------------------------------------------------------------------------

Step = tuple[str, str]
"""A game, by its text, and the name of one of its tasks."""


class Schedule:
    """What is left to do.

    >>> schedule = Schedule({"chess": ["engine", "memo"], "nim": ["engine"]})
    >>> [schedule.next(None), schedule.next(None), schedule.next("nim"), schedule.next("chess")]
    [('chess', 'engine'), ('nim', 'engine'), ('chess', 'memo'), None]
    """

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self._left = {text: list(tasks) for text, tasks in names.items()}
        self._begun: set[str] = set()

    def next(self, last: str | None) -> Step | None:
        """Return the next step for a process: of its last game, of a game that nobody has begun, or of the one with
        most left to do; None if everything is done or under way.
        """
        left = [text for text, tasks in self._left.items() if tasks]
        if not left:
            return None
        fresh = [text for text in left if text not in self._begun]
        text = last if last in left else fresh[0] if fresh else max(left, key=lambda each: len(self._left[each]))
        assert text is not None
        self._begun.add(text)
        return text, self._left[text].pop(0)


Tell = Callable[[str, float], None]
"""Called with what is being compiled, and how many tasks are done, with fractions."""


def warm_all(
    names: Mapping[str, Sequence[str]], on_progress: Tell = lambda text, done: None, processes: int | None = None
) -> None:
    """Compile for several games, in processes of their own.

    Args:
        names: for each game, by its text on the command line, the names of ``warming_tasks``.
        on_progress: called several times a second.
        processes: how many; default: one per processor.

    Raises:
        PlywiseError: a game cannot be searched.  What is finished stays in the cache, also after Ctrl-C.
    """
    schedule, total = Schedule(names), sum(map(len, names.values()))
    count = min(total, processes or os.cpu_count() or 1)
    crew: dict[Connection, tuple[Any, Step | None]] = {}
    shares: dict[Connection, float] = {}
    done = 0

    def go_on(connection: Connection) -> None:
        process, last = crew[connection]
        step = schedule.next(last[0] if last else None)
        crew[connection], shares[connection] = (process, step), 0.0
        if step is not None:
            connection.send(step)

    try:
        for _ in range(count):
            process, connection = start(_warm_here)
            crew[connection] = (process, None)
            go_on(connection)
        while done < total:
            told = wait(list(crew))
            for connection in [each for each in crew if each in told]:
                news = _received(connection)
                if isinstance(news, Compiling):
                    shares[connection] = max(news.done, shares[connection])
                elif isinstance(news, list):
                    for text in news:
                        warnings.warn(text, CompileWarning, stacklevel=2)
                    done += 1
                    go_on(connection)
                busy = [f"{each[0]}: {each[1]}" for _, each in crew.values() if each is not None]
                on_progress(", ".join(busy), done + sum(shares.values()))
    finally:
        for process, _ in crew.values():
            process.kill()
        for connection, (process, _) in crew.items():
            process.join()
            connection.close()


def _received(connection: Connection) -> Compiling | list[str] | None:
    """Return the next message of a process.

    Raises:
        PlywiseError: the process says so, or it has died.
    """
    try:
        news = connection.recv()
    except (EOFError, OSError):
        raise SearchError("a process that compiles has ended; there may not be enough memory") from None
    if isinstance(news, Exception):
        raise news
    return news  # type: ignore[no-any-return]


def _warm_here(connection: Connection) -> None:
    """In a process of its own: run one task after the other, and tell how far each is."""
    compile_notice.set(connection.send)
    with contextlib.suppress(EOFError, OSError):  # the parent has ended
        while True:
            text, name = connection.recv()
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", CompileWarning)
                    tasks = warming_tasks(choose_game(text), None if name == PERFT else [name])
                    next(task for task in tasks if task.name == name).run()
            except PlywiseError as error:
                connection.send(SearchError(f"{text}: {error}"))
            else:
                connection.send([str(each.message) for each in caught if each.category is CompileWarning])
