"""Chance: the outcomes of a position in which chance moves have probabilities that sum to one."""

from __future__ import annotations

import math
import numbers

from plywise.game import Move
from plywise.layers import CHANCE, Chance
from plywise.study.checks.part import Answers, Part, Place

TOLERANCE = 1e-13
"""How far from one the sum of the probabilities may be: well below the margin of averages in a search, 1e-12, and well
above what rounding does to fractions."""


class Odds(Part):
    """``probability`` returns positive numbers that sum to one over all outcomes, the same every time."""

    layer = Chance

    def with_moves(self, place: Place, moves: list[Move], answers: Answers) -> Answers:
        if answers.get("to_move") != CHANCE:
            return {}
        subject, found = self.subject, {}
        for move in moves:
            found[move] = subject.ask("probability", place.state, move, place=place)
            if not isinstance(found[move], numbers.Real) or not 0 < float(found[move]) <= 1 + TOLERANCE:
                text = subject.move_text(place.state, move)
                message = f"probability({text}) must be above 0 and at most 1, not {found[move]!r}"
                raise subject.wrong("probability", message, place)
            if found[move] != subject.ask("probability", place.state, move, place=place):
                subject.differs("probability", place)
        total = math.fsum(found.values())
        if abs(total - 1) > TOLERANCE:
            message = f"the probabilities of the {len(moves)} outcomes sum to {total:.15g}, not to 1"
            raise subject.wrong("probability-sum", message, place)
        return {"probability": found}
