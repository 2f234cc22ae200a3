"""The trainer's gradients are right, it finds planted networks, and quantised networks say almost the same."""

from __future__ import annotations

import numpy as np
import pytest

from plywise.compiling.reading import interpreted
from plywise.engine.network import INPUT_UNIT, MOST_WEIGHT, UNIT
from plywise.errors import SearchError
from plywise.learning.examples import Examples
from plywise.learning.gradients import add_gradients
from plywise.learning.trainer import Fit, logits, loss, split, train
from plywise.learning.weights import Shape, Weights

FEATURES, BUCKETS = 20, 3


def random_examples(count: int, seed: int, base: float = 0.0) -> Examples:
    """Return positions with random features and buckets, four a game."""
    chance = np.random.default_rng(seed)

    def views() -> list[list[int]]:
        sizes = chance.integers(0, 11, count)
        return [chance.permutation(FEATURES)[:size].tolist() for size in sizes]

    return Examples.of(
        views(), views(), chance.random(count).tolist(), chance.integers(0, BUCKETS, count).tolist(),
        (base * chance.normal(size=count)).tolist(), [index // 4 for index in range(count)],
    )  # fmt: skip


def planted(examples: Examples, hidden: int, seed: int) -> tuple[Examples, Weights]:
    """Return the positions with the results that a random network expects, and this network."""
    teacher = random_weights(hidden, seed)
    targets = 1 / (1 + np.exp(-logits(examples, teacher)))
    return examples._replace(targets=targets.astype(np.float32)), teacher


def random_weights(hidden: int, seed: int) -> Weights:
    shape = Shape(FEATURES, hidden, BUCKETS)
    return Weights.views(np.random.default_rng(seed).uniform(-0.6, 0.6, shape.ends[-1]).astype(np.float32), shape)


@pytest.mark.parametrize("hidden", [0, 3])
def test_gradients_agree_with_numerical_differentiation(hidden: int) -> None:
    examples = random_examples(12, seed=1, base=1.0)
    examples = examples._replace(targets=examples.targets.astype(float), base=examples.base.astype(float))
    shape = Shape(FEATURES, hidden, BUCKETS)
    numbers, step = np.random.default_rng(2).uniform(-0.6, 0.6, shape.ends[-1]), 1e-6
    found, ignored = np.zeros(shape.ends[-1]), np.zeros(shape.ends[-1])

    def total(changed: np.ndarray, gradient: np.ndarray) -> float:
        weights, slopes = Weights.views(changed, shape), Weights.views(gradient, shape)
        return add_gradients(examples, np.arange(3), 5, weights, slopes)  # 12 positions in chunks of 5

    total(numbers, found)
    for index, change in enumerate(step * np.eye(shape.ends[-1])):
        slope = (total(numbers + change, ignored) - total(numbers - change, ignored)) / (2 * step)
        assert found[index] == pytest.approx(slope, abs=1e-7), index
    parts = [part for part in Weights.views(found, shape) if part.size]
    assert all(np.any(part) for part in parts)
    assert len(parts) == (4 if hidden else 2)


@pytest.mark.parametrize(("hidden", "base"), [(0, 0.0), (0, 1.0), (4, 0.0), (4, 1.0)])
def test_a_planted_network_is_found(hidden: int, base: float) -> None:
    examples, _ = planted(random_examples(20_000, seed=3, base=base), hidden, seed=4)
    fit = train(examples, Weights.random(Shape(FEATURES, 2 * hidden, BUCKETS), active=5), epochs=15, rate=1e-2)
    assert fit.held_out[-1] < 0.02 * fit.held_out[0]
    unseen, _ = planted(random_examples(1_000, seed=5, base=base), hidden, seed=4)
    assert loss(unseen, fit.weights) == pytest.approx(min(fit.held_out), rel=0.5, abs=1e-6)


def test_quantised_and_floating_logits_differ_little() -> None:
    examples, teacher = planted(random_examples(2_000, seed=6, base=1.0), hidden=16, seed=7)
    arrays = teacher.to_network_arrays()
    exact = np.array([integer_logit(examples, row, arrays) for row in range(examples.positions)]) / UNIT
    quantised = logits(examples, Weights.from_arrays(**arrays)) - examples.base
    floating = logits(examples, teacher) - examples.base
    assert np.abs(exact - quantised).max() < 1.1 / UNIT
    assert 0.001 < np.abs(exact - floating).max() < 0.05
    assert np.mean(np.abs(exact - floating)) < 0.01
    assert loss(examples, Weights.from_arrays(**arrays)) < 1e-5


def integer_logit(examples: Examples, row: int, network: dict[str, np.ndarray]) -> int:
    """Return the logit of a quantised network as an engine computes it, without the base."""
    views = []
    for features, starts in ((examples.own, examples.own_starts), (examples.their, examples.their_starts)):
        active = network["inputs"][features[starts[row] : starts[row + 1]]].astype(int)
        views.append(np.clip(network["biases"] + active.sum(axis=0), 0, INPUT_UNIT) ** 2)
    bucket = examples.buckets[row]
    return int(np.concatenate(views) @ network["outputs"][bucket]) // INPUT_UNIT + int(network["offsets"][bucket])


def test_networks_in_quantised_form_have_the_agreed_types_and_come_back() -> None:
    weights = random_weights(hidden=4, seed=8)
    arrays = weights.to_network_arrays()
    kinds = {name: str(array.dtype) for name, array in arrays.items()}
    assert kinds == {"inputs": "int16", "biases": "int16", "outputs": "int16", "offsets": "int64", "direct": "int32"}
    for name, array in Weights.from_arrays(**arrays).to_network_arrays().items():
        np.testing.assert_array_equal(array, arrays[name])


def test_weights_stay_within_what_a_quantised_network_can_hold() -> None:
    examples = random_examples(400, seed=9)
    examples = examples._replace(targets=(examples.buckets == 1).astype(np.float32))
    weights = train(examples, random_weights(hidden=4, seed=10), epochs=40, rate=0.3, decay=0.0, batch=400).weights
    assert max(np.abs(part).max() for part in weights[:3]) == np.float32(MOST_WEIGHT)
    assert np.abs(weights.offsets).max() > MOST_WEIGHT
    assert np.abs(weights.to_network_arrays()["outputs"]).max() == 127


def small_fit(threads: int, hidden: int = 4) -> Fit:
    examples, _ = planted(random_examples(120, seed=11, base=1.0), hidden=2, seed=12)
    return train(examples, random_weights(hidden, seed=13), epochs=3, rate=1e-2, batch=30, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_seed_and_a_number_of_threads_give_the_same_weights_again(threads: int) -> None:
    np.testing.assert_array_equal(small_fit(threads).weights.flat(), small_fit(threads).weights.flat())


@pytest.mark.parametrize("hidden", [0, 4])
def test_threads_and_interpreting_change_only_the_rounding(hidden: int) -> None:
    fit = small_fit(threads=1, hidden=hidden)
    assert fit.held_out[-1] < fit.held_out[0]
    np.testing.assert_allclose(small_fit(threads=3, hidden=hidden).weights.flat(), fit.weights.flat(), atol=1e-4)
    with interpreted():
        np.testing.assert_allclose(small_fit(threads=2, hidden=hidden).weights.flat(), fit.weights.flat(), atol=1e-4)


def test_ctrl_c_keeps_the_best_weights_so_far() -> None:
    examples, _ = planted(random_examples(4_000, seed=14), hidden=4, seed=15)
    begin = Weights.random(Shape(FEATURES, 8, BUCKETS), active=5)

    def stop(done: int, total: int) -> None:
        if done == total // 2:
            raise KeyboardInterrupt

    fit = train(examples, begin, epochs=4, rate=1e-2, on_step=stop)
    assert fit.interrupted
    assert (len(fit.learned), len(fit.held_out)) == (1, 2)
    assert fit.held_out[1] < fit.held_out[0]
    assert loss(examples, fit.weights) < loss(examples, begin)


def test_without_an_epoch_that_helps_the_first_weights_stay() -> None:
    examples, teacher = planted(random_examples(400, seed=16), hidden=4, seed=17)
    fit = train(examples, teacher, epochs=2, rate=0.1)
    assert fit.held_out[0] == min(fit.held_out) < min(fit.held_out[1:])
    np.testing.assert_array_equal(fit.weights.flat(), teacher.flat())


def test_whole_games_are_held_out_and_stay_so_when_data_grows() -> None:
    examples = random_examples(400, seed=18)
    held: set[int] = set()
    for count in (200, 400):
        learn, test = split(examples.chosen(np.arange(count)), 0.2, seed=19)
        assert learn.positions + test.positions == count
        assert not set(learn.games) & set(test.games)
        assert held < set(test.games)
        held = set(test.games)
    assert 10 < len(held) < 30
    row = list(examples.targets).index(learn.targets[7])
    np.testing.assert_array_equal(
        learn.own[slice(*learn.own_starts[7:9])], examples.own[slice(*examples.own_starts[row : row + 2])]
    )


def test_one_game_is_too_little() -> None:
    examples = random_examples(4, seed=20)
    with pytest.raises(SearchError, match="4 positions of one game: learning and testing take at least two games"):
        train(examples, random_weights(0, seed=21))


@pytest.mark.parametrize("shape", [Shape(FEATURES - 1, 4, BUCKETS), Shape(FEATURES, 0, BUCKETS - 1)])
def test_a_network_without_the_features_or_buckets_of_the_examples_is_refused(shape: Shape) -> None:
    with pytest.raises(SearchError, match=f"features up to 19 and buckets up to 2, but .* {shape.features} features"):
        train(random_examples(40, seed=22), Weights.random(shape))
