"""Symmetry: an image plays like the position it stands for."""

from __future__ import annotations

import collections
from typing import Any

from plywise.game import Move, State, sign
from plywise.layers import Symmetry
from plywise.study.checks.part import Answers, Part, Place, Unanswered, close, described
from plywise.study.checks.states import is_a_position


class Images(Part):
    """An image is its own image, and the game continues alike from it and from the position."""

    layer = Symmetry

    def at_end(self, place: Place, answers: Answers) -> None:
        image = self.image(place)
        if not self.asked("is_terminal", place, image):
            raise self.wrong("the game is over here, but not in the image", place, image)
        if self.subject.players != 2 or not {"to_move", "score"} <= answers.keys():
            return
        here = sign(answers["to_move"]) * answers["score"]
        there = sign(self.asked("to_move", place, image)) * self.asked("score", place, image)
        if not close(here, there):
            raise self.wrong(f"the player to move gets {here} here and {there} in the image", place, image)

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        subject, image = self.subject, self.image(place)
        if self.asked("is_terminal", place, image):
            raise self.wrong("the game is over in the image, but not here", place, image)
        names = [subject.ask("move_in_image", place.state, move, place=place) for move in moves]
        if collections.Counter(names) != collections.Counter(self.asked("moves", place, image)):
            raise self.wrong("move_in_image does not map the moves here to the moves in the image", place, image)
        after = answers.get("play", {})
        for move, name in zip(moves, names, strict=True):
            text = subject.move_text(place.state, move)
            if subject.ask("move_from_image", place.state, name, place=place) != move:
                raise self.wrong(f"move_from_image does not undo move_in_image for {text}", place, image)
            if move not in after:
                continue  # play rejects it
            one = subject.ask("image", after[move], place=place.after(move, after[move]))
            if one != self.asked("image", place, self.asked("play", place, image, name)):
                raise self.wrong(f"{text} and its image lead to positions with different images", place, image)

    def image(self, place: Place) -> State:
        """Return the image of a position, which must be its own image."""
        image = self.subject.ask("image", place.state, place=place)
        if not is_a_position(self.subject, image, place, "image"):
            raise Unanswered
        if self.subject.ask("image", image, place=place) != image:
            raise self.wrong("the image of that is a different position", place, image)
        return image

    def asked(self, method: str, place: Place, image: State, *arguments: Any) -> Any:
        """Call a method with the image of a place, or with a position after it."""
        try:
            return self.subject.call(method, image, *arguments)
        except Exception as error:
            raise self.wrong(f"there, {method} raised {described(type(self.game), error)}", place, image) from error

    def wrong(self, what: str, place: Place, image: State) -> Exception:
        return self.subject.wrong("image", f"image returns {self.subject.text(image)}: {what}", place)
