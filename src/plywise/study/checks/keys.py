"""Keys: positions that share one have one value for the player to move."""

from __future__ import annotations

import contextlib
import itertools
import math
from typing import Any

from plywise.game import MAX, Game, Move, Number, State, sign
from plywise.inputs.limits import MOST_MOVES
from plywise.study.checks.part import Answers, Part, Place, Subject, close, written


class Keys(Part):
    """Positions with the same key have the same value, as far as a short look tells."""

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
            with contextlib.suppress(Exception):  # there are checks for what may be raised
                self.compare_values(place, other, key)
        return {"key": key}

    def compare_values(self, place: Place, other: Place, key: Any) -> None:
        """Check that two positions with one key have one value for the player to move, as far as a short look tells."""
        subject = self.subject
        shared = f"this position and {subject.text(other.state)} have the same key {written(key)}"
        if subject.defines("evaluate") and subject.players == 2:
            estimates = [sign(self.game.to_move(s)) * self.game.evaluate(s) for s in (place.state, other.state)]
            if not close(*estimates):
                values = f"{estimates[0]} and {estimates[1]}"
                subject.found("key", f"{shared}, but evaluate gives {values} for the player to move", place, "evaluate")
        for depth in range(1, 7 if subject.players == 2 else 1):
            one, two = (_Outlook(self.game).value(each.state, depth) for each in (place, other))
            if one[1] < two[0] or two[1] < one[0]:
                subject.found("key", f"{shared}, but not the same value for the player to move", place)
                return
        here, there = (len(subject.moves(each)) for each in (place, other))
        if here != there:
            subject.found("key-moves", f"{shared}, but {here} and {there} moves", place)


class _Outlook:
    """What a short look ahead tells of a position's value: that it lies between two numbers."""

    def __init__(self, game: Game, positions: int = 1000) -> None:
        self.game = game
        self.left = positions

    def value(self, state: State, depth: int) -> tuple[Number, Number]:
        """Return the two numbers for the player to move."""
        low, high = self.for_max(state, depth)
        return (low, high) if sign(self.game.to_move(state)) > 0 else (-high, -low)

    def for_max(self, state: State, depth: int) -> tuple[Number, Number]:
        self.left -= 1
        if self.game.is_terminal(state):
            return (self.game.score(state), self.game.score(state))
        if depth == 0 or self.left < 0:
            return (-math.inf, math.inf)
        best = max if self.game.to_move(state) == MAX else min
        moves = itertools.islice(self.game.moves(state), MOST_MOVES)
        children = [self.for_max(self.game.play(state, move), depth - 1) for move in moves]
        return (best(low for low, _ in children), best(high for _, high in children))
