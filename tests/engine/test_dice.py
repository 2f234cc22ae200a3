"""The engine with dice gives expectiminimax's answers, whatever its table, its threads and its code."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest

import plywise as pw
from plywise.compiling.reading import specialised
from plywise.engine.any_code import general, made_by
from plywise.games import Backgammon, Pig, Tree
from plywise.match.dice import Dice
from tests.algorithms.test_chance import check_answer, close
from tests.die import RightDie
from tests.oracle import expected_of, random_tree_with_chance

DEEP = 50
"""Deeper than any of the trees."""

TINY = 0.0001
"""Megabytes: a table of four entries."""

TREES = 1000


def check_tree(seed: int, **options: Any) -> pw.Result:
    game, depth = Tree.from_json(random_tree_with_chance(seed)), None if seed % 2 else 1 + seed % 5
    result = pw.Engine(game, **options).search(depth=depth or DEEP)
    try:
        check_answer(game, depth if depth is not None or not result.proven else None, result)
    except AssertionError as error:
        raise AssertionError(f"random_tree_with_chance({seed}) to depth {depth}: {error}") from error
    return result


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("table_mb", [TINY, 1])
def test_equals_expectiminimax_on_a_thousand_random_trees(threads: int, table_mb: float) -> None:
    results = [check_tree(seed, threads=threads, table_mb=table_mb) for seed in range(TREES)]
    assert all(result.compiled for result in results)
    assert sum(result.expected for result in results) > 600


def test_equals_expectiminimax_interpreted() -> None:
    with pw.interpreted():
        assert not any(check_tree(seed, table_mb=1).compiled for seed in range(0, TREES, 7))


def test_either_code_visits_the_same_positions() -> None:
    game, found = RightDie(rounds=3), []
    for code in (general, specialised):
        with made_by(code):
            found.append(pw.Engine(game, table_mb=1).search(depth=12))
    assert found[0].value == found[1].value == pw.search(game, algorithm="expectiminimax").value
    assert found[0].nodes == found[1].nodes
    assert found[0].proven


def middles(game: pw.Game, count: int, seed: int) -> list[Any]:
    """Positions in random games in which somebody moves."""
    chance = random.Random(seed)
    states: list[Any] = []
    while len(states) < count:
        state = game.initial()
        for ply in range(200):
            if game.is_terminal(state):
                break
            if ply > 6 and game.to_move(state) != pw.CHANCE and chance.random() < 0.05:
                states.append(state)
            state = game.play(state, chance.choice(list(game.moves(state))))
    return states[:count]


@pytest.mark.parametrize("threads", [1, 2])
def test_one_engine_for_many_positions_of_backgammon(threads: int) -> None:
    game = Backgammon()
    engine = pw.Engine(game, threads=threads, table_mb=4, network="none")
    for state in middles(game, 30, seed=4):
        for depth in (2, 3):
            exact, found = pw.search(game, state, depth=depth, algorithm="star2"), engine.search(state, depth=depth)
            assert close(game, found.value, exact.value), game.format(state)
            played = engine.search(state, depth=depth, exact=False)  # the table rounds unproven values
            assert played.value == pytest.approx(exact.value, rel=1e-5, abs=1e-6)


def test_every_move_has_its_own_expectation() -> None:
    game = RightDie(rounds=2)
    state = game.play(game.initial(), 2)
    result = pw.search(game, state, depth=20, all_moves=True)
    assert result.algorithm == "engine"
    assert result.moves == pytest.approx({move: expected_of(game, game.play(state, move), None) for move in (0, 1)})


def test_a_root_of_chance_has_a_value_and_no_move() -> None:
    game = Pig(goal=10)
    decides, rolls = pw.search(game, depth=5), pw.search(game, game.play(game.initial(), 0), depth=4)
    assert rolls.move is None
    assert rolls.value == decides.value  # one roll is better than none
    assert decides.line == (0,)  # then the die decides
    assert rolls.expected
    assert pw.search(game, rolls.state, nodes=1).move is None


def test_moves_and_lines_are_for_players() -> None:
    game = RightDie()
    assert game.to_move(game.initial()) == pw.CHANCE
    for options in ({"lines": 2}, {"moves": [1]}):
        with pytest.raises(pw.SearchError, match="here chance does"):
            pw.Engine(game).search(depth=2, **options)


def test_several_lines() -> None:
    game = Backgammon()
    state = next(state for state in middles(game, 20, seed=1) if len(list(game.moves(state))) > 2)
    result = pw.Engine(game).search(state, depth=3, lines=3)
    values = [line.value * (1 if game.to_move(state) == pw.MAX else -1) for line in result.lines or ()]
    assert values == sorted(values, reverse=True)
    assert len({line.move for line in result.lines or ()}) == len(values) == 3


def test_wins_have_no_distance_with_dice() -> None:
    class Timed(pw.FastestWin, RightDie):
        win_score = 5

    with pytest.raises(pw.SearchError, match=r"leave out pw\.FastestWin"):
        pw.Engine(Timed())


class Loaded(RightDie):
    """Its probabilities sum to 1.5."""

    def probability(self, state: Any, move: int) -> float:
        return 0.5


def test_probabilities_that_do_not_sum_to_one_are_found() -> None:
    for reading in (contextlib.nullcontext, pw.interpreted):
        with reading(), pytest.raises(pw.GameError, match="do not sum to one"):
            pw.search(Loaded(), depth=3)
    with pytest.raises(pw.GameError, match=r"sum to 1\.5, not to one"):
        Dice(1).roll(Loaded(), Loaded().initial(), ply=0)


class Noisy(pw.Tactics, RightDie):
    """Taking is noisy, so that quiescence search meets chance at once."""

    def noisy_moves(self, state: Any) -> Any:
        if state.rolling == 0:
            yield 1

    def gain(self, state: Any, move: int) -> int:
        return move

    def evaluate(self, state: Any) -> int:
        return state.points


def test_quiescence_stops_at_chance() -> None:
    game = Noisy(rounds=3)
    taken = game.play(game.play(game.initial(), 2), 1)
    assert game.to_move(taken) == pw.CHANCE
    found = pw.Engine(game).search(game.play(game.initial(), 2), depth=1, exact=False)
    assert (found.move, found.value) == (1, 2)  # what is on the table; the next roll is not looked at
    assert found.deepest == 1
    assert pw.Engine(game).search(depth=14, exact=False).value == pytest.approx(pw.solve(game).value)


def test_a_clock_ends_it() -> None:
    result = pw.search(Backgammon(), middles(Backgammon(), 1, seed=2)[0], seconds=0.3, threads=2)
    assert result.move is not None
    assert result.depth is not None
    assert result.seconds < 3
