"""TD(λ) learns the values of a small dice game; its steps follow the gradient; a turn is found whole."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

import plywise as pw
from plywise.errors import GameError, SearchError
from plywise.game import MAX, sign
from plywise.games import Backgammon, Pig
from plywise.games.pig import Totals
from plywise.learning.td import RATE, Progress, correct, find_turns, learn, logit_of, new_desk, put_down, value_of
from plywise.learning.weights import Shape, Weights
from tests.games.support import random_game


class SeenPig(pw.Features, Pig):
    """Pig to a few points, whose features are the points of both players and of the turn."""

    goal: int = 20
    feature_count = 102

    def features(self, state: Totals, player: int) -> Iterator[int]:
        mine = state.turn == player
        yield state.mine if mine else state.theirs
        yield 20 + (state.theirs if mine else state.mine)
        yield (40 if mine else 70) + state.pot
        yield 100 + state.rolling

    def viewer(self, state: Totals) -> int:
        return state.turn


def random_weights(game: pw.Game, hidden: int) -> Weights:
    """Return random weights, also of the outputs."""
    weights = Weights.random(Shape(game.feature_count, hidden, game.buckets), active=8, seed=1)
    weights.outputs[:] = np.random.default_rng(2).uniform(-1, 1, weights.outputs.shape)
    return weights


def turns(game: pw.Game, state: object) -> set[object]:
    """Return the positions that can follow a turn."""
    found: set[object] = set()
    for move in game.moves(state):
        after = game.play(state, move)
        more = not game.is_terminal(after) and game.to_move(after) == game.to_move(state)
        found |= turns(game, after) if more else {after}
    return found


def mean_error(game: pw.Game, weights: Weights, exact: dict[Totals, float]) -> float:
    """Return the mean difference between learned and exact values, from -1 to 1 for MAX."""
    desk = new_desk(game, weights, compiled=False)
    put_down(game, game.initial(), weights, desk)
    return float(np.mean([abs(2 * value_of(game, state, weights, desk) - 1 - value) for state, value in exact.items()]))


def best_play(game: pw.Game, table: pw.Table, games: int) -> dict[Totals, float]:
    """Return the exact values of the positions at the ends of turns in games of best play."""
    dice, found = random.Random(3), {}
    for _ in range(games):
        state = game.initial()
        while not game.is_terminal(state):
            after = [game.play(state, move) for move in game.moves(state)]
            if game.to_move(state) == pw.CHANCE:
                state = dice.choice(after)
            else:
                state = max(after, key=lambda each: sign(game.to_move(state)) * table[each].value)
                found[state] = table[state].value
    return {state: value for state, value in found.items() if not game.is_terminal(state)}


@pytest.mark.parametrize("hidden", [0, 16])
def test_values_of_a_dice_game_become_the_exact_ones(hidden: int) -> None:
    game = SeenPig()
    exact = best_play(game, pw.tabulate(game), 200)
    weights = Weights.random(Shape(game.feature_count, hidden), active=4)
    found = learn(game, weights, games=20_000, rates=(0.05, 0.001))
    assert mean_error(game, weights, exact) > 0.3
    assert mean_error(game, found.weights, exact) < 0.1
    assert found.games >= 20_000
    assert found.positions > 5 * found.games


def test_a_step_follows_the_gradient() -> None:
    game = Backgammon()
    state = random_game(game, 5)[60]
    weights = Weights(*(part.astype(np.float64) for part in random_weights(game, 3)))
    before = Weights(*(part.copy() for part in weights))
    desk = new_desk(game, weights, compiled=False)
    rate, target, small = 1e-5, 0.3, 1e-6
    desk.settings[RATE] = rate

    def loss() -> float:
        put_down(game, state, weights, desk)
        logit = logit_of(game, state, weights, desk)
        return math.log1p(math.exp(logit)) - target * logit

    correct(game, state, weights, desk, target)
    steps = [(old - new) / rate for old, new in zip(before, weights, strict=True)]
    assert [np.any(step) for step in steps] == [True] * 4 + [False]
    chance = np.random.default_rng(4)
    for part, old, step in zip(weights, before, steps, strict=True):
        part[:] = old
        touched = np.argwhere(step)
        for place in map(tuple, touched[chance.permutation(len(touched))[:40]]):
            part[place] = old[place] + small
            above = loss()
            part[place] = old[place] - small
            assert (above - loss()) / (2 * small) == pytest.approx(step[place], abs=1e-4)
            part[place] = old[place]


def test_compiled_and_interpreted_learning_agree() -> None:
    game = SeenPig()
    weights = random_weights(game, 20)
    found = learn(game, weights, games=1, seed=6).weights
    with pw.interpreted():
        plain = learn(game, weights, games=1, seed=6).weights
    assert not np.array_equal(weights.outputs, found.outputs)
    for one, other in zip(found, plain, strict=True):
        assert np.allclose(one, other, atol=1e-5)


def test_threads_learn_together() -> None:
    game = SeenPig()
    weights = random_weights(game, 16)
    one, two = (learn(game, weights, games=2_000, threads=threads) for threads in (1, 2))
    assert two.games >= 2_000
    assert two.positions / two.games == pytest.approx(one.positions / one.games, rel=0.2)


def test_learning_ends_in_time_and_reports() -> None:
    reports: list[Progress] = []
    found = learn(SeenPig(), random_weights(SeenPig(), 16), seconds=0.3, on_step=reports.append)
    assert found is reports[-1]
    assert found.seconds >= 0.3
    assert 0 < found.error < 1
    assert [report.games for report in reports] == sorted(report.games for report in reports)
    assert found.games > 0


def test_a_turn_is_found_whole_and_each_position_once() -> None:
    game = Backgammon()
    desk = new_desk(game, random_weights(game, 1), compiled=False)
    for state in random_game(game, 7)[1:60]:
        if game.to_move(state) != pw.CHANCE:
            rows = [desk.turn[row, 0] for row in range(find_turns(game, state, desk))]
            assert len(set(rows)) == len(rows)
            ends = {row for row in rows if game.is_terminal(row) or game.to_move(row) != game.to_move(state)}
            assert ends == turns(game, state)


def test_a_game_that_names_no_features_is_learned_compiled(recwarn: pytest.WarningsRecorder) -> None:
    game = Pig(20)
    weights = Weights.random(Shape(game.feature_count, 16), active=8)
    found = learn(game, weights, games=20_000, rates=(0.05, 0.001))
    assert mean_error(game, found.weights, best_play(game, pw.tabulate(game), 200)) < 0.1
    assert not recwarn


def test_a_turn_without_end_is_an_error() -> None:
    class Endless(SeenPig):
        """Neither the game nor a turn ends."""

        def to_move(self, state: Totals) -> int:
            return MAX

        def is_terminal(self, state: Totals) -> bool:
            return False

    with pw.interpreted(), pytest.raises(GameError, match="a turn"):
        learn(Endless(), random_weights(Endless(), 0), games=1)


def test_a_game_without_bounds_is_refused() -> None:
    class Unbounded(SeenPig):
        def bounds(self, state: Totals) -> tuple[float, float]:  # type: ignore[override]
            return (-math.inf, math.inf)

    with pytest.raises(SearchError, match="bounds"):
        learn(Unbounded(), random_weights(Unbounded(), 0), games=1)
