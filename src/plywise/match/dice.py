"""The umpire's dice: what chance does in a game, drawn by the probabilities that its rules state.

A roll depends only on the seed, on how many plies came before it, and on what may happen.  So a seed repeats a game,
and a player who takes back a move and makes it again meets the same rolls.
"""

from __future__ import annotations

import random

from plywise.game import Game, Move, State


class Dice:
    """Dice that can be rolled again.

    >>> import plywise as pw
    >>> game, dice = pw.games.Pig(), Dice(7)
    >>> rolling = game.play(game.initial(), next(iter(game.moves(game.initial()))))
    >>> dice.roll(game, rolling, ply=1) == Dice(7).roll(game, rolling, ply=1)
    True
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def roll(self, game: Game, state: State, ply: int) -> Move:
        """Return what chance does in a position that ``ply`` plies led to."""
        outcomes = list(game.moves(state))
        weights = [game.probability(state, outcome) for outcome in outcomes]
        return random.Random(f"{self.seed} {ply}").choices(outcomes, weights)[0]
