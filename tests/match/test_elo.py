"""Elo, its error bars and the sequential test, checked against formulas and by simulation."""

from __future__ import annotations

import math
import random

import pytest

from plywise.errors import SearchError
from plywise.match.elo import OUTCOMES, SPRT, Z95, deficit, elo, estimate, expected, mean


def drawn(chance: random.Random, weights: list[float], count: int) -> list[int]:
    found = [0] * 5
    for outcome in chance.choices(range(5), weights, k=count):
        found[outcome] += 1
    return found


def test_elo_and_the_expected_score_are_opposites() -> None:
    for difference in (-800, -12.5, 0, 3, 400):
        assert elo(expected(difference)) == pytest.approx(difference)
    assert (elo(1), elo(0)) == (math.inf, -math.inf)


@pytest.mark.parametrize("seed", range(20))
def test_no_distribution_with_the_mean_is_likelier(seed: int) -> None:
    """``deficit`` is the least that the likelihood falls short: any other distribution with the mean does worse."""
    chance = random.Random(seed)
    pairs = [chance.randrange(1, 30) for _ in range(5)]
    score = chance.uniform(0.05, 0.95)
    best = sum(count * math.log(count / sum(pairs)) for count in pairs)
    least = deficit(pairs, score)
    assert least >= 0
    for _ in range(200):
        weights = [chance.random() ** 3 for _ in OUTCOMES]
        low, high = (sum(w * a for w, a in zip(weights, OUTCOMES, strict=True)) / sum(weights), score)
        # Mix with the outcome 0 or 1 so that the mean is right.
        end = 0.0 if low > high else 1.0
        share = (high - low) / (end - low)
        mixed = [(1 - share) * w / sum(weights) + share * (a == end) for w, a in zip(weights, OUTCOMES, strict=True)]
        assert sum(p * a for p, a in zip(mixed, OUTCOMES, strict=True)) == pytest.approx(score)
        likelihood = sum(count * math.log(p) for count, p in zip(pairs, mixed, strict=True))
        assert best - likelihood >= least - 1e-9


def test_error_bars_of_many_games_are_those_of_the_normal_distribution() -> None:
    pairs = [200, 800, 2000, 1400, 600]
    count, middle = sum(pairs), mean(pairs)
    variance = sum(n * (a - middle) ** 2 for n, a in zip(pairs, OUTCOMES, strict=True)) / count
    error = Z95 * math.sqrt(variance / count)
    found = estimate(pairs)
    assert found.elo == elo(middle)
    assert found.low == pytest.approx(elo(middle - error), abs=0.1)
    assert found.high == pytest.approx(elo(middle + error), abs=0.1)


def test_nothing_but_wins_has_a_lower_bound_and_no_upper_one() -> None:
    found = estimate([0, 0, 0, 0, 50])
    assert found.elo == found.high == math.inf
    assert found.low == pytest.approx(elo(math.exp(-(Z95**2) / 2 / 50)), rel=0.01)
    assert found.superiority > 0.999
    turned = estimate([50, 0, 0, 0, 0])
    assert (turned.elo, turned.low) == (-math.inf, -math.inf)
    assert turned.high == pytest.approx(-found.low)


def test_without_games_nothing_is_known() -> None:
    assert estimate([0] * 5) == (0.0, -math.inf, math.inf, 0.5)
    assert SPRT(0, 10).verdict([0] * 5) is None


def test_the_error_bars_hold_the_truth_in_95_of_100_matches() -> None:
    weights = [0.05, 0.2, 0.4, 0.25, 0.1]
    truth = elo(mean(weights))
    chance = random.Random(5)
    held = sum(
        found.low <= truth <= found.high for found in (estimate(drawn(chance, weights, 200)) for _ in range(300))
    )
    assert 0.91 <= held / 300 <= 0.985


def test_the_ratio_of_many_games_is_van_den_berghs_approximation() -> None:
    pairs = [2000, 8000, 20000, 8400, 2100]
    test, count, middle = SPRT(0, 5), sum(pairs), mean(pairs)
    variance = sum(n * (a - middle) ** 2 for n, a in zip(pairs, OUTCOMES, strict=True)) / count
    low, high = expected(0), expected(5)
    assert test.ratio(pairs) == pytest.approx(
        count * (high - low) * (2 * middle - low - high) / (2 * variance), rel=0.02
    )


@pytest.mark.parametrize(("difference", "wrong"), [(0, "H1"), (100, "H0")])
def test_the_sequential_test_errs_in_about_one_match_of_twenty(difference: float, wrong: str) -> None:
    chance, test = random.Random(difference), SPRT(0, 100)
    score = expected(difference)
    weights = [(1 - score) ** 2, 0.0, 2 * score * (1 - score), 0.0, score**2]
    errors = 0
    for _ in range(200):
        pairs, verdict = [0] * 5, None
        while verdict is None:
            pairs[chance.choices(range(5), weights)[0]] += 1
            verdict = test.verdict(pairs)
        errors += verdict == wrong
    assert errors / 200 <= 0.09


@pytest.mark.parametrize("text", ["", "0", "10,0", "0,10,0.05", "0,10,0.6,0.05", "a,b", "0,10,0,0.05", "1,2,3,4,5"])
def test_what_is_no_test_is_refused(text: str) -> None:
    with pytest.raises(SearchError):
        SPRT.parse(text)


def test_a_test_is_read() -> None:
    assert SPRT.parse("0,10") == SPRT(0, 10)
    assert SPRT.parse("-5, 0, 0.1, 0.02") == SPRT(-5, 0, 0.1, 0.02)
