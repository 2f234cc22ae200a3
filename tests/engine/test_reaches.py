"""Does a position reach a goal?  The answer is a sound bound with any table, theory and move order.

Everything runs interpreted; ``tests.engine.test_engine`` compares the same searches, compiled, with the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.engine.reaches import proven, reaches
from plywise.engine.table import bound_of, is_proven, value_of
from plywise.game import Game, sign
from plywise.games import ConnectFour, Nim, Tree
from plywise.inputs.limits import LEAST_MB
from tests import oracle
from tests.engine.test_exact import any_tree, for_mover, room, sizes
from tests.oracle import random_position

goals = st.sampled_from([-5, -2.5, -1, -0.5, 0, 0.5, 1, 2.5, 5])


def check(game: Game, state: Any, goal: float, found: Any) -> None:
    """A bound on the goal's side on which the value is: at most the value if that reaches the goal, else at least."""
    exact = for_mover(game, state)
    if exact >= goal:
        assert goal <= found <= exact
    else:
        assert exact <= found < goal


@given(game=any_tree, goal=goals, megabytes=sizes)
def test_the_answer_is_a_bound_on_the_right_side_of_the_goal(game: Tree, goal: float, megabytes: float) -> None:
    check(game, game.initial(), goal, reaches(game, game.initial(), goal, 0, *room(megabytes)))


@given(game=any_tree, asked=st.lists(goals, min_size=2, max_size=6), megabytes=sizes)
def test_what_the_table_keeps_of_one_question_does_not_mislead_the_next(
    game: Tree, asked: list[float], megabytes: float
) -> None:
    shared = room(megabytes)
    for goal in asked:
        check(game, game.initial(), goal, reaches(game, game.initial(), goal, 0, *shared))


def test_a_goal_between_two_scores_is_the_upper_one() -> None:
    game = Tree.from_json({"player": "max", "children": [{"player": "min", "children": [1]}]})
    check(game, game.initial(), 0.5, reaches(game, game.initial(), 0.5, 0, *room(LEAST_MB)))


def test_theory_and_the_order_of_moves_leave_the_answer_alone() -> None:
    """Connect Four knows forced moves, wins to come and good columns."""
    game = ConnectFour(4, 4)
    for seed in range(15):
        state = random_position(game, seed, most_nodes=500)
        for goal in (-3, 0, 1, 4):
            check(game, state, goal, reaches(game, state, goal, 0, *room(LEAST_MB)))


def test_the_answer_to_a_question_is_kept_as_proven() -> None:
    game = Nim((2, 2))
    table, work = room()
    found = reaches(game, game.initial(), 1, 0, table, work)
    entry = table.find(game.key(game.initial()), 0)
    assert is_proven(entry)
    assert value_of(game, entry) == found == -1
    assert bound_of(entry) != 0
    nodes = work.nodes
    assert reaches(game, game.initial(), 1, 0, table, work) == found
    assert work.nodes == nodes + 1  # the root, whose answer is there


class Known(pw.Theory, Nim):
    """Nim that knows by the sum of its heaps who wins (Bouton 1901)."""

    def proven_bounds(self, state: Any) -> tuple[int, int]:
        total = 0
        for heap in state.heaps:
            total ^= heap
        mover = sign(self.to_move(state))
        return (mover, mover) if total else (-mover, -mover)


def test_what_the_game_proves_takes_no_node() -> None:
    for game, takes_nodes in ((Nim((1, 2, 2)), True), (Known((1, 2, 2)), False)):
        table, work = room()
        assert reaches(game, game.initial(), 1, 0, table, work) == 1
        assert (work.nodes > 0) == takes_nodes


@given(game=any_tree)
def test_a_finished_game_is_proven_to_be_worth_its_score(game: Tree) -> None:
    state = game.initial()
    while not game.is_terminal(state):
        low, high = proven(game, state, pw.MAX)
        assert low <= oracle.value_of(game, state) <= high
        assert proven(game, state, pw.MIN) == (-high, -low)
        state = game.play(state, next(iter(game.moves(state))))
    assert proven(game, state, pw.MAX) == (game.score(state), game.score(state))
    assert proven(game, state, pw.MIN) == (-game.score(state), -game.score(state))


class Corridor(pw.Game):
    """One way, and no end."""

    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        yield 0

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return (state[0], 1 - state[1])

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return False

    def score(self, state: tuple[int, int]) -> int:
        return 0


def test_a_forced_line_without_an_end_is_refused() -> None:
    with pytest.raises(pw.SearchError, match="did not end within 1000 plies"):
        reaches(Corridor(), Corridor().initial(), 1, 0, *room())


class Three(Corridor):
    """A third player moves."""

    def to_move(self, state: tuple[int, int]) -> int:
        return 2


def test_a_third_player_is_refused() -> None:
    with pytest.raises(pw.SearchError, match="needs maxn"):
        reaches(Three(), Three().initial(), 1, 0, *room())
