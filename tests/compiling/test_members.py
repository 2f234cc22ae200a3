"""Methods, properties and constants of positions and games in compiled code."""

from __future__ import annotations

import enum
import functools
from typing import NamedTuple

import pytest

import plywise as pw
from tests.readings import both
from tests.take_away import TakeAway as Take


class Tile(enum.IntEnum):
    EMPTY = 0
    X = 1
    O = 2  # noqa: E741


class Board(NamedTuple):
    tiles: tuple[int, ...]
    turn: int = 0
    WEIGHT = 5

    def is_full(self):
        return all(tile != Tile.EMPTY for tile in self.tiles)

    def with_tile(self, place, tile=Tile.X):
        return Board(pw.bits.with_item(self.tiles, place, tile), self.other)

    @property
    def other(self):
        return 1 - self.turn

    @staticmethod
    def doubled(number):
        return 2 * number


def weight_of(board):
    return board.doubled(board.WEIGHT) + board.other


class Tiles(Take):
    MARKS = (Tile.X, Tile.O)

    def initial(self):
        return Board((Tile.EMPTY, Tile.EMPTY, 0))

    def moves(self, state):
        return (place for place, tile in enumerate(state.tiles) if tile == Tile.EMPTY)

    def play(self, state, move):
        return state.with_tile(move) if state.turn == 0 else state.with_tile(move, tile=self.MARKS[state.turn])

    def is_terminal(self, state):
        return state.is_full()

    def score(self, state):
        return sum(tile.value if False else (i + 1) * tile for i, tile in enumerate(state.tiles)) + weight_of(state)


def test_positions_have_methods_and_members_of_an_int_enum_are_integers() -> None:
    assert both(Tiles()) == 8 + 10
    assert both(Tiles(), state=Board((Tile.X, 2, Tile.EMPTY), Tile.X))


def test_a_method_of_the_position_that_is_replaced_counts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = both(Tiles())
    monkeypatch.setattr(Board, "doubled", staticmethod(lambda number: 20 * number))  # which a helper calls
    assert both(Tiles()) == before + 90
    monkeypatch.setattr(Board, "other", property(lambda self: 1 - self.turn + 0 * len(self.tiles)))
    assert both(Tiles()) == before + 90


class CachedMethod(Take):
    @functools.cache  # noqa: B019
    def most(self, left):
        return min(3, left)

    def moves(self, state):
        return range(1, self.most(state.left) + 1)


def test_a_cached_method_is_compiled_as_what_it_caches() -> None:
    assert both(CachedMethod(5)) == both(Take(5))
