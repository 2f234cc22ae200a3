"""From positions to examples: what is expected of a position, and what is seen in it."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

import plywise as pw
from plywise.compiling.words import plain_words
from plywise.engine.network import Network
from plywise.learning.lessons import Subject, state_in
from plywise.learning.positions import FIRST, PROVEN, Positions
from plywise.learning.scale import best_scale
from tests.engine.test_network import Heaps, some_positions


def some(values: list[float], results: list[float], proven: list[int]) -> Positions:
    """Return positions of tic-tac-toe of which only this is known."""
    flags = [FIRST | (PROVEN if each else 0) for each in proven]
    rows = np.zeros((len(values), 3), np.int64)
    return Positions(
        rows, np.array(values, np.float32), np.array(results, np.float32), np.zeros(len(rows), np.uint16),
        np.array(flags, np.uint8),
    )  # fmt: skip


def test_a_target_mixes_the_value_and_the_result() -> None:
    subject = Subject(pw.games.TicTacToe(), 4)
    nothing = math.nan
    known = some([0.5, 0.5, 1.0, nothing, nothing], [-1.0, nothing, -1.0, 1.0, nothing], [0, 0, 1, 0, 0])
    assert subject.scale_of(known) == 1.0
    expected = [0.75 * 0.75 + 0.25 * 0.0, 0.75, 1.0, 1.0, nothing]
    np.testing.assert_allclose(subject.targets(known, 1.0, 0.75), expected)


def test_points_become_expected_results_by_a_fitted_scale() -> None:
    subject = Subject(pw.games.Chess(), 4, corrects=True)
    np.testing.assert_allclose(
        subject.expected(np.array([0.0, 200.0, -29_990.0, 30_000.0]), 200.0), [0.5, 1 / (1 + math.exp(-1)), 0.0, 1.0]
    )
    chance = np.random.default_rng(1)
    values = chance.normal(0, 300, 40_000)
    results = (chance.random(40_000) < 1 / (1 + np.exp(-values / 150))).astype(float)
    assert best_scale(values, results, 25, 1600) == pytest.approx(150, rel=0.05)


@pytest.mark.parametrize("game", [pw.games.Checkers(), pw.games.ConnectFour(), Heaps()], ids=repr)
def test_examples_hold_what_each_player_sees(game: Any) -> None:
    states, start = some_positions(game, 60), game.initial()
    rows = np.array([plain_words(state, start) for state in states])
    assert [state_in(iter(row), start) for row in rows.tolist()] == states
    positions = dataclasses.replace(some([1.0] * 60, [0.0] * 60, [0] * 60), rows=rows)
    subject = Subject(game, 4, corrects=isinstance(game, pw.FastestWin))
    examples = subject.examples(positions, 50.0)
    states = [game.image(state) for state in states]
    for row, state in enumerate(states):
        viewer = game.viewer(state)
        own = examples.own[examples.own_starts[row] : examples.own_starts[row + 1]]
        their = examples.their[examples.their_starts[row] : examples.their_starts[row + 1]]
        assert own.tolist() == list(game.features(state, viewer))
        assert their.tolist() == list(game.features(state, 1 - viewer))
        assert examples.buckets[row] == game.bucket(state)
        if subject.corrects:
            assert examples.base[row] == pytest.approx(pw.sign(viewer) * game.evaluate(state) / 50.0)
    with pw.interpreted():
        plain = subject.examples(positions, 50.0)
    for one, other in zip(examples, plain, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_blank_network_knows_nothing() -> None:
    subject = Subject(pw.games.Checkers(), 4, corrects=True)
    network = subject.blank()
    assert isinstance(network, Network)
    game = subject.game
    state = game.parse("11-15 23-19 8-11")
    assert subject.judged(network).evaluate(state) == game.evaluate(state)
