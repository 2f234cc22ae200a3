"""A table never confuses two positions, however small it is, compiled or interpreted."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise as pw
from plywise.algorithms.memo_table import EXACT, LOWER, UPPER, Memo, memo_of_size
from tests.readings import compiled, interpreted

ENTRY_BYTES = 1 << 20


class Point(NamedTuple):
    x: int
    y: float
    turn: bool


class Points(pw.Game):
    """No game: only positions to keep.  Its keys are made of all kinds of numbers."""

    def initial(self):
        return Point(0, 0.0, False)

    def score(self, state):
        return state.x

    def evaluate(self, state):
        return state.y

    def key(self, state):
        return (state.x, (state.y, state.turn))


class Whole(Points):
    """The same with whole values, and one number as a key."""

    def evaluate(self, state):
        return 0

    def key(self, state):
        return state.x * 2 + state.turn


def exercise(game, state, table, script, log):
    """Do what the script says: store a value, or look for one and write down what was found."""
    for i in range(len(script)):
        x, turn, depth, value, bound, move = script[i]
        point = Point(x, x * 0.5, turn == 1)
        place = table.find(game, point, depth)
        log[i, 0] = place >= 0
        if place >= 0:
            log[i, 1] = table.value(game, place)
            log[i, 2] = table.bound(place)
            log[i, 3] = table.move(game, point, place)
            log[i, 4] = table.has_move(game, point, place)
        if bound != 0:
            table.store(game, point, depth, value + game.evaluate(point), bound, move)
    return 0


def script_of(seed: int, length: int = 3000, points: int = 40) -> np.ndarray:
    chance = random.Random(seed)
    rows = []
    for _ in range(length):
        value = chance.choice([0, -1, 7, -(1 << 50), 1 << 50])
        bound = chance.choice([0, EXACT, LOWER, UPPER])
        x = chance.randrange(-points // 2, points // 2) * chance.choice([1, 1 << 55])
        rows.append((x, chance.randrange(2), chance.randrange(3), value, bound, chance.randrange(100)))
    return np.array(rows)


def tables(game: pw.Game, places: int, limited: bool) -> list[tuple[Any, Memo]]:
    """For each reading, the function that runs it and an empty table with this number of places."""
    found = []
    for run, any_value in ((compiled, False), (interpreted, True)):
        one = memo_of_size(game, 1e-9, limited, any_value)
        shape = (places, one.entries.shape[1])
        entries = np.zeros(shape, dtype=one.entries.dtype)
        found.append((run, Memo(limited=limited, entries=entries, searches=one.searches)))
    return found


@pytest.mark.parametrize("game", [Points(), Whole()], ids=["float", "whole"])
@pytest.mark.parametrize("limited", [True, False])
def test_what_is_found_was_stored_for_this_position(game: pw.Game, limited: bool) -> None:
    for places in (1, 7, 1 << 12):
        for seed in range(3):
            script = script_of(seed)
            for run, table in tables(game, places, limited):
                log = np.zeros((len(script), 5))
                run(exercise, game, table, script, log)
                hits = check_log(game, script, log, limited, places)
                assert hits > (300 if places > 1000 else 0), (run, places, seed)


def check_log(game: pw.Game, script: np.ndarray, log: np.ndarray, limited: bool, places: int) -> int:
    """Hold a log against a dictionary; returns how often something was found."""
    known: dict[Any, tuple[float, int, int]] = {}
    last = None
    hits = 0
    for (x, turn, depth, value, bound, move), (found, *entry) in zip(script.tolist(), log.tolist(), strict=True):
        point = Point(x, x * 0.5, turn == 1)
        key = (game.key(point), depth if limited else None)
        if found:
            hits += 1
            assert tuple(entry) == (*known[key], True)
        if places == 1:
            assert bool(found) == (key == last)
        if bound:
            known[key] = (float(value + game.evaluate(point)), bound, move)
            last = key
    return hits


def test_a_table_keeps_to_its_size_and_holds_something() -> None:
    game = Points()
    assert memo_of_size(game, 1.0, False).entries.nbytes <= ENTRY_BYTES
    assert len(memo_of_size(game, 1e-9, False).entries) == 1


def test_with_a_horizon_an_earlier_search_is_forgotten() -> None:
    game = Whole()
    for run, table in tables(game, 64, limited=True):
        script = np.array([(3, 0, 1, 5, EXACT, 2), (3, 0, 1, 0, 0, 0)])
        log = np.zeros((2, 5))
        run(exercise, game, table, script, log)
        assert log[:, 0].tolist() == [0, 1]
        table.begin_search()
        run(exercise, game, table, script[1:], log)
        assert log[0, 0] == 0
