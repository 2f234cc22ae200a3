"""A weaker level sees less and errs more, but plays legal moves."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

import plywise as pw
from plywise.engine.engine import Engine
from plywise.engine.strength import LEVELS, LINES, STRONGEST, WEAKEST, Strength
from plywise.games import Chess, RedBlue

RATED = [Strength.rated(elo) for elo in range(WEAKEST, STRONGEST + 1, 100)]


@pytest.mark.parametrize("players", [RATED, [level for level in LEVELS.values() if level.nodes]])
def test_a_stronger_player_sees_more_and_errs_less(players: list[Strength]) -> None:
    for weaker, stronger in itertools.pairwise(players):
        assert (weaker.nodes or 0) < (stronger.nodes or 0)
        assert weaker.error > stronger.error
        assert weaker.slip >= stronger.slip


def test_where_evaluations_have_a_scale_a_bad_judge_plays_any_of_the_best_lines() -> None:
    game, chance = Chess(), random.Random(1)
    with pw.interpreted():
        result = Engine(game, table_mb=1).search(depth=1, lines=Strength(error=1).lines(game))
    assert len(result.lines) == LINES
    bad, good = (Counter(Strength(error=error).choose(result, chance).move for _ in range(200)) for error in (9, 0))
    assert len(bad) == LINES
    assert good == {result.move: 200}


def test_elsewhere_a_player_slips_as_often_as_it_says() -> None:
    game, chance = RedBlue(), random.Random(1)
    with pw.interpreted():
        result = Engine(game, table_mb=1).search(depth=3, lines=Strength(error=1, slip=1).lines(game))
    assert not result.lines or len(result.lines) == 1
    assert {Strength(slip=1).choose(result, chance).move for _ in range(50)} == set(game.moves(game.initial()))
    assert {Strength(error=9).choose(result, chance).move for _ in range(50)} == {result.move}
    slips = sum(Strength(slip=0.5).choose(result, chance).line != result.line for _ in range(400))
    assert 60 < slips < 340
