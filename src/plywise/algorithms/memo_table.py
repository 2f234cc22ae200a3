"""The memo of a search: a table of bounded size with values, or bounds of values, of positions.

An entry holds the whole key of its position, so two positions are never confused, however small the table.  A new entry
replaces the old one in its place.  The same code runs compiled, on an array of machine words, and interpreted, on an
array of Python objects.

Mirror images share a key but call their moves differently, so an entry holds a move by its name in the image
(``layers.Symmetry``).
"""

from __future__ import annotations

import numpy as np

from plywise.compiling.hashing import mark, spread
from plywise.compiling.native import Native, inlined
from plywise.compiling.rows import number_at, put, row_has
from plywise.compiling.words import word_count
from plywise.game import Game, Move, Number, State

EXACT, LOWER, UPPER = 1, 2, 3
"""Whether an entry's value is exact or a bound; 0 marks an empty place."""

BOUND, DEPTH, MOVE, MARK, VALUE, KEY = range(6)
"""Columns of an entry.  The mark distinguishes positions with the same key.  The key takes all remaining columns."""

ANY_DEPTH = -1
"""The depth of entries of a search without a horizon, whose values do not depend on the depth."""

DEPTH_STEP = 1 << 16
"""More than any remaining depth.  Each search adds its own multiple of this to the depths of its entries."""

MOST_INTERPRETED_PLACES = 1 << 14
"""The most places in interpreted runs: Python objects are large, and the searches small."""


@inlined
def bound_within(value: Number, alpha: Number, beta: Number) -> int:
    """Return whether a fail-soft value for this window is EXACT, a LOWER or an UPPER bound."""
    return UPPER if value <= alpha else LOWER if value >= beta else EXACT


@inlined
def settles(bound: int, value: Number, alpha: Number, beta: Number) -> bool:
    """Return whether a value of this ``bound`` settles a search with this window."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


class Memo(Native):
    """A table of positions with one entry in each place."""

    limited: bool
    """Whether the search has a horizon, so that values depend on the remaining depth."""
    entries: np.ndarray
    searches: np.ndarray
    """The number of searches so far.  With a horizon, each search sees only its own entries."""

    def find(self, game: Game, state: State, depth: int) -> int:
        """Return the place of the entry for ``state`` at exactly this depth, or -1."""
        key = game.key(state)
        place = spread(key) % len(self.entries)
        stored = self.entries[place, BOUND] != 0 and self.entries[place, DEPTH] == self.stored_depth(depth)
        return place if stored and row_has(self.entries, place, KEY, key) else -1

    def bound(self, place: int) -> int:
        """Return whether the value at ``place`` is EXACT, LOWER or UPPER."""
        return self.entries[place, BOUND]  # type: ignore[no-any-return]

    def move(self, game: Game, state: State, place: int) -> Move:
        """Return the best move of ``state`` at ``place``."""
        return game.move_from_image(state, self.entries[place, MOVE])

    def has_move(self, game: Game, state: State, place: int) -> bool:
        """Return whether the move at ``place`` is for ``state`` or its images, not for others with the same key."""
        return self.entries[place, MARK] == mark(game.image(state))  # type: ignore[no-any-return]

    def value(self, game: Game, place: int) -> Number:
        """Return the value at ``place``."""
        return number_at(game, self.entries, place, VALUE)  # type: ignore[no-any-return]

    def store(self, game: Game, state: State, depth: int, value: Number, bound: int, move: Move) -> None:
        """Store the result of a search of ``state``, replacing the entry in its place."""
        key = game.key(state)
        place = spread(key) % len(self.entries)
        self.entries[place, BOUND] = bound
        self.entries[place, DEPTH] = self.stored_depth(depth)
        self.entries[place, MOVE] = game.move_in_image(state, move)
        self.entries[place, MARK] = mark(game.image(state))
        put(self.entries, place, VALUE, value)
        put(self.entries, place, KEY, key)

    def stored_depth(self, depth: int) -> int:
        """Return ``depth`` as stored in entries: with a horizon, different for every search."""
        return depth + DEPTH_STEP * self.searches[0] if self.limited else ANY_DEPTH

    def begin_search(self) -> None:
        """With a horizon, invalidate the entries of earlier searches, at no cost.  Only Python calls this."""
        self.searches[0] += 1


def memo_of_size(game: Game, megabytes: float, limited: bool, any_value: bool = False) -> Memo:
    """Return an empty memo that takes at most ``megabytes`` of memory and holds at least one entry.

    ``any_value`` is for interpreted runs, whose keys, values and moves are Python objects.
    """
    width = KEY + (1 if any_value else word_count(game.key(game.initial())))
    places = max(1, int(megabytes * (1 << 20) / (8 * width)))
    if any_value:
        places = min(places, MOST_INTERPRETED_PLACES)
    entries = np.zeros((places, width), dtype=object if any_value else np.int64)
    return Memo(limited=limited, entries=entries, searches=np.zeros(1, dtype=np.int64))
