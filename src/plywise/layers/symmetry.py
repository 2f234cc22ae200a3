"""Symmetry: mirrored and rotated positions that have the same value."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.errors import GameError
from plywise.layers.layer import Layer
from plywise.layers.recurrence import Recurrence


class Symmetry(Layer):
    """A canonical image of each position, and the translation of moves to it and back.

    Buys: a smaller table, because symmetric positions share an entry, with a best move that fits them all: tables store
    it by its name in the image.

    Positions with the same image must have the same value for the player to move.  Positions with the same ``key`` must
    have moves with the same names, in their images, that lead to the same values.  A game with ``Recurrence`` must
    define its own ``key``: with this one, a mirror image would count as a repetition.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("image", "move_in_image", "move_from_image")

    def image(self, state: Any) -> Any:
        """Return the canonical image: the same position for all symmetric ones.  Buys: they share a key."""
        return state

    def move_in_image(self, state: Any, move: Any) -> Any:
        """Return the move of ``image(state)`` that corresponds to ``move``.  Buys: best moves in tables.

        Called when a search stores a best move.
        """
        return move

    def move_from_image(self, state: Any, move: Any) -> Any:
        """Return the move of ``state`` that corresponds to ``move`` of ``image(state)``.  Buys: the same.

        Called when a search finds a best move in a table.  If the table has confused two positions, which is rare,
        ``move`` may be any number below 65535, and the result is not played.
        """
        return move

    def key(self, state: Any) -> Any:
        """Return the image.  A game may define its own key to merge more positions."""
        return self.image(state)

    @classmethod
    def settle(cls, game_class: Any) -> None:
        if issubclass(game_class, Recurrence) and game_class.key is Symmetry.key:
            raise GameError(f"class {game_class.__name__} has Symmetry and Recurrence: define key() without mirror "
                            "images, because a mirror image is not a repetition")  # fmt: skip
