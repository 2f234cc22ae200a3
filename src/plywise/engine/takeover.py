"""Code for one game alone, made in the background for who goes on searching.

A search begins with code for any game.  When its engine has searched for a while, another process starts to compile
the engine for this game alone, and the search changes over when that is done.  Both visit the same positions.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from plywise.compiling.background import Task, compile_later
from plywise.compiling.bridge import entry, kinds_of
from plywise.compiling.diagnose import bare_state
from plywise.compiling.reading import NotReady, specialised
from plywise.engine.any_code import AnyGameCode, made_by
from plywise.engine.network import NONE
from plywise.game import Game, State
from plywise.inputs.choose import loading

if TYPE_CHECKING:
    from plywise.engine.engine import Engine
    from plywise.engine.work import Work

PROCESSORS = os.cpu_count() or 1

PATIENCE = 2.0
"""Seconds that an engine searches with code for any game before better code is made."""


class TakeOver:
    """The way from code for any game to code for one game alone, for ``function(game, state, *arguments)``.

    Args:
        engine: whose search it is.
        game: the game that it searches.
        compiled: the code that it begins with; if it is not code for any game, nothing happens.
        exact: whether the search is exact; None for a solution.
    """

    def __init__(
        self, engine: Engine, game: Game, function: Any, state: State, arguments: tuple[Any, ...], compiled: Any,
        exact: bool | None,
    ) -> None:  # fmt: skip
        self.is_wanted = isinstance(compiled, AnyGameCode) and PROCESSORS > 1
        self._missing: Callable[[], NotReady] = lambda: NotReady(
            entry(function), kinds_of(game, bare_state(game, state), arguments)
        )
        self._search = partial(_specialise, game, engine.options, state, exact)
        self._engine, self._game = engine, game
        self._task: Task | None = None

    def begin(self) -> Task:
        """Begin to compile, unless that was begun before."""
        if self._task is None:
            self._task = compile_later(self._search, self._missing(), loading(self._game), only_elsewhere=True)
        return self._task

    @property
    def is_ready(self) -> bool:
        """Whether the better code is there, and not in use yet.  If it cannot be made, the engine gives up."""
        if self._task is None or not self._task.ended.is_set():
            return False
        if not self._task.missing.is_there:
            self._engine.patience = math.inf
            self._task, self.is_wanted = None, False
            return False
        return True

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Use the better code in this context, and make no other."""
        with made_by(specialised):
            yield
        self._task, self.is_wanted = None, False

    @contextlib.contextmanager
    def stopping(self, work: Work) -> Iterator[None]:
        """Stop the search in this context when the better code is there."""
        over, lock, task = threading.Event(), threading.Lock(), self.begin()

        def watch() -> None:
            task.ended.wait()
            with lock:
                if self.is_ready and not over.is_set():
                    work.stop()

        threading.Thread(target=watch, daemon=True, name="plywise takeover").start()
        try:
            yield
        finally:
            with lock:
                over.set()


def _specialise(game: Game, options: dict[str, Any], state: State, exact: bool | None) -> None:
    """Search or solve with code for this game alone."""
    from plywise.engine.engine import Engine

    engine = Engine(game, table_mb=1, network=NONE, **options)  # a game with a network keeps it
    with made_by(specialised):
        if exact is None:
            engine.solve(state)
        else:
            engine.search(state, nodes=1, exact=exact)
