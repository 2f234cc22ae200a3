"""The umpire's dice: what chance does in a game, drawn by the probabilities that its rules state.

A roll depends only on the seed, on how many plies came before it, and on what may happen.  So a seed repeats a game,
and a player who takes back a move and makes it again meets the same rolls.
"""

from __future__ import annotations

import random

from plywise.errors import GameError
from plywise.game import Game, Move, State
from plywise.layers.chance import CHANCE, NEARLY_ONE


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
        """Return what chance does in a position that ``ply`` plies led to; a match counts rolls instead of plies."""
        return rolled(game, state, random.Random(f"{self.seed} {ply}"))


def rolled(game: Game, state: State, luck: random.Random) -> Move:
    """Return what chance does in a position, drawn by the probabilities."""
    outcomes = list(game.moves(state))
    chances = [game.probability(state, outcome) for outcome in outcomes]
    if not abs(sum(chances) - 1) <= NEARLY_ONE:
        raise GameError(f"in position {game.format(state)!r} the probabilities of what may happen sum to "
                        f"{sum(chances):.6g}, not to one")  # fmt: skip
    return luck.choices(outcomes, chances)[0]


def by_chance(game: Game, state: State) -> bool:
    """Return whether chance moves in a position."""
    return not game.is_terminal(state) and game.to_move(state) == CHANCE


def after_rolls(game: Game, state: State) -> State:
    """Return a position after rolls, in which a player moves or the game is over."""
    luck = random.Random(0)
    while by_chance(game, state):
        state = game.play(state, rolled(game, state, luck))
    return state
