"""The layer Playouts: whatever a game says of its moves, proofs stay true; and what it says is used."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import plywise as pw
from plywise.algorithms import mcts
from plywise.compiling.native import CONSTANT
from plywise.engine.mcts import mcts_search
from plywise.engine.trail import SLOTS, new_trail
from plywise.games import ConnectFour, TicTacToe
from tests.algorithms.test_oracle import READINGS
from tests.engine.test_mcts import answer, check_proven
from tests.oracle import random_position
from tests.wrong_games.recurs_too_soon import RecursTooSoon, Token


class Guided(pw.Playouts, ConnectFour):
    """Connect Four with a small board, whose playouts and priors prefer the middle."""

    width: int = 5
    height: int = 4

    def playout(self, state, trail):
        while not self.is_terminal(state):
            move = self.width // 2
            while state.filled & self.top(move):
                move = trail.below(self.width)
            trail.note(self.to_move(state), move)
            state = self.play(state, move)
        return self.score(state)

    def prior(self, state, move):
        return (3, 4) if move == self.width // 2 else (2, 4)

    def reward(self, score):
        return (score > 0) - (score < 0)


class Unguided(pw.Playouts, TicTacToe):
    """Tic-tac-toe with the layer's defaults."""


@pytest.mark.parametrize("game", [Guided(), Unguided()], ids=repr)
@pytest.mark.parametrize("threads", [1, 2])
def test_values_are_proven(game: Any, threads: int) -> None:
    for seed in range(8):
        state = random_position(game, seed)
        check_proven(game, state, mcts_search(game, state, seed=seed, threads=threads))


def test_several_threads_prove_what_one_does() -> None:
    game = ConnectFour(5, 4)
    for seed in range(8):
        state = random_position(game, seed)
        result = mcts_search(game, state, seed=seed, threads=3, all_moves=True)
        check_proven(game, state, result)
        assert result.moves == mcts_search(game, state, all_moves=True).moves


@pytest.mark.parametrize("game", [Guided(), Unguided()], ids=repr)
def test_both_readings_give_the_same_answer_with_the_same_seed(game: Any) -> None:
    for seed in range(3):
        compiled = mcts_search(game, nodes=3_000, seed=seed)
        with pw.interpreted():
            plain = mcts_search(game, nodes=3_000, seed=seed)
        assert compiled.compiled
        assert not plain.compiled
        assert answer(compiled) == answer(plain)
        assert compiled.race == plain.race


def test_a_search_with_a_limit_and_no_depth_uses_playouts() -> None:
    game = Unguided()
    assert pw.search(game, nodes=500).algorithm == "mcts"
    assert pw.search(game, depth=2).algorithm == "engine"
    assert pw.search(game, nodes=500, algorithm="engine").algorithm == "engine"
    assert pw.solve(game).algorithm == "engine"
    assert pw.search(TicTacToe(), nodes=500).algorithm == "engine"


def test_the_first_rounds_follow_the_priors() -> None:
    game = Guided()
    with pw.interpreted():
        few = mcts_search(game, nodes=120, seed=1, rave=0)
    assert few.race is not None
    assert few.move == 2
    assert few.race.first > few.race.second


def test_the_value_is_a_score_and_the_race_has_the_reward() -> None:
    game = Guided()
    result = mcts_search(game, nodes=20_000, seed=1)
    assert result.race is not None
    assert -1 <= result.race.reward <= 1
    assert result.race.first >= result.race.second


def test_node_limits_hold_with_threads_and_all_of_them_work() -> None:
    result = mcts_search(ConnectFour(), nodes=200_001, threads=3)
    assert result.nodes == 200_001


@pytest.mark.parametrize("options", [{"threads": 0}, {"rave": -1}, {"patience": 0}, {"exploration": -0.1}])
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(pw.SearchError):
        mcts_search(TicTacToe(), nodes=10, **options)


def test_an_error_in_a_playout_of_any_thread_is_raised() -> None:
    class Failing(Guided):
        def playout(self, state, trail):
            if trail.below(50) == 0:
                raise ValueError
            return 0

    with pytest.raises(ValueError):
        mcts_search(Failing(), nodes=1_000_000, threads=2)


class Tug(RecursTooSoon):
    """Both players push one token along a line; who repeats a position loses this much."""

    length: int = 7
    penalty: float = dataclasses.field(default=5, metadata={CONSTANT: False})

    def reversible(self, state):
        return 100

    def repetition(self, state):
        return self.penalty if state.turn == pw.MAX else -self.penalty


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("penalty", [5, 0])
@pytest.mark.parametrize("before", [None, 4, 2])
def test_repetitions_in_the_tree_are_worth_what_the_engine_says(before: int | None, penalty: int, reading: str) -> None:
    game, state = Tug(penalty=penalty), Token(3, pw.MAX)
    history = [] if before is None else [state, Token(before, pw.MIN)]
    with READINGS[reading]():
        result = mcts_search(game, state, nodes=5_000, history=history, all_moves=True)
        known = pw.Engine(game).search(state, depth=20, exact=True, history=history, all_moves=True)
    assert result.proven
    assert (result.value, result.moves) == (known.value, known.moves)
    assert len(result.line) <= 3  # it ends where a position recurs


def test_a_repetition_may_be_worth_half_a_point() -> None:
    state = Token(3, pw.MAX)
    compiled = mcts_search(Tug(penalty=0.5), state, nodes=5_000, all_moves=True)
    with pw.interpreted():
        plain = mcts_search(Tug(penalty=0.5), state, nodes=5_000, all_moves=True)
    assert compiled.moves == plain.moves
    assert 0.5 in [abs(value) for value in plain.moves.values()]


@pytest.mark.parametrize("reading", READINGS)
def test_a_playout_that_does_not_end_is_an_error(reading: str) -> None:
    class Endless(Guided):
        def playout(self, state, trail):
            while not self.is_terminal(state):
                trail.note(self.to_move(state), 0)
            return 0

    with READINGS[reading](), pytest.raises(pw.GameError, match="a playout does not end"):
        mcts_search(Endless(), nodes=100_000)


def test_two_threads_use_all_of_a_small_tree() -> None:
    assert mcts_search(TicTacToe(), "XO./.../...", threads=2, memory_mb=1).proven


def test_rewards_are_asked_only_for_scores() -> None:
    class Picky(pw.Playouts, TicTacToe):
        def bounds(self, state):
            return (-math.inf, math.inf)

        def reward(self, score):
            return (0.0, 0.5, 1.0)[int(score) + 1]

    for reading in READINGS.values():
        with reading():
            assert mcts_search(Picky(), "XO./.X./...").value == 1


# Trails --------------------------------------------------------------------------------------------------------------


def test_random_numbers_lie_in_their_ranges_and_differ_between_threads() -> None:
    trails = [new_trail(7, thread, 100, True) for thread in range(2)]
    drawn = [[trail.below(10) for _ in range(2000)] for trail in trails]
    assert drawn[0] != drawn[1]
    for numbers in drawn:
        assert all(150 < numbers.count(digit) < 250 for digit in range(10))
    assert all(0 <= trails[0].luck() < 1 << 63 for _ in range(100))
    assert all(0 <= trails[0].fraction() < 1 for _ in range(100))


def test_a_trail_knows_who_made_a_move_first_in_this_round() -> None:
    trail = new_trail(0, 0, 100, True)
    trail.start()
    trail.note(1, 5)
    trail.note(0, 5)
    assert (trail.made(1, 5), trail.made(0, 5), trail.made(0, 6)) == (True, False, False)
    trail.mark(0, 5)  # higher up in the tree, and so earlier
    assert trail.made(0, 5)
    assert trail.left() == 98
    trail.start()
    assert not trail.made(0, 5)
    assert trail.left() == 100
    trail.note(0, SLOTS + 5)
    assert trail.made(0, 5)  # they share a place


def test_mcts_lists_its_options() -> None:
    assert {"threads", "rave", "patience", "exploration", "seed"} <= set(mcts.options)
