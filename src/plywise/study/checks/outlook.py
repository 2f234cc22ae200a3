"""A short look ahead by plain minimax: the oracle for promises about values."""

from __future__ import annotations

import itertools
import math

from plywise.game import MAX, Game, Number, State, sign
from plywise.inputs.limits import MOST_MOVES

DEPTHS = range(1, 7)
"""How many plies to look ahead: one depth after the other, until one settles the question."""


class Outlook:
    """Two numbers that enclose a position's value, found by a short look ahead."""

    def __init__(self, game: Game, positions: int = 1000) -> None:
        self.game = game
        self.left = positions

    def for_mover(self, state: State, depth: int) -> tuple[Number, Number]:
        """Return the two numbers for the player to move."""
        low, high = self.for_max(state, depth)
        return (low, high) if sign(self.game.to_move(state)) > 0 else (-high, -low)

    def for_max(self, state: State, depth: int) -> tuple[Number, Number]:
        """Return the two numbers for MAX."""
        self.left -= 1
        if self.game.is_terminal(state):
            return (self.game.score(state), self.game.score(state))
        if depth == 0 or self.left < 0:
            return (-math.inf, math.inf)
        best = max if self.game.to_move(state) == MAX else min
        moves = itertools.islice(self.game.moves(state), MOST_MOVES)
        children = [self.for_max(self.game.play(state, move), depth - 1) for move in moves]
        return (best(low for low, _ in children), best(high for _, high in children))
