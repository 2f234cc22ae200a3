"""Points already won are left out of the engine's table, and no value changes."""

from __future__ import annotations

import random

import pytest

import plywise as pw
from plywise.games import Kalah
from tests.games.support import random_game
from tests.own_games.dots_and_boxes import DotsAndBoxes


class Boxes(pw.Banked, DotsAndBoxes):
    def banked(self, state):
        return state.lead

    def rest_key(self, state):
        return state.drawn


@pytest.mark.parametrize("seed", range(3))
def test_one_engine_gives_the_values_of_minimax_whatever_it_searched_before(seed: int) -> None:
    game = Kalah(3, 3)
    engine, chance = pw.Engine(game, table_mb=1), random.Random(seed)
    positions = [state for _ in range(3) for state in random_game(game, chance.randrange(10**9))[:-1:2]]
    chance.shuffle(positions)
    for state in positions:
        depth = chance.randrange(1, 7)
        assert engine.search(state, depth=depth).value == pw.search(game, state, algorithm="pvs", depth=depth).value
    for state in positions:
        assert engine.solve(state).value == pw.search(game, state, algorithm="memo").value


def test_threads_share_such_a_table() -> None:
    game = Kalah(3, 4)
    assert pw.solve(game, threads=2).value == pw.solve(game).value == 2


def test_positions_that_differ_in_points_alone_share_an_entry() -> None:
    with pw.interpreted():
        plain, banked = pw.Engine(DotsAndBoxes(2, 1)).solve(), pw.Engine(Boxes(2, 1)).solve()
        assert plain.value == banked.value
        assert banked.nodes < plain.nodes
        engine = pw.Engine(Boxes(2, 1))
        ahead = engine.solve("0 2 0")
        behind = engine.solve("0 -2 1")
    assert ahead.value - 2 == banked.value
    assert behind.value + 2 == -banked.value
    assert behind.nodes < ahead.nodes
