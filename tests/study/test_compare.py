"""Algorithms agree, the theory holds on uniform trees, and a wrong value is detected."""

from __future__ import annotations

import dataclasses
import random

import pytest

import plywise as pw
from plywise.errors import SearchError
from plywise.games import Chess, ConnectFour, DogCatMouse, Go, RedBlue, TicTacToe, Tree, Yahtzee
from plywise.study import survey
from plywise.study.compare import Comparison
from plywise.study.survey import TreeSize, last_position, player_count, suitable_algorithms, tree_size


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")


def uniform(branching: int, depth: int, seed: int = 1) -> Tree:
    chance = random.Random(seed)

    def make(height: int) -> object:
        return chance.randrange(100) if height == 0 else [make(height - 1) for _ in range(branching)]

    return Tree.from_lists(make(depth))  # type: ignore[arg-type]


@pytest.mark.parametrize(("branching", "depth"), [(2, 4), (3, 3), (4, 2), (1, 3)])
def test_theory_is_exact_on_uniform_trees(branching: int, depth: int) -> None:
    size = tree_size(uniform(branching, depth))
    assert size == TreeSize(branching**depth, depth, depth)
    assert size.branching == branching
    assert size.fewest == branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def test_alpha_beta_lies_between_what_theory_allows() -> None:
    comparison = pw.compare(uniform(3, 4), algorithms=["minimax", "alphabeta"])
    assert comparison.size is not None
    plain, pruned = comparison.results
    assert plain.leaves == comparison.size.most
    assert comparison.size.fewest <= pruned.leaves <= comparison.size.most


def test_a_depth_too_deep_to_count_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.study.survey.MOST_NODES", 1000)
    size = tree_size(ConnectFour(), None, 6)
    assert size is not None
    assert not size.exact
    assert size.branching == 7
    assert size.most == 7**6
    assert tree_size(ConnectFour()) is None
    with pytest.raises(SearchError, match="give a depth"):
        pw.compare(ConnectFour())


def test_disagreement_is_an_error() -> None:
    honest = pw.compare(RedBlue(), algorithms=["minimax", "pvs"])
    wrong = dataclasses.replace(honest.results[1], value=-2)
    assert honest.agrees
    assert not Comparison(honest.game, honest.state, None, (honest.results[0], wrong), None).agrees


def test_a_broken_algorithm_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from plywise.study.compare import Disagreement

    module = sys.modules["plywise.study.compare"]
    honest = module.search

    def broken(*arguments: object, **options: object) -> pw.Result:
        result = honest(*arguments, **options)
        return dataclasses.replace(result, value=result.value + 1) if options["algorithm"] == "pvs" else result

    monkeypatch.setattr(module, "search", broken)
    with pytest.raises(Disagreement, match="DISAGREE on the value: minimax -3, pvs -2"):
        pw.compare(RedBlue(), algorithms=["minimax", "pvs"])


@pytest.mark.parametrize(
    ("game", "names", "message"),
    [
        (RedBlue(), ["boolean"], "boolean cannot be compared: it answers a question and finds no value"),
        (RedBlue(), ["minimax", "mcts"], "mcts cannot be compared: it has no depth"),
        (DogCatMouse(), ["maxn", "jamboree"], "jamboree is for two players .* needs maxn"),
        (Chess(), ["minimax", "jamboree", "engine"], "only for jamboree, engine: they cannot"),
    ],
)
def test_what_cannot_be_compared_is_refused(game: pw.Game, names: list[str], message: str) -> None:
    with pytest.raises(pw.SearchError, match=message):
        pw.compare(game, depth=1, algorithms=names)


def test_searches_by_threads_are_compared_to_the_end_as_well() -> None:
    with pw.interpreted():
        comparison = pw.compare(TicTacToe(), "XO./.X./..O", algorithms=["minimax", "jamboree", "parallel-minimax"])
    assert comparison.agrees
    assert [result.algorithm for result in comparison.results] == ["minimax", "jamboree", "parallel_minimax"]
    assert comparison.results[0].nodes == comparison.results[2].nodes


def test_two_players_are_known_without_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "random_scores", lambda game: pytest.fail("it takes seconds on a large board"))
    assert (player_count(Go(19)), player_count(Yahtzee(players=1))) == (2, 1)


def test_what_a_game_is_found_out_by_playing_it() -> None:
    assert RedBlue().is_zero_sum()
    assert not DogCatMouse().is_zero_sum()
    assert player_count(DogCatMouse()) == 3
    assert suitable_algorithms(DogCatMouse()) == ["maxn", "expectimaxn"]
    assert not {"boolean", "mcts"} & set(suitable_algorithms(RedBlue()))
    assert {"engine", "jamboree", "parallel_minimax", "minimax"} <= set(suitable_algorithms(RedBlue()))
    assert "jamboree" not in suitable_algorithms(Chess())  # plies to a mate count for it
    game = ConnectFour()
    before = last_position(game)
    assert not game.is_terminal(before)
    assert any(game.is_terminal(game.play(before, move)) for move in game.moves(before))


def test_with_dice_the_algorithms_for_dice_are_compared_without_the_theory() -> None:
    with pw.interpreted():
        comparison = pw.compare(pw.games.Pig(), depth=4)
    names = [result.algorithm for result in comparison.results]
    assert names == ["engine", "expectiminimax", "star1", "star2", "expectimaxn"]
    assert comparison.size is None
