"""The games that the page offers: those of the catalogue, and those that the command line named.

A request names a game; it can name no file and no module, so nothing that comes from the network is ever imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from plywise.cli.choose import Made, choose_class, parameters_text, read_parameters
from plywise.errors import GameError
from plywise.explain.titles import title
from plywise.game import Game

LONGEST_PARAMETERS = 80
"""Characters."""

LARGEST_PARAMETER = 99
"""A page has no room for more, and every size is compiled anew."""


class Games:
    """Games by name.

    Args:
        own: games of somebody's own, as the command line has them: ``mygame.py:Class``.

    >>> games = Games()
    >>> games.make("mnk", "4,4,3")
    MNK(m=4, n=4, k=3)
    """

    def __init__(self, own: Iterable[str] = ()) -> None:
        from plywise.games import catalogue

        self.own = tuple(own)
        self._found: dict[str, tuple[Made, str]] = {name: (made, "") for name, made in catalogue().items()}  # type: ignore[misc]
        for text in self.own:
            made, parameters = choose_class(text)
            name = made.__name__ if isinstance(made, type) else type(made).__name__
            self._found[self._free_name(name)] = (made, parameters)
        self._make = lru_cache(maxsize=64)(self._made)

    def __iter__(self) -> Any:
        return iter(self._found)

    def is_own(self, name: str) -> bool:
        """Return whether a game came from the command line."""
        return name in list(self._found)[len(self._found) - len(self.own) :]

    def class_of(self, name: str) -> type[Game]:
        """Return the class of a game.

        Raises:
            GameError: there is no game of this name.
        """
        made = self._get(name)[0]
        return made if isinstance(made, type) else type(made)

    def title(self, name: str) -> str:
        """Return what people call a game.

        >>> Games().title("connect-four")
        'Connect Four'
        """
        return f"{name} (yours)" if self.is_own(name) else title(self.class_of(name))

    def takes_parameters(self, name: str) -> bool:
        """Return whether a game is made anew for each set of parameters."""
        made, given = self._get(name)
        return isinstance(made, type) and not given

    def parameters(self, name: str) -> str:
        """Return the parameters that a page may give, with their usual values: ``width=7, height=6``."""
        words = parameters_text(self.class_of(name)).split(", ") if self.takes_parameters(name) else []
        return ", ".join(word for word in words if word.partition("=")[2])

    def make(self, name: str, parameters: str = "") -> Game:
        """Return the game of this name, with these parameters.

        Raises:
            GameError: there is no such game, or it takes no such parameters.
        """
        return self._make(name, parameters)

    def _made(self, name: str, parameters: str) -> Game:
        made, given = self._get(name)
        if isinstance(made, Game):
            if parameters.strip():
                raise GameError(f"the game {name} takes no parameters")
            return made
        if len(parameters) > LONGEST_PARAMETERS:
            raise GameError(f"parameters may have up to {LONGEST_PARAMETERS} characters")
        if any(int(digits) > LARGEST_PARAMETER for digits in re.findall("[0-9]+", parameters)):
            raise GameError(f"on the page, a parameter may be up to {LARGEST_PARAMETER}")
        read = read_parameters(made, parameters)
        if any(isinstance(value, str) for value in read.values()):  # the name of a file, say
            raise GameError("on the page, a parameter is a number, or true or false")
        return made(**(read or read_parameters(made, given)))

    def _get(self, name: str) -> tuple[Made, str]:
        if name not in self._found:
            raise GameError(f"there is no game {name!r}; there are: {', '.join(self._found)}")
        return self._found[name]

    def _free_name(self, name: str) -> str:
        number, free = 2, name
        while free in self._found:
            number, free = number + 1, f"{name}-{number}"
        return free
