"""Symmetry: mirrored and rotated positions that have the same value."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Symmetry(Layer):
    """A canonical image of each position, and the translation of moves to it and back.

    Buys: a smaller table, because symmetric positions share an entry.

    Positions with the same image must have the same value for the player to move.  Do not combine it with
    ``Recurrence``: a mirror image would count as a repetition.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("image", "move_in_image", "move_from_image")

    def image(self, state: Any) -> Any:
        """Return the canonical image: the same position for all symmetric ones.  Buys: they share a key."""
        return state

    def move_in_image(self, state: Any, move: Any) -> Any:
        """Return the move of ``image(state)`` that corresponds to ``move``.  Buys: a check of the symmetry."""
        return move

    def move_from_image(self, state: Any, move: Any) -> Any:
        """Return the move of ``state`` that corresponds to ``move`` of ``image(state)``.  Buys: the same check."""
        return move

    def key(self, state: Any) -> Any:
        """Return the image.  A game may define its own key to merge more positions."""
        return self.image(state)
