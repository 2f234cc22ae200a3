"""What an algorithm is to everyone who asks for one by name: how to run it, and what it is like.

Code that lists, compares, draws or explains algorithms asks for these properties, never for a name.
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

ValueView = Literal["max", "mover", "scores", "answer"]

Cuts = Literal["never", "best score", "good enough", "one answer", "shares", "window"]

REQUIRED = object()
"""Default of an option that must be given."""

COMMON = ("game", "state", "depth", "seconds", "nodes", "all_moves", "on_info", "enough")
"""Arguments of every search, which are no options of an algorithm."""


@dataclasses.dataclass(frozen=True, eq=False)
class Algorithm:
    """An algorithm by name, with all that a caller must know of it.

    It is a ``Textbook`` algorithm or one from ``Elsewhere``.  Two are equal only if they are the same.
    """

    name: str
    view: ValueView = "max"
    """What a search returns: Max's value, the mover's, everybody's scores, or the answer yes or no."""
    cuts: Cuts = "window"
    """When it leaves out the other moves of a position: never; when the best score that is possible, one that is good
    enough, or one answer is reached; when a player's share leaves too little for the player before; or when the window
    (alpha, beta) is empty."""
    needs_limit: bool = False
    """Whether ``search`` needs a depth, seconds or nodes; without a limit, the others search to the end of the game."""
    has_depth: bool = True
    """Whether it can look a given number of plies ahead."""
    keeps_clock: bool = False
    """Whether it keeps its limits by itself.  The others search one depth, and ``search`` deepens them."""
    whole_moves: bool = False
    """Whether moves must be integers, as they are in all but adapted games."""
    minds_path: bool = False
    """Whether repetitions and the plies to a win count, where the game says so.  The others look at positions alone."""

    @property
    def options(self) -> Mapping[str, Any]:
        """What may be set besides the limits, with defaults."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """What it is, in a line."""
        raise NotImplementedError

    @property
    def finds_value(self) -> bool:
        """Whether it finds a number: the value for Max."""
        return self.view in ("max", "mover")

    @property
    def many_players(self) -> bool:
        """Whether it is for any number of players; the others are for two whose scores sum to zero."""
        return self.view == "scores"

    @property
    def only_answers(self) -> bool:
        """Whether all it finds is the answer to a question."""
        return self.view == "answer"

    @property
    def asks(self) -> bool:
        """Whether it asks positions questions with the answers yes and no, all the time or to test a move."""
        return self.cuts == "one answer"

    @property
    def has_window(self) -> bool:
        """Whether a position is searched with a window (alpha, beta)."""
        return self.cuts in ("window", "good enough")

    @property
    def uses_table(self) -> bool:
        """Whether it remembers positions."""
        return "table_mb" in self.options

    @property
    def needs_options(self) -> bool:
        """Whether there is an option that must be given."""
        return REQUIRED in self.options.values()

    def worth(self, game: Game, state: State) -> Any:
        """Return what this algorithm sees at a leaf: the score of a finished game, or an estimate; or everybody's."""
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
    """A page of ``plywise.algorithms``: a plain function that tells a watcher what it does, so it can be recorded."""

    function: Callable[..., Any] = dataclasses.field(kw_only=True)
    defaults: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Its options, with defaults.  Scores among them are Max's."""

    @property
    def options(self) -> Mapping[str, Any]:
        """See ``defaults``."""
        return self.defaults

    @property
    def summary(self) -> str:
        """The beginning of its file."""
        return _first_line(sys.modules[self.function.__module__])

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters between the depth and the watcher."""
        code = self.function.__code__
        return code.co_varnames[3 : code.co_argcount - 1]  # after game, state and depth; before watch


@dataclasses.dataclass(frozen=True, eq=False)
class Elsewhere(Algorithm):
    """A search that needs the engine.  Its code is imported when first asked for.

    If it ``keeps_clock``, its function takes the game, the position, limits and options, and returns a result.
    Otherwise it takes the game, the position and options, and returns a ``deepening.SearchTo``.
    """

    home: str = dataclasses.field(kw_only=True)
    """The module and the name of the function."""
    more_options: str = ""
    """The module and the name of a mapping: what the function takes as ``**options``."""

    @cached_property
    def function(self) -> Callable[..., Any]:
        """What searches."""
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
        """The beginning of the function's docstring."""
        return _first_line(self.function)


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].rstrip(".")


def _found(address: str) -> Any:
    module, _, name = address.rpartition(".")
    return getattr(importlib.import_module(module), name)
