"""Recurrence: positions recur only where the game allows it."""

from __future__ import annotations

import math
import numbers
from typing import Any

from plywise.game import Move
from plywise.io.numbers import is_whole
from plywise.layers import Chance, Recurrence
from plywise.study.checks.part import Answers, Part, Place


class Repetitions(Part):
    """A position recurs only within ``reversible`` plies.  In a game without the layer no position recurs, unless there
    is chance: then no repetition is forced, and the game goes on.
    """

    def begin(self, start: Place) -> None:
        times = self.game.repetitions
        if not is_whole(times) or times < 2:
            raise self.subject.wrong("repetitions", f"repetitions must be a whole number from 2 up, not {times!r}")

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        self.subject.attempt(self.check_reversible, place)
        self.subject.attempt(self.check_history, place, moves)
        for move, state in answers.get("play", {}).items():
            self.subject.attempt(self.check_recurrence, place.after(move, state))

    def check_history(self, place: Place, moves: list[Move]) -> None:
        """Check that a position without its history has the same moves, and that they lead to the same positions."""
        ask = self.subject.ask
        plain = ask("without_history", place.state, place=place)
        if plain == place.state:
            return
        if list(ask("moves", plain, place=place)) != moves:
            message = "the position that without_history returns has other moves"
            raise self.subject.wrong("without_history", message, place)
        for move in moves:
            after, plainly = (ask("play", state, move, place=place) for state in (place.state, plain))
            if ask("without_history", after, place=place) != ask("without_history", plainly, place=place):
                message = f"move {move!r} leads elsewhere from the position that without_history returns"
                raise self.subject.wrong("without_history", message, place)

    def check_reversible(self, place: Place) -> None:
        subject = self.subject
        may_recur = self.reversible(place) > 0
        worth = subject.ask("repetition", place.state, place=place)
        if not isinstance(worth, numbers.Real) or not math.isfinite(worth):
            raise subject.wrong("repetition", f"repetition must return a finite number, not {worth!r}", place)
        low, high = subject.ask("bounds", place.state, place=place)
        if may_recur and not low <= worth <= high:
            message = f"repetition returns {worth}, but all scores lie between {low} and {high} (bounds)"
            raise subject.wrong("repetition", message, place)

    def reversible(self, place: Place) -> int:
        """Return how many plies back a position may have occurred, which must be a whole number from 0 up."""
        back = self.subject.ask("reversible", place.state, place=place)
        if not is_whole(back) or back < 0:
            message = f"reversible must return a whole number from 0 up, not {back!r}"
            raise self.subject.wrong("reversible", message, place)
        return int(back)

    def check_recurrence(self, place: Place) -> None:
        """Check that the same position did not occur more than ``reversible`` plies ago."""
        if isinstance(self.game, Chance) and not isinstance(self.game, Recurrence):
            return
        here = self.identity(place)
        line = place.lineage()
        for plies, earlier in enumerate(reversed(line[:-1]), 1):
            if self.identity(earlier) == here:
                back = self.reversible(place)
                if plies > back:
                    layer = "" if isinstance(self.game, Recurrence) else "; inherit Recurrence and define reversible"
                    message = f"this position also occurred {plies} plies ago, but reversible returns {back}{layer}"
                    raise self.subject.wrong("reversible", message, place)
                return

    def identity(self, place: Place) -> Any:
        """Return what identifies a recurring position."""
        if not isinstance(self.game, Recurrence):
            return place.state
        return self.subject.ask("recurring", place.state, place=place)
