"""Threads put off moves that another thread is searching, and nothing else about these moves changes."""

from __future__ import annotations

import numpy as np

from plywise.engine.node import Node, Search, new_node, root_frame
from plywise.engine.ordering import Trial, generate, next_trial, weigh
from plywise.engine.plan import plan_for
from plywise.engine.sharing import LEAST_DEPTH, begin_move, end_move, is_searched, mark_of, place_of
from plywise.engine.table import table_of
from plywise.engine.work import MARK_SETS, MARK_WAYS, PAIR, Work, new_work, new_works
from plywise.games import Chess
from plywise.inputs.limits import LEAST_MB

GAME = Chess()
TACTICAL = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""A position with winning, losing and quiet moves."""


def workspace() -> Work:
    return new_work(plain=True).with_arrays(marks=np.zeros(MARK_SETS * MARK_WAYS, dtype=np.int64))


def trials(work: Work, depth: int = 8) -> list[Trial]:
    """The moves of the position in the order in which they are searched."""
    search = Search(GAME, plan_for(GAME, False), table_of(LEAST_MB), work)
    node = at(search, depth)
    end = generate(search, node)
    weigh(search, node, end)
    for place in range(0, end, PAIR):
        work.stack[place] += place  # no two moves are worth the same
    return [next_trial(search, node, place, end) for place in range(0, end, PAIR)]


def at(search: Search, depth: int) -> Node:
    return new_node(search, GAME.parse(TACTICAL), depth, -10, 10, root_frame())


def marks_of(moves: list[int]) -> list[int]:
    node = at(Search(GAME, plan_for(GAME, False), table_of(LEAST_MB), workspace()), 8)
    return [(mark_of(node, move) + 2**63) % 2**64 - 2**63 for move in moves]


def test_a_move_is_searched_from_its_beginning_to_its_end() -> None:
    work, marks = workspace(), marks_of([3, 4])
    begin_move(work, marks[0])
    assert [is_searched(work, mark) for mark in marks] == [True, False]
    end_move(work, marks[1])
    end_move(work, marks[0])
    assert not work.marks.any()


def test_a_full_set_forgets_a_mark_and_leaves_the_others() -> None:
    work, marks = workspace(), [5 << 54 | number for number in range(1, MARK_WAYS + 2)]
    for mark in marks:
        begin_move(work, mark)
    assert [is_searched(work, mark) for mark in marks] == [True] * MARK_WAYS + [False]
    assert place_of(work.marks, marks[0], marks[0]) == 5 * MARK_WAYS


def test_moves_that_others_search_come_last_with_the_number_they_would_have_had(monkeypatch) -> None:
    usual = trials(workspace())
    assert any(trial.losing for trial in usual)
    for busy in ([1], [1, 2, 5], [3, len(usual) - 1], list(range(1, len(usual)))):
        taken = {usual[number].move for number in busy}
        monkeypatch.setattr("plywise.engine.ordering.mark_of", lambda node, move: move)
        monkeypatch.setattr("plywise.engine.ordering.is_searched", lambda work, mark, taken=taken: mark in taken)
        found = trials(workspace())
        assert found[-len(busy) :] == [usual[number] for number in busy]
        assert [trial.number for trial in found[: -len(busy)]] == [t.number for t in usual if t.move not in taken]
        assert sorted(trial.move for trial in found) == sorted(trial.move for trial in usual)


def test_the_first_move_and_moves_near_the_horizon_are_never_put_off(monkeypatch) -> None:
    usual = trials(workspace())
    monkeypatch.setattr("plywise.engine.ordering.mark_of", lambda node, move: move)
    monkeypatch.setattr("plywise.engine.ordering.is_searched", lambda work, mark: True)
    assert trials(workspace())[0] == usual[0]
    assert trials(workspace(), LEAST_DEPTH - 1) == trials(new_work(plain=True), LEAST_DEPTH - 1)


def test_threads_share_what_they_learn_and_one_thread_has_no_marks() -> None:
    (alone,), (first, second) = new_works(1), new_works(2)
    assert len(alone.marks) == 0
    for name in ("marks", "history", "continuation", "noisy", "countermoves"):
        assert np.shares_memory(getattr(first, name), getattr(second, name))
    for name in ("count", "stack", "killers", "line"):
        assert not np.shares_memory(getattr(first, name), getattr(second, name))
