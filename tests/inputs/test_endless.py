"""A search to the end of a dice game in which positions recur is refused at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import plywise as pw
from plywise.games import Backgammon, Nim, Pig, Tree, Yahtzee
from plywise.inputs.endless import can_go_round, check_ends
from tests.die import RightDie

ENDLESS: dict[str, Callable[[], object]] = {
    "solve": lambda: pw.solve(Pig(20)),
    "solve by mcts": lambda: pw.solve(Pig(20), algorithm="mcts"),
    "solve by the engine": lambda: pw.solve(Pig(20), algorithm="engine"),
    "search": lambda: pw.search(Pig(20), algorithm="star1"),
    "algorithm": lambda: pw.algorithms.expectiminimax(Pig(20)),
    "record": lambda: pw.search(Pig(20), algorithm="star2", record=True),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_search_to_the_end_says_that_positions_recur_and_what_solves_them(name: str) -> None:
    with pytest.raises(pw.SearchError) as refused:
        ENDLESS[name]()
    assert str(refused.value) == (
        "positions of Pig(goal=20) recur, so a search to the end never ends; solve the game with 'plywise tabulate', "
        "or search with a limit"
    )


def test_with_a_limit_positions_may_recur() -> None:
    with pw.interpreted():
        assert pw.search(Pig(20), depth=2, algorithm="star2").depth == 2
        assert pw.search(Pig(20), nodes=100, algorithm="mcts").nodes == 100


@pytest.mark.parametrize(
    ("game", "text", "expected"),
    [
        (Pig(), None, True),
        (Backgammon(), None, True),
        (Backgammon(), "-BB--------------------bb- white 31", False),  # the men have passed each other
        (Yahtzee(), None, False),
        (RightDie(5), None, False),
        (Nim(), None, False),
    ],
)
def test_cycles_are_found(game: pw.Game, text: str | None, expected: bool) -> None:
    state = game.initial() if text is None else game.parse(text)
    assert can_go_round(game, state) is expected


class Idle(RightDie):
    """A player may also do nothing, and the die is rolled again."""

    def moves(self, state):
        if state.left > 0:
            yield from range(1, 4) if state.rolling == 1 else range(3)

    def play(self, state, move):
        return state._replace(rolling=1) if state.rolling < 0 and move == 2 else super().play(state, move)


def test_a_cycle_that_comes_late_is_found() -> None:
    assert can_go_round(Idle(3), Idle(3).initial())


def test_what_can_be_reached_by_two_ways_does_not_recur() -> None:
    tree = Tree.from_json({"player": "chance", "children": [{"player": "max", "children": [1, 2]}, 3]})
    check_ends(tree, tree.initial())
    check_ends(RightDie(3), RightDie(3).initial())  # a number that is not taken leaves the same points


def test_positions_that_cannot_be_hashed_are_not_looked_at() -> None:
    class Listed(RightDie):
        def initial(self):
            return [0]

    assert not can_go_round(Listed(), [0])


class Ruled(pw.Recurrence, Idle):
    """A position that recurs ends the game."""

    def reversible(self, state):
        return 4


def test_the_engine_may_solve_a_game_that_repetitions_end() -> None:
    with pw.interpreted():
        assert pw.solve(Ruled(1), algorithm="engine").proven
    with pytest.raises(pw.SearchError, match="recur"):  # the textbook does not look at repetitions
        pw.solve(Ruled(1), algorithm="star2")
