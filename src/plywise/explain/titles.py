"""Games and their endings in words, for headings, lists of choices and the last line of a game."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any

from plywise.game import Game, State
from plywise.io.wording import listing, number
from plywise.layers import is_solitaire


def in_words(game: Game, capital: bool = False) -> str:
    """Return a game in words, with its parameters if they are unusual; ``capital`` if it starts a sentence.

    >>> import plywise as pw
    >>> in_words(pw.games.Chess()), in_words(pw.games.Chess(draws=False)), in_words(pw.games.MNK(4, 4, 3))
    ('Chess', 'Chess with no draws', 'm, n, k with m 4, n 4 and k 3')
    >>> in_words(pw.games.Nim((1, 2), misere=True)), in_words(pw.games.Tree.from_lists([[3, 12], [2, 4]]), capital=True)
    ('Nim with heaps 1 2 and misere', 'A tree of 7 nodes, 4 leaves')
    """
    parameters = list(_parameters(game))
    words = f"{game.title} with {listing(parameters)}" if parameters else game.title
    return words[:1].upper() + words[1:] if capital else words


ALGORITHM_TITLES = {
    "minimax_single": "minimax in one function",
    "negamax_sign": "negamax with a sign",
    "early_stop": "minimax with an early stop",
    "satisficing": "satisficing search",
    "boolean": "boolean search",
    "alphabeta": "alpha-beta",
    "alphabeta_hard": "alpha-beta, fail-hard",
    "negamax_alphabeta": "negamax alpha-beta",
    "negamax_alphabeta_hard": "negamax alpha-beta, fail-hard",
    "scout": "Scout",
    "pvs": "principal variation search",
    "memo": "alpha-beta with a memo",
    "mtdf": "MTD(f)",
    "aspiration": "aspiration search",
    "star1": "Star1",
    "star2": "Star2",
    "maxn": "max^n",
    "paranoid": "paranoid search",
    "best_reply": "best-reply search",
    "expectimaxn": "expecti-max^n",
    "engine": "the engine",
    "mcts": "Monte Carlo tree search",
}
"""Algorithms by name as they are written in a text; the others are written as they are named."""


def algorithm_title(name: str, capital: bool = False) -> str:
    """Return the name of an algorithm as it is written in a text; ``capital`` if it starts a sentence.

    >>> algorithm_title("alphabeta"), algorithm_title("pvs", capital=True), algorithm_title("mtdf")
    ('alpha-beta', 'Principal variation search', 'MTD(f)')
    """
    title = ALGORITHM_TITLES.get(name, name)
    return title[:1].upper() + title[1:] if capital else title


def _parameters(game: Game) -> Iterator[str]:
    """If any parameter of a game is unusual, yield the unusual ones, and all that are neither switches nor texts."""
    told = [field for field in dataclasses.fields(game) if field.init and field.repr]
    fields = [field for field in told if isinstance(getattr(game, field.name), (bool, int, float, str, tuple))]
    unusual = {field.name for field in fields if getattr(game, field.name) != _usual(field)}
    for field in fields:
        name, value = field.name.replace("_", " "), getattr(game, field.name)
        if isinstance(value, bool):
            if field.name in unusual:
                yield name if value else f"no {name}"
        elif field.name in unusual or (unusual and not isinstance(value, str)):
            yield f"{name} {' '.join(map(str, value)) if isinstance(value, tuple) else value}"


def _usual(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def value_in_words(game: Game, value: Any) -> str:
    """Return the value that a search found, for Max, in the words of the game.

    >>> import plywise as pw
    >>> chess = pw.games.Chess()
    >>> value_in_words(chess, 35), value_in_words(chess, 29_997), value_in_words(chess, -29_998)
    ('+0.35', 'White mates in 2', 'Black mates in 1')
    >>> value_in_words(pw.games.Nim(), 1), value_in_words(pw.games.DogCatMouse(), (5, 8, 2))
    ('+1', '(5, 8, 2)')
    """
    finite = isinstance(value, (int, float)) and math.isfinite(value)
    return game.score_text(value) if finite and game.is_zero_sum() else number(value)


def ending_in_words(game: Game, state: State, scores: Sequence[float], repeated: bool = False) -> str:
    """Return how a game ended, as a sentence.

    Args:
        game: the game.
        state: its last position.
        scores: one per player.
        repeated: whether it ended by repetition.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> ending_in_words(game, game.parse("XXX/OO./..."), [1, -1])
    'X wins.'
    """
    scores = scores[:1] if is_solitaire(game) else scores
    names = [game.player_name(player) for player in range(len(scores))]
    if len(scores) != 2 or sum(scores) != 0:
        names[0] += " gets"
        shares = [f"{name} {number(each)}" for name, each in zip(names, scores, strict=True)]
        return f"The game is over: {listing(shares)}."
    winner = 0 if scores[0] > 0 else 1
    reason = "repetition" if repeated else game.ending(state)
    if not reason and scores[winner] not in (0, 1) and game.plies_to_win(scores[winner]) < 0:
        reason = number(scores[winner])
    return f"{'A draw' if scores[0] == 0 else f'{names[winner]} wins'}{f' by {reason}' if reason else ''}."
