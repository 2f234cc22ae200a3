"""Counting: ``count_moves`` agrees with ``moves``."""

from __future__ import annotations

from plywise.game import Game, Move
from plywise.layers import Counting
from plywise.study.checks.part import Answers, Part, Place


class Counts(Part):
    """``count_moves`` is the number of moves, and ``counted`` a game."""

    layer = Counting

    def begin(self, start: Place) -> None:
        counted = self.subject.ask("counted")
        if not isinstance(counted, Game):
            raise self.subject.wrong("counted", f"counted must return a game, not {counted!r}")

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> None:
        count = self.subject.ask("count_moves", place.state, place=place)
        if count != len(moves):
            raise self.subject.wrong("count-moves", f"count_moves returns {count}, but there are {len(moves)}", place)
