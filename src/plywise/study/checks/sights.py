"""Features: what players see of a position."""

from __future__ import annotations

from typing import Any

from plywise.compiling.native import is_default
from plywise.game import MAX, MIN
from plywise.io.numbers import is_whole
from plywise.layers import Features
from plywise.study.checks.part import Answers, Part, Place, Subject, written

Sight = frozenset[int]

OWN = ("features", "feature_words", "feature_boards")
"""The methods whose features only the game can count."""


class Sights(Part):
    """Features are small numbers, each at most once, and what one player sees tells what the other does."""

    layer = Features

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.others: tuple[dict[Sight, Sight], dict[Sight, Sight]] = ({}, {})
        """For what MAX sees, what MIN saw then, and the other way round."""
        self.keys: dict[Any, tuple[Sight, Sight]] = {}

    def begin(self, start: Place) -> None:
        for name in ("feature_count", "buckets"):
            value = getattr(self.game, name)
            if not is_whole(value) or value < 1:
                raise self.subject.wrong("features", f"{name} must be a whole number from 1 up, not {written(value)}")
        own = next((name for name in OWN if not is_default(type(self.game), name)), None)
        if own is not None and is_default(type(self.game), "feature_count"):
            missing = f"{own} is defined, but feature_count is not: say how many features there are"
            raise self.subject.wrong("features", missing)

    def anywhere(self, place: Place, answers: Answers) -> None:
        sights = [self.sight(place, player) for player in (MAX, MIN)]
        self.check_range(place, "bucket", self.game.buckets)
        self.check_range(place, "viewer", 2)
        for player, known in enumerate(self.others):
            other = known.setdefault(sights[player], sights[1 - player])
            if other != sights[1 - player]:
                names = [self.game.player_name(each) for each in (player, 1 - player)]
                differ = f"{names[0]} sees the same features as elsewhere, but {names[1]} does not"
                raise self.subject.wrong("features-agree", differ, place)
        if "key" in answers:
            self.compare_keys(place, answers["key"], sights)

    def sight(self, place: Place, player: int) -> Sight:
        """Return the features that a player sees, after checking them."""
        found = self.subject.ask("features", self.game.image(place.state), player, place=place)
        wrong = [each for each in found if not is_whole(each) or not 0 <= each < self.game.feature_count]
        if wrong:
            limit = f"feature {written(wrong[0])} is not a whole number below feature_count, {self.game.feature_count}"
            raise self.subject.wrong("features", limit, place)
        if len(set(found)) < len(found):
            twice = next(each for each in found if found.count(each) > 1)
            raise self.subject.wrong("features", f"feature {twice} is yielded twice", place)
        return frozenset(found)

    def check_range(self, place: Place, method: str, below: int) -> None:
        """Check that a method returns a number from 0 on that is small enough."""
        answer = self.subject.ask(method, place.state, place=place)
        if not is_whole(answer) or not 0 <= answer < below:
            limit = f"{method} must return a whole number from 0 to {below - 1}, not {written(answer)}"
            raise self.subject.wrong("features", limit, place)

    def compare_keys(self, place: Place, key: Any, sights: list[Sight]) -> None:
        """Check that positions with one key look the same to the player whose view comes first, and to the other."""
        viewer = self.game.viewer(place.state)
        seen = sights[viewer], sights[1 - viewer]
        if self.keys.setdefault(key, seen) != seen:
            shared = f"another position has the same key {written(key)}, but other features"
            raise self.subject.wrong("features-agree", shared, place)
