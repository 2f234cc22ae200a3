"""Exact values come from a series of questions; each narrows the range.  The best move has that value.

Everything runs interpreted; ``tests.engine.test_engine`` compares the same searches, compiled, with the oracle.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise as pw
from plywise.compiling.rows import rows_of
from plywise.engine.exact import ValueRange, best_move, exact, exact_many, first_worth, next_goal
from plywise.engine.table import Table, table_of
from plywise.engine.work import PAIR, Work, new_work
from plywise.game import Game, sign
from plywise.games import ConnectFour, Tree
from plywise.inputs.limits import LEAST_MB
from tests.oracle import real_leaves, trees, value_of, whole_leaves

any_tree = st.one_of(trees(whole_leaves), trees(real_leaves)).map(Tree.from_json)
sizes = st.sampled_from([LEAST_MB, 0.01])


MOST_NODES = 2000
"""Many times what any search here takes, so that one that does not end fails soon."""


def room(megabytes: float = 0.01) -> tuple[Table, Work]:
    """What a search in plain Python needs."""
    work = new_work(plain=True)
    work.begin(MOST_NODES)
    return table_of(megabytes), work


def for_mover(game: Game, state: Any) -> Any:
    """The oracle's value for the player to move."""
    return sign(game.to_move(state)) * value_of(game, state)


def test_a_value_that_just_reaches_the_goal_is_a_yes() -> None:
    known = ValueRange(0, 9, -9, 9)
    assert known.narrowed(4, 4) == known._replace(low=4)
    assert known.narrowed(4, 3) == known._replace(high=3)


@given(game=any_tree, megabytes=sizes)
def test_the_value_is_that_of_the_player_to_move(game: Tree, megabytes: float) -> None:
    assert exact(game, game.initial(), False, *room(megabytes)) == for_mover(game, game.initial())


@given(game=any_tree, megabytes=sizes)
def test_a_weak_answer_has_the_sign_of_the_value(game: Tree, megabytes: float) -> None:
    found = exact(game, game.initial(), True, *room(megabytes))
    assert np.sign(found) == np.sign(for_mover(game, game.initial()))


def test_a_weak_answer_takes_fewer_nodes() -> None:
    game = Tree.from_lists([[[3, 5], [9, 7]], [[4, 8], [2, 6]]])  # who wins shows at once, by how much does not
    counts = []
    for weak in (False, True):
        table, work = room()
        exact(game, game.initial(), weak, table, work)
        counts.append(work.nodes)
    assert counts[1] < counts[0]


whole, real = Tree.from_lists([1, 2]), Tree.from_lists([1.5, 2])
ends = st.one_of(st.integers(-100, 100), st.just(math.inf), st.just(-math.inf))


@given(first=ends, last=ends, data=st.data())
def test_every_question_narrows_the_range_whatever_the_answer(first: float, last: float, data: st.DataObject) -> None:
    """A goal lies above ``low``, so that a yes raises it, and not above ``high``, so that a no lowers that."""
    for game in (whole, real):
        known = ValueRange(first, last, first, last)
        asked = 0
        while known.is_open(False) and asked < 40:
            goal = next_goal(game, known)
            assert known.low < goal <= known.high, known
            asked += 1
            less = goal - 1 if game is whole else math.nextafter(goal, -math.inf)
            yes = data.draw(st.booleans())
            narrower = known.narrowed(goal, goal if yes else less)
            assert narrower == (known._replace(low=goal) if yes else known._replace(high=less))
            known = narrower


def test_the_first_questions_are_who_wins() -> None:
    assert next_goal(whole, ValueRange(-9, 9, -9, 9)) == 1  # a win?
    assert next_goal(whole, ValueRange(-9, 0, -9, 9)) == 0  # if not, a draw at least?


def test_it_asks_for_half_of_what_is_possible_and_then_near_a_draw() -> None:
    assert next_goal(whole, ValueRange(1, 41, -41, 41)) == 22
    assert next_goal(whole, ValueRange(1, 21, -41, 41)) == 4  # an eighth of the way
    assert next_goal(whole, ValueRange(-41, -1, -41, 41)) == -21
    assert next_goal(whole, ValueRange(-20, -1, -41, 41)) == -4


@given(game=any_tree)
def test_a_best_move_is_worth_the_value(game: Tree) -> None:
    state = game.initial()
    table, work = room()
    value = exact(game, state, False, table, work)
    assert value_of(game, game.play(state, best_move(game, state, value, table, work))) == value_of(game, state)


@given(game=any_tree)
def test_no_move_is_worth_more_than_the_value(game: Tree) -> None:
    state = game.initial()
    table, work = room()
    more = math.nextafter(float(for_mover(game, state)), math.inf) if not game.whole_scores() else None
    with pytest.raises(pw.GameError, match="no move has the value of the position"):
        best_move(game, state, for_mover(game, state) + 1 if more is None else more, table, work)


@given(game=any_tree)
def test_the_first_move_that_is_worth_so_much_is_the_first_in_order(game: Tree) -> None:
    state = game.initial()
    table, work = room()
    end = work.collect(game, state, 0)
    value = for_mover(game, state)
    place = first_worth(game, state, value, end, table, work)
    worth = [sign(game.to_move(state)) * value_of(game, game.play(state, move)) for move in game.moves(state)]
    assert place // PAIR == worth.index(value)
    assert first_worth(game, state, max(worth) + 1, end, table, work) == end


def test_many_are_solved_at_once_and_what_is_over_takes_no_node() -> None:
    game = ConnectFour(4, 3)
    states = [game.parse(text) for text in ("1234", "12341", "1212124343")]
    over = game.parse("1212123")
    while not game.is_terminal(over):
        over = game.play(over, next(iter(game.moves(over))))
    states.append(over)
    values, moves = np.zeros(4, dtype=object), np.zeros(4, dtype=np.int64)
    nodes = np.zeros(4, dtype=np.int64)
    exact_many(game, states[0], rows_of(states, game.initial(), False), values, moves, nodes, *room())
    assert values.tolist() == [value_of(game, state) for state in states]
    assert (nodes > 0).tolist() == [True, True, True, False]
    for state, move, value in zip(states[:3], moves, values, strict=False):
        assert value_of(game, game.play(state, int(move))) == value
