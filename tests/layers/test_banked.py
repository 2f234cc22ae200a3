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


class Misere(Kalah):
    """Fewer stones win."""

    def score(self, state):
        return -super().score(state)

    def evaluate(self, state):
        return -super().evaluate(state)

    def bounds(self, state):
        return -self.total, self.total


class MisereBanked(Misere):
    def score(self, state):
        return -Kalah.score(self, state)

    def banked(self, state):
        return -self.lead(state)

    def rest_key(self, state):
        return Kalah.rest_key(self, state)


def test_a_subclass_that_changes_a_rule_inherits_no_points() -> None:
    with pw.interpreted():
        value = pw.search(Misere(4, 2), algorithm="memo").value
        assert pw.Engine(Misere(4, 2)).solve().value == value
        assert pw.Engine(MisereBanked(4, 2)).solve().value == value


def test_a_subclass_keeps_the_points_unless_it_changes_what_they_depend_on() -> None:
    class Named(Kalah):
        def player_name(self, player):
            return "AB"[player]

    class OtherKey(Kalah):
        def key(self, state):
            return tuple(state)

    class OtherRest(Kalah):
        def evaluate(self, state):
            return 0

        def rest_key(self, state):
            return self.key(state)

    state = Kalah().parse("4,4,4,4,4,0,5/4,4,4,4,4,3,0 S")
    assert [kind().banked(state) for kind in (Named, OtherKey, OtherRest, Misere, MisereBanked)] == [5, 0, 5, 0, -5]
    assert Named().rest_key(state) == Kalah().rest_key(state)
    assert OtherKey().rest_key(state) == tuple(state)
