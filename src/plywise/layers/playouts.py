"""Playouts: how to finish a game quickly, for Monte Carlo tree search."""

from __future__ import annotations

from typing import Any, ClassVar

from plywise.errors import GameError
from plywise.layers.chance import CHANCE
from plywise.layers.layer import Layer

NO_MOVES = "there are no moves in a position that is not terminal: run 'plywise check' to find it"


class Playouts(Layer):
    """Knowledge for Monte Carlo tree search.  Buys: strong play without an evaluation.

    A game that inherits this layer is played by Monte Carlo tree search unless another algorithm is chosen.  The search
    also counts each move of a playout for every position above it in which the same player could have made it (RAVE,
    Gelly and Silver 2007), so the integer of a move should mean the same thing throughout a game.
    """

    METHODS: ClassVar[tuple[str, ...]] = ("playout", "prior", "reward")

    def playout(self, state: Any, trail: Any) -> float:
        """Finish the game quickly and return its score for MAX.  Buys: playouts better than random ones.

        ``trail.below(count)`` returns a random number from 0 to ``count - 1``, and ``trail.luck()`` one of 63 bits.
        Call ``trail.note(player, move)`` for every move, and stop when ``trail.left()`` moves are zero.  Default: every
        move is equally likely, and outcomes of chance have their probabilities; a game that is cut short is evaluated.
        """
        while trail.left() > 0 and not self.is_terminal(state):
            player = self.to_move(state)
            chosen = rolled(self, state, trail) if player == CHANCE else any_move(self, state, trail)
            trail.note(player, chosen)
            state = self.play(state, chosen)
        return float(self.score(state)) if self.is_terminal(state) else float(self.evaluate(state))

    def prior(self, state: Any, move: Any) -> tuple[float, float]:
        """Return what is known of a move before it is tried, as playouts: the number won by its player, and the number
        of all.  Buys: good moves are tried first.  Default: (0, 0), nothing is known.
        """
        return (0.0, 0.0)

    def reward(self, score: float) -> float:
        """Return what the search maximises, for MAX: a number that never falls when the score rises.  Buys: play for
        the win, however close, instead of the margin.  Default: the score.
        """
        return float(score)


def any_move(game: Any, state: Any, trail: Any) -> Any:
    """Return a random move, all equally likely: each replaces the chosen one with probability 1 / count."""
    count = 0
    for move in game.moves(state):
        count += 1
        if trail.below(count) == 0:
            chosen = move
    if count == 0:
        raise GameError(NO_MOVES)
    return chosen


def rolled(game: Any, state: Any, trail: Any) -> Any:
    """Return an outcome of chance, drawn by its probability."""
    count, left = 0, trail.fraction()
    for move in game.moves(state):
        count += 1
        chosen = move
        left -= game.probability(state, move)
        if left < 0:
            break
    if count == 0:
        raise GameError(NO_MOVES)
    return chosen
