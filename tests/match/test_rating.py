"""Ratings estimated from random results with a known rating."""

from __future__ import annotations

import math
import random

import pytest

from plywise.match.elo import expected
from plywise.match.rating import Match, rate

OPPONENTS = (2363, 2500, 2596, 2703)


def played(strength: float, opponent: float, pairs: int, chance: random.Random) -> Match:
    """Return a match by chance: three games of ten are drawn if both are equally strong, fewer if not."""
    score = expected(strength - opponent)
    drawn = 1.2 * score * (1 - score)

    def points() -> int:
        toss = chance.random()
        return 1 if toss < drawn else 2 if toss < drawn / 2 + score else 0

    counts = [0] * 5
    for _ in range(pairs):
        counts[points() + points()] += 1
    return Match(opponent, counts)


@pytest.mark.parametrize("strength", [2300, 2596, 2750])
def test_a_known_rating_is_found_again(strength: int) -> None:
    chance = random.Random(strength)
    found = rate([played(strength, opponent, 1000, chance) for opponent in OPPONENTS])
    assert found is not None
    assert abs(found.rating - strength) < 15
    assert 5 < found.high - found.low < 30


def test_error_bars_hold_the_truth_19_times_of_20() -> None:
    chance, held, agreed, count = random.Random(5), 0, 0, 60
    for _ in range(count):
        found = rate([played(2550, opponent, 50, chance) for opponent in OPPONENTS])
        assert found is not None
        held += found.low <= 2550 <= found.high
        agreed += found.agreement > 0.05
    assert held / count >= 0.85
    assert agreed / count >= 0.85


def test_matches_that_contradict_each_other_are_noticed() -> None:
    found = rate([Match(2000, [0, 0, 10, 40, 50]), Match(2300, [0, 0, 10, 40, 50])])
    assert found is not None
    assert found.agreement < 0.001


def test_who_wins_everything_is_rated_without_limit() -> None:
    found = rate([Match(2000, [0, 0, 0, 0, 20])])
    assert found is not None
    assert found.low > 2200
    assert found.high == math.inf


def test_without_games_there_is_no_rating() -> None:
    assert rate([]) is None
    assert rate([Match(2000, [0, 0, 0, 0, 0])]) is None
