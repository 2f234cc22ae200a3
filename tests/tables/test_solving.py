"""Values and distances of games with cycles and dice, against plain oracles."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import plywise as pw
from tests.tables.graphs import (
    Place,
    Walk,
    followed,
    forced_values,
    number_of_strategies,
    random_walk,
    reachable,
    stationary_values,
    successors,
)


@pytest.mark.parametrize("rest", [0.0, -1.0, 2.0])
def test_without_dice_values_are_what_the_players_can_force(rest):
    for seed in range(60):
        game = random_walk(seed, nodes=5 + seed % 60, dice=False, rest=rest, forward=(seed % 5) / 4)
        table = pw.tabulate(game)
        expected = forced_values(game, rest)
        assert {node: table[Place(node)].value for node in expected} == expected, f"seed {seed}"
        assert len(table) == len(expected), f"seed {seed}"


def test_distances_are_those_of_best_play_and_best_moves_keep_both():
    for seed in range(60):
        game = random_walk(seed, nodes=5 + seed % 40, dice=False, forward=(seed % 5) / 4)
        table = pw.tabulate(game)
        expected = forced_values(game, 0.0)
        distances = plain_distances(game, expected)
        for node in expected:
            found = table[Place(node)]
            assert found.distance == distances.get(node), f"seed {seed}, node {node}"
            if found.move is not None:
                after = table[game.play(Place(node), found.move)]
                assert after.value == found.value
                assert after.distance == (None if found.distance is None else found.distance - 1)


def plain_distances(game: Walk, values: dict[int, float]) -> dict[int, int]:
    """Plies to the end, where moves that lose value do not count: who is ahead hurries, the others delay."""
    known = {node: 0 for node in values if game.movers[node] == 2}
    plies = 0
    while plies <= max(known.values()):
        plies += 1
        added = {}
        for node in values.keys() - known.keys():
            hurry = values[node] > 0 if game.movers[node] == 0 else values[node] < 0
            ready = [next_ in known for next_ in successors(game, node) if values[next_] == values[node]]
            if (any if hurry else all)(ready):
                added[node] = plies
        known |= added
    return known


def test_with_dice_values_are_those_of_the_best_stationary_strategies():
    tried = 0
    for seed in range(400):
        game = random_walk(seed, nodes=4 + seed % 9, dice=True, forward=(seed % 3) / 4, rest=float(seed % 3 - 1))
        if number_of_strategies(game) > 400:
            continue
        tried += 1
        table = pw.tabulate(game)
        for node, value in stationary_values(game, float(seed % 3 - 1)).items():
            assert table[Place(node)].value == pytest.approx(value, abs=1e-9), f"seed {seed}, node {node}"
    assert tried > 200


def test_a_loss_far_ahead_is_not_forgotten_by_waiting():
    # Max at 0 may wait (1) or roll (2); Min at 1 may lose (4) or wait (0).  The roll wins 1 (4), or loses 4 a ply later
    # (3, 5), or changes nothing (0).  Max must not wait until the loss is too far ahead to be seen, and then roll.
    game = Walk(
        np.array([0, 1, -1, 0, 2, 2]), np.array([0, 2, 4, 7, 8, 8, 8]), np.array([1, 2, 4, 0, 4, 3, 0, 5]),
        np.array([0, 0, 0, 0, 0.5, 0.25, 0.25, 0]), np.array([0, 0, 0, 0, 1.0, -4.0]), np.zeros(6),
    )  # fmt: skip
    table = pw.tabulate(game)
    assert table.method == "value iteration"
    assert table[Place(0)].value == pytest.approx(0, abs=1e-9)
    assert table[Place(1)].value == pytest.approx(0, abs=1e-9)
    assert table[Place(2)].value == pytest.approx(-0.5, abs=1e-9)


def test_a_game_without_end_may_be_worth_more_than_every_end_elsewhere():
    # The dice at 0 lead to Max at 1, who stays there forever for 5, or ends the game at 2.
    game = Walk(
        np.array([-1, 0, 2]), np.array([0, 2, 4, 4]), np.array([1, 0, 1, 2]), np.array([0.5, 0.5, 0, 0]),
        np.zeros(3), np.array([0.0, 5.0, 0.0]),
    )  # fmt: skip
    table = pw.tabulate(game)
    assert table[Place(1)].value == 5
    assert table[Place(0)].value == pytest.approx(5, abs=1e-9)


def test_a_long_way_to_a_win_is_found_where_players_can_wait():
    # Max walks from 1 along a path of 8,000 places to the end that wins 1, or goes back to the dice at 0, which lead to
    # 1 or 2.  At 1 Max may also let Min choose between 0.5 and 5.  Waiting keeps the upper bound at 5.
    far = 8_000
    least, won, half, five = range(far + 1, far + 5)
    after = [[1, 2], [2, least], *([place + 1, 0] for place in range(2, far)), [won, 0], [half, five], [], [], []]
    game = Walk(
        np.array([-1, *[0] * far, 1, 2, 2, 2]), np.cumsum([0, *map(len, after)]),
        np.array([place for places in after for place in places]),
        np.full(2 * far + 4, 0.5), np.array([0.0] * (far + 2) + [1.0, 0.5, 5.0]), np.zeros(far + 5),
    )  # fmt: skip
    table = pw.tabulate(game, map(Place, range(far + 5)))
    assert all(table[Place(place)].value == 1 for place in range(0, far + 1, 100))
    assert table.line(Place(1), most=far)[-1] == game.starts[far]


def test_the_moves_of_a_table_with_dice_reach_its_values():
    for seed in range(150):
        rest = float(seed % 4 - 1)
        game = random_walk(seed, nodes=4 + seed % 60, dice=True, forward=(seed % 3) / 6, rest=rest)
        table = pw.tabulate(game, threads=1)
        nodes = sorted(reachable(game))
        entries = [table[Place(node)] for node in nodes]
        chosen = {n: int(game.after[e.move]) for n, e in zip(nodes, entries, strict=True) if e.move is not None}
        values = [entry.value for entry in entries]
        assert followed(game, nodes, chosen, rest) == pytest.approx(values, abs=1e-9), f"seed {seed}"


def test_the_moves_of_a_table_with_dice_guarantee_its_values_against_every_reply():
    tried = 0
    for seed in range(300):
        rest = float(seed % 3 - 1)
        game = random_walk(seed, nodes=4 + seed % 9, dice=True, forward=(seed % 3) / 4, rest=rest)
        if number_of_strategies(game) > 100:
            continue
        tried += 1
        table = pw.tabulate(game, threads=1)
        nodes = sorted(reachable(game))
        values = np.array([table[Place(node)].value for node in nodes])
        for player in (0, 1):
            mine = {n: int(game.after[table[Place(n)].move]) for n in nodes if game.movers[n] == player}
            theirs = [n for n in nodes if game.movers[n] == 1 - player]
            for replies in itertools.product(*(successors(game, n) for n in theirs)):
                reached = np.array(followed(game, nodes, mine | dict(zip(theirs, replies, strict=True)), rest))
                better = reached - values if player == 0 else values - reached
                assert better.min() > -1e-9, f"seed {seed}"
    assert tried > 100


def test_who_can_win_by_dice_does_not_wait_on_a_cycle_without_dice():
    # Max at 0 may go to Max at 1, who can go back or to the dice at 2, which win 1 or 2.  All three are worth 1.5.
    game = Walk(
        np.array([0, 0, -1, 2, 2]), np.array([0, 1, 3, 5, 5, 5]), np.array([1, 0, 2, 3, 4]),
        np.array([0, 0, 0, 0.5, 0.5]), np.array([0, 0, 0, 1.0, 2.0]), np.zeros(5),
    )  # fmt: skip
    table = pw.tabulate(game)
    assert table[Place(0)] == (1.5, 0, None)
    assert table[Place(1)] == (1.5, 2, None)


def test_values_that_are_not_found_are_not_given():
    # Two dice lead to one another, and to an end once in ten million times.
    game = Walk(
        np.array([-1, -1, 2, 2]), np.array([0, 2, 5, 5, 5]), np.array([1, 0, 0, 2, 3]),
        np.array([0.3, 0.7, 1 - 1e-7, 0.4e-7, 0.6e-7]), np.array([0, 0, 1.0, -1.0]), np.zeros(4),
    )  # fmt: skip
    with pytest.raises(pw.SearchError, match="no values were found to the tolerance of 1e-12"):
        pw.tabulate(game)


@pytest.mark.parametrize("rest", [np.inf, -np.inf, np.nan])
def test_a_game_without_end_must_have_a_finite_worth(rest):
    with pytest.raises(pw.SearchError, match=r"finite repetition\(\)"):
        pw.tabulate(random_walk(3, nodes=30, dice=True, rest=rest))


def test_a_cycle_on_which_the_rest_varies_is_refused():
    game = random_walk(3, nodes=30, dice=False, forward=0.0)
    uneven = Walk(game.movers, game.starts, game.after, game.chances, game.scores_at, np.arange(30.0))
    with pytest.raises(pw.SearchError, match=r"repetition\(\) is not the same"):
        pw.tabulate(uneven)
