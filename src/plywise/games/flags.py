"""Parameters that are true or false."""

from __future__ import annotations

import dataclasses

from plywise.errors import GameError
from plywise.game import Game


def check_flags(game: Game) -> None:
    """Check that every parameter that is true or false is one of these: the text "no" would count as true.

    Raises:
        GameError: one is something else.
    """
    for field in dataclasses.fields(game):
        if field.type in (bool, "bool") and not isinstance(getattr(game, field.name), bool):
            raise GameError(f"{game!r} is not possible: {field.name} must be True or False")
