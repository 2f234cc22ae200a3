"""Keys: positions with the same key have the same value for the player to move, and moves that correspond.  With the
layer ``Banked``, the same holds for what the rest of the game is worth.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any, ClassVar

from plywise.game import Move, Number, State, sign
from plywise.io.numbers import is_whole
from plywise.layers import Banked, Symmetry
from plywise.study.checks.outlook import DEPTHS, Outlook
from plywise.study.checks.part import Answers, Part, Place, Subject, Unanswered, close, written

WITHOUT_LAYER = "; inherit Symmetry and define move_in_image and move_from_image, or let the key tell them apart"
WITH_LAYER = "; let image choose as key does, so that positions with one key name their moves alike"
"""What to do about moves that do not correspond."""


class Keys(Part):
    """Positions with the same key have the same value, as far as a short look ahead can tell."""

    method: ClassVar[str] = "key"
    """The method that returns the key."""
    rule: ClassVar[str] = "key"
    less: ClassVar[str] = ""
    """What is subtracted from values before they are compared, in words."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.first: dict[Any, Place] = {}  # the first position of each key

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers:
        if type(self.game).key is Symmetry.key and ("exception", "image") in self.subject.findings:
            raise Unanswered  # the key is the image, which raises
        key = self.subject.ask(self.method, place.state, place=place)
        try:
            other = self.first.setdefault(key, place)
        except TypeError:
            raise self.subject.wrong(self.rule, f"a key must be hashable, not {written(key)}", place) from None
        if other.state != place.state:
            with contextlib.suppress(Exception):  # other checks report exceptions
                self.compare_values(place, other, key)
        return {self.method: key}

    def banked(self, state: State) -> Number:
        """Return what is subtracted from the values of a position, for MAX."""
        return 0

    def compare_values(self, place: Place, other: Place, key: Any) -> None:
        """Check that two positions with one key have the same value for the player to move.

        A short look ahead may leave the value open; such pairs pass.
        """
        subject = self.subject
        shared = f"this position and {subject.text(other.state)} have the same {self.method} {written(key)}"
        if subject.defines("evaluate") and subject.players == 2:
            states = (place.state, other.state)
            estimates = [sign(self.game.to_move(s)) * (self.game.evaluate(s) - self.banked(s)) for s in states]
            if not close(*estimates):
                values = f"{estimates[0]} and {estimates[1]}"
                differ = f"{shared}, but evaluate{self.less} gives {values} for the player to move"
                subject.found(self.rule, differ, place, "evaluate")
        if self.values_differ(place, other):
            subject.found(self.rule, f"{shared}, but different values{self.less} for the player to move", place)
            return
        if ("image", "") not in subject.findings:  # else it is clear why the names of moves are wrong
            self.compare_moves(place, other, shared)

    def compare_moves(self, place: Place, other: Place, shared: str) -> None:
        """Check that in two positions with one key the moves have the same names, and that each name means the same.

        Tables store a best move by its name in the image.  A name means something else if it leads to another key,
        which another move shares, or to another value, as far as a short look ahead can tell.
        """
        here, there = self.after_names(place), self.after_names(other)
        advice = WITH_LAYER if isinstance(self.game, Symmetry) else WITHOUT_LAYER
        if len(here) != len(there):
            wrong = f"but {len(here)} and {len(there)} moves"
        elif here.keys() != there.keys():
            wrong = f"but only one of them has move {min(here.keys() ^ there.keys())}"
        else:
            key_of = getattr(self.game, self.method)
            keys = [{name: key_of(after.state) for name, after in each.items()} for each in (here, there)]
            differ = [name for name in here if keys[0][name] != keys[1][name]]
            if Counter(keys[0].values()) != Counter(keys[1].values()):
                differ = [name for name in differ if self.values_differ(here[name], there[name])]
            if not differ:
                return
            wrong = f"but move {differ[0]} does not lead to the same"
        self.subject.found("key-moves", f"{shared}, {wrong}{advice}", place)

    def after_names(self, place: Place) -> dict[Move, Place]:
        """Return where the moves of a position lead, by their names in the image."""
        game, state = self.game, place.state
        return {game.move_in_image(state, m): place.after(m, game.play(state, m)) for m in self.subject.moves(place)}

    def values_differ(self, place: Place, other: Place) -> bool:
        """Return whether a short look ahead finds different values for the player to move."""
        for depth in DEPTHS if self.subject.players == 2 else ():
            one, two = (self.for_mover(each, depth) for each in (place, other))
            if one[1] < two[0] or two[1] < one[0]:
                return True
        return False

    def for_mover(self, place: Place, depth: int) -> tuple[Number, Number]:
        """Return two numbers that enclose the value of a position for the player to move, less what is banked."""
        banked = sign(self.game.to_move(place.state)) * self.banked(place.state)
        low, high = Outlook(self.subject).for_mover(place, depth)
        return low - banked, high - banked


class RestKeys(Keys):
    """Points won so far are whole numbers, and positions with the same rest have the same value without them."""

    layer = Banked
    method = "rest_key"
    rule = "rest-key"
    less = " less banked"

    def anywhere(self, place: Place, answers: Answers) -> Answers:
        banked = self.subject.ask("banked", place.state, place=place)
        if not is_whole(banked):
            raise self.subject.wrong("banked", f"banked must return a whole number, not {written(banked)}", place)
        return {"banked": banked}

    def banked(self, state: State) -> Number:
        return self.game.banked(state)  # type: ignore[no-any-return]
