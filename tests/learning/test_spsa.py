"""SPSA: it finds the best numbers, however noisy the comparisons are."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plywise.learning import spsa


def climbed(best: np.ndarray, total: int, seed: int) -> spsa.Climb:
    """Return numbers that began in the middle, after a number of comparisons by pairs of games.

    A number that is off by 0.3 loses about 100 Elo.
    """
    luck, climb = random.Random(seed), spsa.Climb([0.5] * len(best))

    def strength(point: np.ndarray) -> float:
        return -1000.0 * float(np.sum((point - best) ** 2))

    for number in range(1, total + 1):
        trial = spsa.trial(number, total, len(best), seed)
        plus, minus = climb.points(trial)
        wins = 1 / (1 + 10 ** ((strength(minus) - strength(plus)) / 400))
        climb.learn(trial, sum(1 if luck.random() < wins else -1 for _ in range(2)) / 2)
    return climb


@pytest.mark.parametrize("seed", range(3))
def test_the_best_numbers_are_found_by_noisy_comparisons(seed: int) -> None:
    print(f"seed {seed}")
    best = np.array([0.2, 0.75, 0.5, 0.35])
    error = np.abs(climbed(best, 4000, seed).here - best)
    assert error.max() < 0.12
    assert error.mean() < 0.06


def test_longer_runs_come_closer() -> None:
    best, seeds = np.array([0.2, 0.75, 0.5, 0.35]), range(4)
    print(f"seeds {seeds}")
    short, long = (np.mean([np.abs(climbed(best, total, seed).here - best) for seed in seeds]) for total in (60, 3000))
    assert long < short / 2


def test_the_best_numbers_may_be_at_the_end_of_a_range() -> None:
    climb = climbed(np.array([0.0, 1.0]), 3000, seed=4)
    assert climb.here[0] < 0.12
    assert climb.here[1] > 0.88


def test_the_steps_and_the_perturbations_get_smaller() -> None:
    trials = [spsa.trial(number, 1000, 2, seed=0) for number in (1, 100, 300, 1000)]
    for numbers in ([each.perturbation for each in trials], [each.step * each.perturbation for each in trials]):
        assert sorted(numbers, reverse=True) == numbers  # c_k, and half of a_k
    assert trials[0].perturbation < 0.3
    assert trials[-1].perturbation == spsa.PERTURBATION
    assert trials[-1].step == pytest.approx(spsa.STEP / 1000**0.5)


def test_noise_alone_does_not_carry_a_number_far() -> None:
    luck, climb = random.Random(5), spsa.Climb([0.5] * 20)
    for number in range(1, 1001):
        climb.learn(spsa.trial(number, 1000, 20, seed=5), luck.choice((-1.0, -0.5, 0.0, 0.5, 1.0)))
    assert float(np.std(climb.here)) < 0.15


def test_an_iteration_depends_on_its_number_and_the_seed_alone() -> None:
    first, again, other = (spsa.trial(7, 100, 30, seed).signs.tolist() for seed in (1, 1, 2))
    assert first == again != other
    assert set(first) == {-1.0, 1.0}
