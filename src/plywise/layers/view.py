"""View: how people see a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plywise.layers.layer import Layer


class View(Layer):
    """How people see a game.  Buys: the same picture and words in the terminal, in drawings and on the page."""

    def record(self, start: Any, moves: Sequence[Any], about: Mapping[str, str]) -> str | None:
        """Return a game that was played as players of this game write it down, such as PGN; None: there is no such
        form.

        ``about`` has what a reader wants to know: ``event``, ``date``, ``round``, ``max`` and ``min`` (who played),
        ``result`` (1-0, 0-1 or 1/2-1/2, Max's first), ``reason`` and ``clock``.
        """
        return None
