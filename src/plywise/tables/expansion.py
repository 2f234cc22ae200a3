"""What the rules say about many positions at once: the only part of a table that is compiled for each game."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from plywise.cells import Cells, block_words
from plywise.compiling.reading import call_of, prepare
from plywise.compiling.rows import put, rows_of, state_at
from plywise.compiling.words import leaves, plain_words, word_count
from plywise.errors import GameError, SearchError
from plywise.game import Game, State
from plywise.layers import CHANCE

OVER = 2
"""Stands for the player to move where the game is over."""

ROOM = 1 << 16
"""Room for the successors of a range of positions; more if a single position has more."""

EXACT = float(1 << 53)
"""Whole numbers below this are exact as floats, which scores are here."""


def expand(
    game: Game, state: State, rows: np.ndarray, first: int, facts: np.ndarray, scores: np.ndarray,
    repeated: np.ndarray, after: np.ndarray, chances: np.ndarray,
) -> int:  # fmt: skip
    """Write what follows the positions in ``rows`` from ``first`` on, until ``after`` is full.

    Args:
        game: whose rules to follow.
        state: any position.
        rows: positions.
        first: where to start.
        facts: for each position, who is to move, and where in ``after`` its last successor is, plus one.
        scores: for each finished game, its score.
        repeated: for each position, what it is worth if the game never ends.
        after: the positions that follow, those of one position side by side.
        chances: the probabilities of those that follow where chance moves.

    Returns:
        The first position that was left out; the number of positions, if none was.
    """
    count = 0
    for row in range(first, len(rows)):
        here = state_at(game, rows, row)
        if game.is_terminal(here):
            facts[row, 0] = OVER
            scores[row] = game.score(here)
        else:
            player = game.to_move(here)
            facts[row, 0] = player
            repeated[row] = game.repetition(here)
            for move in game.moves(here):
                if count == len(after):
                    return row
                put(after, count, 0, game.without_history(game.play(here, move)))
                if player == CHANCE:
                    chances[count] = game.probability(here, move)
                count += 1
        facts[row, 1] = count
    return len(rows)


class Expanded(NamedTuple):
    """What the rules say about a range of positions."""

    first: int
    """The first position."""
    last: int
    """The last position, plus one."""
    players: np.ndarray
    """Who is to move in each position; OVER where the game is over."""
    ends: np.ndarray
    """For each position, how many successors it has together with the positions before it in the range."""
    scores: np.ndarray
    """The scores of finished games."""
    repeated: np.ndarray
    """What each position is worth if the game never ends."""
    after: np.ndarray
    """The successors of all positions, as rows of words; as codes if ``is_packed``."""
    chances: np.ndarray
    """The probability of each successor where chance moves."""
    is_packed: bool = False


class Rules:
    """The rules of a game, compiled if possible, for many positions at once.

    Raises:
        SearchError: a table cannot hold the positions of this game.
    """

    def __init__(self, game: Game, example: State) -> None:
        self.game, self.example = game, example
        if not all(isinstance(leaf, (int, float, Cells)) for leaf in leaves(example)):
            raise SearchError(f"a table holds positions made of numbers, unlike {example!r} of {game!r}")
        self.words = word_count(example)
        self.compiled = prepare(expand, game, example, lambda: self._arguments(self._example_rows(), 1))

    def _example_rows(self) -> np.ndarray:
        return np.zeros((1, self.words), dtype=np.int64)

    def kernel(self, function: Any) -> Any:
        """Return a function of arrays, compiled if the rules are."""
        if self.compiled is None:
            return function
        from plywise.compiling.bridge import kernel

        return kernel(function)

    def rows(self, words: np.ndarray) -> np.ndarray:
        """Return positions, given as rows of words, in the form that the rules take."""
        if self.compiled is not None:
            return np.ascontiguousarray(words, dtype=np.int64)
        return rows_of([self.state(row) for row in words.tolist()], self.example, compiled=False)

    def state(self, words: Iterable[int]) -> State:
        """Return the position with these words."""
        return plain_value(iter(words), self.example)

    def row(self, state: State) -> list[int]:
        """Return the words of a position."""
        return plain_words(state, self.example)

    def all_words(self, states: Iterable[State]) -> np.ndarray:
        """Return the words of positions, of which there may be many."""
        flat = all(type(item) is int for item in self.example)
        listed = itertools.chain.from_iterable(states if flat else map(self.row, states))
        return np.fromiter(listed, dtype=np.int64).reshape(-1, self.words)

    def expansions(self, words: np.ndarray) -> Iterator[Expanded]:
        """Yield what follows the positions in ``words``, a range of them at a time."""
        rows, first, room = self.rows(words), 0, ROOM
        while first < len(rows):
            arguments = self._arguments(rows, room, first)
            call = call_of(expand, self.game, self.example, arguments, self.compiled)
            last = call(*arguments)
            if last == first:
                room *= 2  # not even the successors of one position fit
                continue
            yield self._checked(rows, first, last, arguments)
            first = last

    def _arguments(self, rows: np.ndarray, room: int, first: int = 0) -> tuple[Any, ...]:
        count = len(rows)
        after = np.empty((room, 1), dtype=object) if rows.dtype == object else np.empty((room, self.words), np.int64)
        return (
            rows, first, np.zeros((count, 2), dtype=np.int64), np.zeros(count), np.zeros(count), after, np.zeros(room),
        )  # fmt: skip

    def _checked(self, rows: np.ndarray, first: int, last: int, arguments: tuple[Any, ...]) -> Expanded:
        _, _, facts, scores, repeated, after, chances = arguments
        players, ends = facts[first:last, 0], facts[first:last, 1]
        count = int(ends[-1])
        idle = np.flatnonzero((np.diff(ends, prepend=0) == 0) & (players != OVER))
        strange = np.flatnonzero((players < CHANCE) | (players > OVER))
        for wrong, problem in (
            (idle, "has no moves, but is_terminal() is False"), (strange, "has a third player to move"),
        ):  # fmt: skip
            if len(wrong):
                state = self._state_of(rows, first + int(wrong[0]))
                raise GameError(f"position {self.game.format(state)!r} of {self.game!r} {problem}")
        if not np.all(np.abs(scores) < EXACT):
            raise SearchError(f"a table needs scores below 2^53, and {self.game!r} has others")
        if not np.all(np.isfinite(repeated)):
            raise SearchError(f"a table needs a finite repetition(), and that of {self.game!r} is not")
        if after.dtype == object:
            listed = [self.row(state) for state in after[:count, 0]]
            after = np.array(listed, dtype=np.int64).reshape(count, self.words)
        return Expanded(
            first, last, players, ends, scores[first:last], repeated[first:last], after[:count], chances[:count]
        )

    def _state_of(self, rows: np.ndarray, row: int) -> State:
        return rows[row, 0] if rows.dtype == object else self.state(rows[row].tolist())


def plain_value(words: Iterator[int], like: Any) -> Any:
    """Return the value with these words, of the type of ``like``: the inverse of ``plain_words``."""
    if isinstance(like, Cells):
        block = struct.pack(f"{block_words(len(like))}q", *(next(words) for _ in range(block_words(len(like)))))
        return Cells(struct.unpack_from(f"{len(like)}b", block))
    if isinstance(like, tuple):
        items = [plain_value(words, item) for item in like]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    word = next(words)
    if isinstance(like, float):
        return struct.unpack("d", struct.pack("q", word))[0]
    return type(like)(word)
