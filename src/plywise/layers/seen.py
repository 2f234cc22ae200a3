"""The features of a game that does not list them: those of its boards or words, the pieces on its board, or the numbers
of its positions.  On a board or in numbers, each player sees features of its own.

These functions are compiled with a game that has a network.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.bits import lowest, rest, shift_right
from plywise.cells import Cells
from plywise.compiling.native import is_default
from plywise.compiling.rows import put_words
from plywise.compiling.words import leaves, word_count

FORMS = ("features", "feature_boards", "feature_words")
"""The methods that say what the features are; a game needs one of them, or none."""
WORD_BITS = 64
BITS, VALUES = WORD_BITS, 64
"""The features of a number: one for each of its bits, and one for each small value."""

CELL_VALUES = 16
"""The features of a cell: values that are equal modulo this share one.  0 has none."""

MOST_BOARDS = 16
"""The most ``feature_boards``."""

CELLS_IN_WORD = 8
WORD, CELL, BASE = range(3)
"""Columns of ``numbers_in``: the word of a number, its cell in that word (-1: it is the whole word), and its first
feature.
"""


def how_it_is_seen(game: Any) -> Any:
    """Return the function below that finds the features of a game."""
    if gives_boards(type(game)):
        return seen_on_boards
    if gives_words(type(game)):
        return seen_in_words
    return seen_on_board if game.seen_pieces else seen_in_numbers


def gives_words(rules: type) -> bool:
    """Return whether the features of a class of games are those of ``feature_words``."""
    return _latest(rules) == "feature_words"


def gives_boards(rules: type) -> bool:
    """Return whether the features of a class of games are those of ``feature_boards``."""
    return _latest(rules) == "feature_boards"


def _latest(rules: type) -> str:
    """Return the method that says what the features are: the one that a class defines, before those it inherits."""
    for cls in rules.__mro__:
        for name in FORMS:
            if name in vars(cls) and not is_default(rules, name):
                return name
    return ""


def seen_on_boards(self: Any, state: Any, player: int) -> Iterator[int]:
    """Yield the features of ``feature_boards``."""
    codes, squares = self.feature_view(state, player)
    boards, occupied, count = np.zeros(MOST_BOARDS, np.int64), 0, 0
    for board in self.feature_boards(state):
        boards[count] = board
        occupied |= board
        count += 1
    while occupied:
        square, code = lowest(occupied), 0
        for place in range(count):
            code |= (shift_right(int(boards[place]), square) & 1) << place
        yield WORD_BITS * (code ^ codes) + (square ^ squares)
        occupied = rest(occupied)


def seen_in_words(self: Any, state: Any, player: int) -> Iterator[int]:
    """Yield the features of ``feature_words``."""
    first = 0
    for bits in self.feature_words(state, player):
        while bits:
            yield first + lowest(bits)
            bits = rest(bits)
        first += WORD_BITS


def seen_on_board(self: Any, state: Any, player: int) -> Iterator[int]:
    """Yield a feature for each piece on the board."""
    kinds = self.seen_pieces
    places = self.feature_count // (2 * kinds)
    for place in range(places):
        piece = self.piece_at(state, place)
        if piece > 0:
            yield (player * kinds + piece - 1) * places + place


def seen_in_numbers(self: Any, state: Any, player: int) -> Iterator[int]:
    """Yield features for each number and each cell of a position."""
    seat, numbers = player * (self.feature_count // 2), self.seen_numbers
    words = np.zeros((1, numbers[-1, WORD] + CELLS_IN_WORD), np.int64)
    put_words(words, 0, 0, state)
    for index in range(len(numbers)):
        value, cell = int(words[0, numbers[index, WORD]]), int(numbers[index, CELL])
        base = seat + int(numbers[index, BASE])
        if cell >= 0:
            value = shift_right(value, 8 * cell) & 255
            if value != 0:
                yield base + value % CELL_VALUES
        else:
            if 0 < value < VALUES:
                yield base + BITS + value
            while value != 0:
                yield base + lowest(value)
                value = rest(value)


def numbers_in(state: Any) -> tuple[np.ndarray, int]:
    """Return where the numbers of a position are, one row each, and how many features they have."""
    rows, word, base = [], 0, 0
    for leaf in leaves(state):
        if isinstance(leaf, Cells):
            for cell in range(len(leaf)):
                rows.append((word + cell // CELLS_IN_WORD, cell % CELLS_IN_WORD, base + CELL_VALUES * cell))
            base += CELL_VALUES * len(leaf)
        else:
            rows.append((word, -1, base))
            base += BITS + VALUES
        word += word_count(leaf)
    return np.array(rows, dtype=np.int64).reshape(-1, 3), base
