"""Shared by the tests of all games: both readings of a function, a digest of all rules, and random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from plywise.compiling.bridge import entry
from plywise.compiling.diagnose import bare_state
from plywise.errors import PositionError
from plywise.game import Game
from plywise.layers import CHANCE


def compiled(function: Any, game: Game, state: Any, *arguments: Any) -> Any:
    """Return what ``function(game, state, *arguments)`` returns as machine code."""
    return entry(function)(game, bare_state(game, state), arguments)


def digest(game, state, depth):
    """Return a number that depends on every answer of the rules within ``depth`` plies."""
    low, high = game.bounds(state)
    total = 31 * game.to_move(state) + 7 * low + 3 * high
    if game.to_move(state) == CHANCE:
        for outcome in game.moves(state):
            total += outcome * game.probability(state, outcome)
    if game.is_terminal(state):
        return total + 1000 * game.score(state)
    if depth == 0:
        return total + 1000 * game.evaluate(state)
    for move in game.moves(state):
        total = (33 * total + move + digest(game, game.play(state, move), depth - 1)) % 1000003
    return total


def random_game(game: Game, seed: int) -> list[Any]:
    """Return the positions of a random game, from the initial one to the end."""
    chance = random.Random(seed)
    positions = [game.initial()]
    while not game.is_terminal(positions[-1]):
        positions.append(game.play(positions[-1], chance.choice(list(game.moves(positions[-1])))))
    return positions


def check_texts(game: Game, seed: int) -> None:
    """Check that texts of all positions and moves of a random game are read as what they were written from."""
    positions = random_game(game, seed)
    for state in positions:
        text = game.format(state)
        assert game.parse(text) == state, text
        assert game.board(state)
    for state in positions[:-1:5]:
        moves = list(game.moves(state))
        texts = [game.format_move(state, move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert not any(" " in text for text in texts)
        assert [game.parse_move(state, text) for text in texts] == moves


def check_refused(message: str, read: Callable[..., Any], *given: Any) -> None:
    """Check that ``read(*given)`` refuses a text, in a line that says why."""
    with pytest.raises(PositionError) as caught:
        read(*given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def check_chance(game: Game, chance: random.Random) -> None:
    """Check, in a random game, that outcomes have positive probabilities whose sum is one, and that somebody moves."""
    rolls = 0
    for state in random_game(game, chance.randrange(10**9)):
        if game.is_terminal(state):
            assert game.to_move(state) in (0, 1)
            assert list(game.moves(state)) == []
        elif game.to_move(state) == CHANCE:
            probabilities = [game.probability(state, outcome) for outcome in game.moves(state)]
            assert min(probabilities) > 0
            assert abs(sum(probabilities) - 1) < 1e-12
            rolls += 1
    assert rolls
