"""A short look ahead by plain minimax: the oracle for promises about values."""

from __future__ import annotations

import itertools
import math
import numbers
import operator

from plywise.game import MAX, Number, State, sign
from plywise.inputs.limits import MOST_MOVES
from plywise.layers import CHANCE
from plywise.study.checks.part import Place, Subject

DEPTHS = range(1, 7)
"""How many plies to look ahead: one depth after the other, until one settles the question."""
UNKNOWN = (-math.inf, math.inf)


class Outlook:
    """Two numbers that enclose a position's value, found by a short look ahead."""

    def __init__(self, subject: Subject, positions: int = 1000) -> None:
        self.subject = subject
        self.game = subject.game
        self.positions = self.left = positions

    def for_mover(self, place: Place, depth: int) -> tuple[Number, Number]:
        """Return the two numbers for the player to move; for MAX where chance moves."""
        low, high = self.for_max(place, depth)
        return (low, high) if sign(self.game.to_move(place.state)) > 0 else (-high, -low)

    def for_max(self, place: Place, depth: int) -> tuple[Number, Number]:
        """Return the two numbers for MAX.  If the game raises an exception, report it and raise ``Unanswered``."""
        try:
            return self._minimax(place.state, depth)
        except Exception:
            self.left = self.positions
            self._report(place, depth)
            raise

    def _minimax(self, state: State, depth: int) -> tuple[Number, Number]:
        self.left -= 1
        if self.game.is_terminal(state):
            score = self.game.score(state)
            return (score, score) if isinstance(score, numbers.Real) else UNKNOWN
        if depth == 0 or self.left < 0:
            return UNKNOWN
        player = self.game.to_move(state)
        children, odds = [], []
        for move in itertools.islice(self.game.moves(state), MOST_MOVES):
            after = self.game.play(state, move)
            if type(after) is not type(state):  # not a position: Plays reports it
                return UNKNOWN
            children.append(self._minimax(after, depth - 1))
            odds.append(self.game.probability(state, move) if player == CHANCE else 1)
        if not children:
            return UNKNOWN
        if player == CHANCE:
            lows, highs = zip(*children, strict=True)
            return (sum(map(operator.mul, odds, lows)), sum(map(operator.mul, odds, highs)))
        best = max if player == MAX else min
        return (best(low for low, _ in children), best(high for _, high in children))

    def _report(self, place: Place, depth: int) -> None:
        """Repeat a look ahead that failed with ``ask``, which is slower and reports what raised, and where."""
        ask, state = self.subject.ask, place.state
        self.left -= 1
        if ask("is_terminal", state, place=place):
            ask("score", state, place=place)
        elif depth > 0 and self.left >= 0:
            ask("to_move", state, place=place)
            for move in self.subject.moves(place):
                after = ask("play", state, move, place=place, rule="play-rejects")
                if type(after) is not type(state):
                    return
                self._report(place.after(move, after), depth - 1)
