"""Symmetry: an image plays like the position it stands for."""

from __future__ import annotations

from plywise.game import Move, State, sign
from plywise.layers import Symmetry
from plywise.study.checks.part import Answers, Part, Place, close


class Images(Part):
    """An image is its own image, and the game continues alike from it and from the position."""

    layer = Symmetry

    def at_end(self, place: Place, answers: Answers) -> None:
        image = self.image(place)
        if not self.game.is_terminal(image):
            raise self.wrong("the game is over here, but not in the image", place, image)
        worth = [sign(self.game.to_move(state)) * self.game.score(state) for state in (place.state, image)]
        if self.subject.players == 2 and not close(*worth):
            raise self.wrong(f"the player to move gets {worth[0]} here and {worth[1]} in the image", place, image)

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        subject, game, image = self.subject, self.game, self.image(place)
        if game.is_terminal(image):
            raise self.wrong("the game is over in the image, but not here", place, image)
        names = [subject.ask("move_in_image", place.state, move, place=place) for move in moves]
        if sorted(names) != sorted(game.moves(image)):
            raise self.wrong("move_in_image does not map the moves here to the moves in the image", place, image)
        for move, name in zip(moves, names, strict=True):
            text = subject.move_text(place.state, move)
            if subject.ask("move_from_image", place.state, name, place=place) != move:
                raise self.wrong(f"move_from_image does not undo move_in_image for {text}", place, image)
            if game.image(game.play(place.state, move)) != game.image(game.play(image, name)):
                raise self.wrong(f"{text} and its image lead to positions with different images", place, image)

    def image(self, place: Place) -> State:
        """Return the image of a position, which must be its own image."""
        image = self.subject.ask("image", place.state, place=place)
        if self.subject.ask("image", image, place=place) != image:
            raise self.wrong("the image of that is a different position", place, image)
        return image

    def wrong(self, what: str, place: Place, image: State) -> Exception:
        return self.subject.wrong("image", f"image returns {self.subject.text(image)}: {what}", place)
