"""Moves as texts, one after the other, such as ``D4 E5 pass``; they may stand for a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plywise.errors import PositionError
from plywise.game import Game, Move, State


def after_moves(game: Game, state: State, words: Iterable[str], text: str) -> State:
    """Return the position after these moves; ``text`` is what they were read from.

    Raises:
        PositionError: a move is not legal; the message says which.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> game.format(after_moves(game, game.initial(), ["a1", "b2"], "a1 b2"))
    '.../.O./X..'
    """
    for number, word in enumerate(words, 1):
        try:
            state = game.play(state, game.parse_move(state, word))
        except PositionError as wrong:
            raise PositionError(f"{text!r} is not a position: move {number}: {wrong}") from None
    return state


def move_texts(game: Game, state: State, moves: Iterable[Move]) -> Iterator[str]:
    """Yield the texts of moves that are played from a position.

    >>> import plywise as pw
    >>> game = pw.games.Kalah()
    >>> list(move_texts(game, game.initial(), [2, 5, 1]))
    ['C', 'F', 'b']
    """
    for move in moves:
        yield game.format_move(state, move)
        state = game.play(state, move)
