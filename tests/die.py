"""A small game with a die, for tests that change one part of it."""

from __future__ import annotations

from typing import NamedTuple

import plywise as pw


class Rolled(NamedTuple):
    points: int
    left: int
    turn: int
    rolling: int


class RightDie(pw.Chance, pw.Game):
    """Players roll a loaded die with three faces in turn, and take the number or let it go.  Max wants many points."""

    rounds: int = 2

    def initial(self):
        return Rolled(0, self.rounds, pw.MAX, 1)

    def to_move(self, state):
        return pw.CHANCE if state.rolling == 1 else state.turn

    def moves(self, state):
        if state.left > 0:
            for move in range(1, 4) if state.rolling == 1 else range(2):
                yield move

    def probability(self, state, move):
        return 0.5 if move == 1 else 0.25

    def play(self, state, move):
        if state.rolling == 1:
            return Rolled(state.points, state.left, state.turn, -move)
        points = state.points - move * state.rolling
        return Rolled(points, state.left - 1, 1 - state.turn, 1 if state.left > 1 else 0)

    def is_terminal(self, state):
        return state.left == 0

    def score(self, state):
        return state.points

    def bounds(self, state):
        return (state.points, state.points + 3 * state.left)
