"""The description of an algorithm: how to run it, and its properties.

Code that lists, compares, draws or explains algorithms tests these properties, never a name.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal

from plywise.game import Game, State
from plywise.layers import Chance

ValueView = Literal["max", "mover", "scores", "answer"]

Cuts = Literal["never", "best score", "good enough", "one answer", "shares", "window"]

REQUIRED = object()
"""The default of an option that must be given."""

COMMON = ("game", "state", "depth", "seconds", "nodes", "all_moves", "on_info", "enough")
"""Arguments of every search; they are not options of an algorithm."""


@dataclasses.dataclass(frozen=True, eq=False)
class Algorithm:
    """An algorithm with its name and properties: either ``Textbook`` or ``Elsewhere``.  Compared by identity."""

    name: str
    view: ValueView = "max"
    """What a search returns: the value for Max, the value for the player to move, the scores of all players, or yes or
    no."""
    cuts: Cuts = "window"
    """When it skips the remaining moves of a position: never; at the best possible score; at a score that is good
    enough; at the first answer; when the score of the player to move leaves too little for the previous player; or when
    the window (alpha, beta) is empty."""
    needs_limit: bool = False
    """Whether ``search`` needs a depth, seconds or nodes.  Others search to the end of the game without a limit."""
    has_depth: bool = True
    """Whether it can search to a given depth."""
    keeps_clock: bool = False
    """Whether it handles limits itself.  Others search one depth, and ``search`` does the iterative deepening."""
    whole_moves: bool = False
    """Whether moves must be integers, as they are in all but adapted games."""
    minds_path: bool = False
    """Whether it handles repetitions and win distances, where the game has them.  Others ignore the path."""
    coalition: bool = False
    """Whether it takes all other players for opponents of the player to move, which need not be the best play."""
    takes_chance: bool = False
    """Whether it handles positions in which chance moves.  Others refuse games with the layer ``Chance``."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it by its name, so that it stays identical."""
        from plywise.algorithms import algorithm_named

        return algorithm_named, (self.name,)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options besides the limits, with defaults."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """The algorithm in one line."""
        raise NotImplementedError

    @property
    def finds_value(self) -> bool:
        """Whether it finds a value for Max, as a number."""
        return self.view in ("max", "mover")

    @property
    def many_players(self) -> bool:
        """Whether it is for any number of players; the others are for two whose scores sum to zero."""
        return self.view == "scores"

    @property
    def only_answers(self) -> bool:
        """Whether it only answers yes or no."""
        return self.view == "answer"

    @property
    def asks(self) -> bool:
        """Whether it uses boolean searches, throughout or to test a move."""
        return self.cuts == "one answer"

    @property
    def has_window(self) -> bool:
        """Whether it searches positions with a window (alpha, beta)."""
        return self.cuts in ("window", "good enough")

    @property
    def uses_table(self) -> bool:
        """Whether it has a table of positions."""
        return "table_mb" in self.options

    @property
    def needs_options(self) -> bool:
        """Whether some option must be given."""
        return REQUIRED in self.options.values()

    def suits(self, game: Game) -> bool:
        """Return whether it is for such a game: for its number of players, and for chance if the game has any."""
        return (self.many_players or game.is_zero_sum()) and (self.takes_chance or not isinstance(game, Chance))

    def worth(self, game: Game, state: State) -> Any:
        """Return the value of a leaf: the score of a finished game or an estimate; in max^n, of all players."""
        over = game.is_terminal(state)
        if self.many_players:
            return tuple(game.scores(state) if over else game.estimates(state))
        return game.score(state) if over else game.evaluate(state)

    def __call__(self, game: Game, state: State | str | None = None, depth: int | None = None, **options: Any) -> Any:
        """Search ``state`` (default: the initial position) to ``depth`` (default: the end).  Returns a ``Result``."""
        from plywise.search import search

        return search(game, state, depth=depth, algorithm=self, **options)


@dataclasses.dataclass(frozen=True, eq=False)
class Textbook(Algorithm):
    """An algorithm in ``plywise.algorithms``: a plain function that reports to a watcher, so it can be recorded."""

    function: Callable[..., Any] = dataclasses.field(kw_only=True)
    defaults: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """The options, with defaults.  Scores among them are for Max."""

    @property
    def options(self) -> Mapping[str, Any]:
        """See ``defaults``."""
        return self.defaults

    @property
    def summary(self) -> str:
        """The first line of its file."""
        return _first_line(sys.modules[self.function.__module__])

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters between the depth and the watcher."""
        code = self.function.__code__
        return code.co_varnames[3 : code.co_argcount - 1]  # after game, state and depth; before watch


@dataclasses.dataclass(frozen=True, eq=False)
class Elsewhere(Algorithm):
    """A search that lives in the engine.  Its code is imported on first use.

    The function takes the game, the position and options.  With ``keeps_clock``, it also takes limits and returns a
    ``Result``.  Without, it returns a ``deepening.SearchTo`` for one depth at a time.
    """

    home: str = dataclasses.field(kw_only=True)
    """The module and the name of the function."""
    more_options: str = ""
    """The module and the name of a mapping: what the function takes as ``**options``."""

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function that searches."""
        function: Callable[..., Any] = _found(self.home)
        return function

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """The function's keywords."""
        keywords = [
            each for each in inspect.signature(self.function).parameters.values() if each.kind is each.KEYWORD_ONLY
        ]
        own = {each.name: each.default for each in keywords if each.name not in COMMON}
        return {**own, **(_found(self.more_options) if self.more_options else {})}

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return _first_line(self.function)


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].rstrip(".")


def _found(address: str) -> Any:
    module, _, name = address.rpartition(".")
    return getattr(importlib.import_module(module), name)
