"""Symmetry: mirrored and turned positions that are worth the same."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.layers.layer import Layer


class Symmetry(Layer):
    """Which position stands for all its images, and what moves are called there.

    Buys: up to eight times fewer positions in a table, because images share a key.

    Positions with the same image must be worth the same to the player who moves there.  Do not combine it with
    ``Recurrence``: a mirror image would count as a repetition.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("image", "move_in_image", "move_from_image")

    def image(self, state: Any) -> Any:
        """Return the position that stands for this one, the same for all images of it."""
        return state

    def move_in_image(self, state: Any, move: Any) -> Any:
        """Return what a move in ``state`` is called in ``image(state)``."""
        return move

    def move_from_image(self, state: Any, move: Any) -> Any:
        """Return what a move in ``image(state)`` is called in ``state``."""
        return move

    def key(self, state: Any) -> Any:
        """Return the image.  A game may define a key of its own that merges more."""
        return self.image(state)
