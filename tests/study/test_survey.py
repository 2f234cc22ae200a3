"""The shape of random games."""

from __future__ import annotations

from typing import Any

import pytest

import plywise as pw
from plywise.games import DogCatMouse, Nim, Pig, TicTacToe
from plywise.study.survey import RandomGames, random_games


def test_a_tree_with_equal_branches_is_measured_exactly() -> None:
    assert random_games(DogCatMouse(), 2) == RandomGames(2, 2.0, 3.0)


@pytest.mark.parametrize("seed", [1, 2])
def test_means_of_many_games(seed: int) -> None:
    found = random_games(TicTacToe(), 2000, seed)
    assert found.length == pytest.approx(7.65, abs=0.15)  # 5 to 9 moves
    assert found == random_games(TicTacToe(), 2000, seed)


def test_one_heap_of_three() -> None:
    """Lengths 1, 2 and 3 are as likely as 1/3, 1/2 and 1/6, and heaps of 3, 2 and 1 leave 3, 2 and 1 moves."""
    found = random_games(Nim((3,)), 3000)
    assert found.length == pytest.approx(11 / 6, abs=0.05)


def test_chance_rolls_by_its_probabilities() -> None:
    found = random_games(Pig(goal=10), 50)
    assert 2 < found.branching < 6


@pytest.mark.parametrize("games", [0, -1, 2.5, "2"])
def test_there_is_at_least_one_game(games: Any) -> None:
    with pytest.raises(pw.SearchError, match=r"games=.* must be a whole number from 1 up"):
        random_games(Nim(), games)
