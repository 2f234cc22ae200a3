"""Keys: positions with the same key have the same value for the player to move."""

from __future__ import annotations

import contextlib
from typing import Any

from plywise.game import Move, sign
from plywise.study.checks.outlook import DEPTHS, Outlook
from plywise.study.checks.part import Answers, Part, Place, Subject, close, written


class Keys(Part):
    """Positions with the same key have the same value, as far as a short look ahead can tell."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.first: dict[Any, Place] = {}  # the first position of each key

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers:
        key = self.subject.ask("key", place.state, place=place)
        try:
            other = self.first.setdefault(key, place)
        except TypeError:
            raise self.subject.wrong("key", f"a key must be hashable, not {written(key)}", place) from None
        if other.state != place.state:
            with contextlib.suppress(Exception):  # other checks report exceptions
                self.compare_values(place, other, key)
        return {"key": key}

    def compare_values(self, place: Place, other: Place, key: Any) -> None:
        """Check that two positions with one key have the same value for the player to move.

        A short look ahead may leave the value open; such pairs pass.
        """
        subject = self.subject
        shared = f"this position and {subject.text(other.state)} have the same key {written(key)}"
        if subject.defines("evaluate") and subject.players == 2:
            estimates = [sign(self.game.to_move(s)) * self.game.evaluate(s) for s in (place.state, other.state)]
            if not close(*estimates):
                values = f"{estimates[0]} and {estimates[1]}"
                subject.found("key", f"{shared}, but evaluate gives {values} for the player to move", place, "evaluate")
        for depth in DEPTHS if subject.players == 2 else ():
            one, two = (Outlook(subject).for_mover(each, depth) for each in (place, other))
            if one[1] < two[0] or two[1] < one[0]:
                subject.found("key", f"{shared}, but different values for the player to move", place)
                return
        here, there = (len(subject.moves(each)) for each in (place, other))
        if here != there:
            subject.found("key-moves", f"{shared}, but {here} and {there} moves", place)
