"""How a game that is played ends: by its rules or by repetition (``plywise.layers.Recurrence``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plywise.game import Game, Move, State, sign
from plywise.layers import Recurrence

FORBIDDEN = "it repeats an earlier position"
"""Why a forbidden move is refused."""


def final_scores(game: Game, state: State, repeated: bool) -> list[float] | None:
    """Return each player's score if the game is over, else None; ``repeated`` says whether it ends by repetition."""
    if game.is_terminal(state):
        return [float(score) for score in game.scores(state)]
    if repeated:
        value = float(game.repetition(state))
        return [value, -value]
    return None


def ends_by_repetition(game: Game, state: State, keys: Sequence[Any]) -> bool:
    """Return whether a position has occurred so often that the game is over.

    ``keys`` are those of all positions of the game (``Recurrence.recurring``), ending with its own.
    """
    last = len(keys) - 1
    earlier = keys[max(0, last - game.reversible(state)) : last]
    return 1 + sum(bool(key == keys[-1]) for key in earlier) >= game.repetitions


def is_forbidden(game: Game, states: Sequence[State], move: Move) -> bool:
    """Return whether a move repeats a position although that loses, as with ``Go(superko=True)``."""
    if not isinstance(game, Recurrence):
        return False
    after = game.play(states[-1], move)
    loses = sign(game.to_move(states[-1])) * game.repetition(after) < 0
    if not loses or game.is_terminal(after):
        return False
    return ends_by_repetition(game, after, [game.recurring(state) for state in (*states, after)])


def allowed_moves(game: Game, states: Sequence[State]) -> list[Move]:
    """Return the legal moves that are not forbidden after these positions; all of them if every one is."""
    moves = list(game.moves(states[-1]))
    return [move for move in moves if not is_forbidden(game, states, move)] or moves
