"""The games that the page offers: those of the catalogue, and those named on the command line.

A request names one of these games.  It cannot name a file or a module, so a request never imports anything.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from plywise.errors import GameError, PlywiseError
from plywise.game import Game
from plywise.inputs.choose import Made, choose_class, parameters_text, read_parameters
from plywise.inputs.own_code import kind_and_message
from plywise.layers import Chance
from plywise.layers.view import class_title

LONGEST_PARAMETERS = 80
"""The most characters in the parameters of a game."""

LARGEST_PARAMETER = 99
"""Larger boards do not fit on the page, and every size is compiled separately."""

MOST_MOVES_SHOWN = 400
"""The most moves in a position that the page can show."""


class Games:
    """Games by name.

    Args:
        own: the user's own games, named as on the command line: ``mygame.py:Class``.

    Raises:
        GameError: one of them cannot be loaded.

    >>> games = Games()
    >>> games.make("mnk", "4,4,3")
    MNK(m=4, n=4, k=3)
    """

    def __init__(self, own: Iterable[str] = ()) -> None:
        from plywise.games import catalogue

        self.own = tuple(own)
        self._found: dict[str, tuple[Made, str]] = {name: (made, "") for name, made in catalogue().items()}  # type: ignore[misc]
        for made, parameters in map(_latest, [choose_class(text) for text in self.own]):
            name = (made if isinstance(made, type) else type(made)).__name__
            self._found[self._free_name(name)] = (made, parameters)
        self._make = lru_cache(maxsize=64)(self._made)

    def __iter__(self) -> Any:
        return iter(self._found)

    @property
    def first(self) -> str | None:
        """The first game from the command line, which the page opens with; None if there is none."""
        return list(self._found)[-len(self.own)] if self.own else None

    def is_own(self, name: str) -> bool:
        """Return whether a game came from the command line."""
        return name in list(self._found)[len(self._found) - len(self.own) :]

    def has_dice(self, name: str) -> bool:
        """Return whether chance moves in a game."""
        return issubclass(self.class_of(name), Chance)

    def class_of(self, name: str) -> type[Game]:
        """Return the class of a game.

        Raises:
            GameError: there is no game with this name.
        """
        made = self._get(name)[0]
        return made if isinstance(made, type) else type(made)

    def title(self, name: str) -> str:
        """Return a game's title.

        >>> Games().title("connect-four")
        'Connect Four'
        """
        try:
            title = str(self.make(name).title)
        except GameError:  # it needs parameters
            title = class_title(self.class_of(name))
        return f"{title} (yours)" if self.is_own(name) else title

    def description(self, name: str) -> str:
        """Return a sentence that describes a game, or an empty string."""
        game_class: Any = self.class_of(name)
        return str(game_class.description)

    def takes_parameters(self, name: str) -> bool:
        """Return whether a page can set a game's parameters."""
        made, given = self._get(name)
        return isinstance(made, type) and not given

    def parameters(self, name: str) -> str:
        """Return the parameters that a page can set, with their defaults: ``width=7, height=6``."""
        words = parameters_text(self.class_of(name)).split(", ") if self.takes_parameters(name) else []
        return ", ".join(word for word in words if word.partition("=")[2])

    def make(self, name: str, parameters: str = "") -> Game:
        """Return the game with this name and these parameters.

        Raises:
            GameError: there is no such game, or the parameters are wrong.
        """
        return self._make(name, parameters)

    @contextlib.contextmanager
    def blamed(self, name: str) -> Iterator[None]:
        """Turn an exception of a user's own game into a GameError that names the game."""
        try:
            yield
        except PlywiseError:
            raise
        except Exception as error:
            if not self.is_own(name):
                raise
            raise GameError(f"the game {name} failed: {kind_and_message(error)}") from None

    def _made(self, name: str, parameters: str) -> Game:
        made, given = self._get(name)
        if isinstance(made, Game):
            if parameters.strip():
                raise GameError(f"the game {name} takes no parameters")
            return made
        if len(parameters) > LONGEST_PARAMETERS:
            raise GameError(f"parameters may have at most {LONGEST_PARAMETERS} characters")
        read = read_parameters(made, parameters)
        _check_values(read)
        with self.blamed(name):
            game = made(**(read or read_parameters(made, given)))
            if read:
                _check_size(game)
        return game

    def _get(self, name: str) -> tuple[Made, str]:
        if name not in self._found:
            raise GameError(f"there is no game {name!r}; there are: {', '.join(self._found)}")
        return self._found[name]

    def _free_name(self, name: str) -> str:
        number, free = 2, name
        while free in self._found:
            number, free = number + 1, f"{name}-{number}"
        return free


def _latest(chosen: tuple[Made, str]) -> tuple[Made, str]:
    """Return a class as its module has it now: a file named twice ran twice, and only the last class can be pickled."""
    made, parameters = chosen
    return (getattr(sys.modules[made.__module__], made.__name__), parameters) if isinstance(made, type) else chosen


def _check_values(parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that are not numbers, such as file names, or that are too large for the page."""
    for name, given in parameters.items():
        for value in given if isinstance(given, tuple) else (given,):
            if value is None:
                continue
            if not isinstance(value, (bool, int, float)):
                raise GameError(f"on the page, a parameter must be a number, true or false, not {name}={value!r}")
            if not abs(value) <= LARGEST_PARAMETER:
                raise GameError(f"on the page, a parameter may be at most {LARGEST_PARAMETER}, not {name}={value!r}")


def _check_size(game: Game) -> None:
    """Refuse a game that starts with more moves than the page can show."""
    start = game.initial()
    if not game.is_terminal(start) and len(list(islice(game.moves(start), MOST_MOVES_SHOWN + 1))) > MOST_MOVES_SHOWN:
        raise GameError(f"{game!r} starts with more than {MOST_MOVES_SHOWN} moves, too many for the page")
