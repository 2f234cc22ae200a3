"""A weaker level sees less and errs more, but plays legal moves."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest

import plywise as pw
from plywise.engine.engine import Engine
from plywise.engine.strength import LEVELS, LINES, STRONGEST, WEAKEST, Strength
from plywise.games import Chess, Go, Othello, RedBlue

RATED = [Strength.rated(elo) for elo in range(WEAKEST, STRONGEST + 1, 100)]


LADDERS = [list(ladder) for ladder in zip(*LEVELS.values(), strict=True)]


@pytest.mark.parametrize("players", [RATED, *LADDERS])
def test_a_stronger_player_sees_more_and_errs_less(players: list[Strength]) -> None:
    for weaker, stronger in itertools.pairwise(players):
        assert (weaker.nodes or 0) < (stronger.nodes or math.inf)
        assert weaker.error >= stronger.error
        assert weaker.slip >= stronger.slip
    assert max(players[-1].error, players[-1].slip) == 0


def test_what_a_level_means_depends_on_how_a_game_is_played() -> None:
    level = LEVELS["Easy"]
    assert [level.strength(game, by_engine=True) for game in (Chess(), Othello(), Go())] == [
        level.judging, level.slipping, level.slipping,
    ]  # fmt: skip
    assert [level.strength(game, by_engine=False) for game in (Chess(), Go())] == [level.slipping, level.by_playouts]


def test_nodes_are_those_of_each_line() -> None:
    player = Strength(100, error=1)
    assert [player.limit(game) for game in (Chess(), Othello())] == [100 * LINES, 100]
    assert [player.limit(Othello(), given) for given in (7, 700)] == [7, 100]
    assert [Strength().limit(Chess(), given) for given in (7, None)] == [7, None]


def test_where_evaluations_have_a_scale_a_bad_judge_plays_any_of_the_best_lines() -> None:
    game, chance = Chess(), random.Random(1)
    with pw.interpreted():
        result = Engine(game, table_mb=1).search(depth=1, lines=Strength(error=1).lines(game))
    assert len(result.lines) == LINES
    bad, good = (
        Counter(Strength(error=error).choose(result, chance, lambda: [result.move]).move for _ in range(200))
        for error in (9, 0)
    )
    assert len(bad) == LINES
    assert good == {result.move: 200}


def test_elsewhere_a_player_slips_as_often_as_it_says() -> None:
    game, chance = RedBlue(), random.Random(1)
    with pw.interpreted():
        result = Engine(game, table_mb=1).search(depth=3, lines=Strength(error=1, slip=1).lines(game))
    assert not result.lines or len(result.lines) == 1
    moves = list(game.moves(game.initial()))
    assert {Strength(slip=1).choose(result, chance, lambda: moves).move for _ in range(50)} == set(moves)
    assert {Strength(slip=1).choose(result, chance, lambda: moves[1:]).move for _ in range(50)} == set(moves[1:])
    assert {Strength(error=9).choose(result, chance, lambda: moves).move for _ in range(50)} == {result.move}
    slips = sum(Strength(slip=0.5).choose(result, chance, lambda: moves).line != result.line for _ in range(400))
    assert 60 < slips < 340
