"""Split points: who may join, who gets which move, and whose work is called off.

One thread plays all parts here, one after the other, in plain Python; a number stands for the position.
``tests.engine.test_parallel`` lets threads do it at once.
"""

from __future__ import annotations

from typing import Any

import pytest

from plywise.engine.team import CALLED_OFF, MOST_SPLITS, NOWHERE, WHOLE_SEARCH, WIDTH, Team, called_off, new_teams
from plywise.engine.work import CHAIN, HORIZON, PAIR, Work, new_work
from plywise.games import TicTacToe

GAME, POSITION = TicTacToe(), 7


def team_of(threads: int, share: int = 50) -> tuple[list[Team], list[Work]]:
    """Threads that have just begun a search."""
    works = [new_work(plain=True) for _ in range(threads)]
    teams, members = new_teams(works, 1, object)
    teams[0].begin(0, share)
    for work in members:
        work.begin(None)
        work.count[CHAIN] = 1
        work.chain[0] = WHOLE_SEARCH * WIDTH + CALLED_OFF
    return teams, members


def opened(team: Team, work: Work, moves: Any, ply: int = 0, alpha: float = -10, beta: float = 10) -> int:
    """Open a split point with these moves and five plies to go; nothing is known yet but alpha."""
    end = 0
    for move in moves:
        end = work.push(end, move)
    return team.open(GAME, POSITION, 5, alpha, beta, -100, 0, ply, 0, end, work)


def reported(team: Team, work: Work, point: int, move: int, value: float, trusted: bool = False) -> None:
    """Say what a move is worth; the best line after it has no more moves."""
    work.length[1] = 0
    team.report(point, move, value, True, trusted, work)


def test_every_move_is_claimed_once() -> None:
    (one, two), (mine, _) = team_of(2)
    point = opened(one, mine, [3, 5, 7])
    assert [one.claim(point), two.claim(point), one.claim(point)] == [(3, True), (5, True), (7, True)]
    assert not two.claim(point)[1]
    assert not one.claim(point)[1]


def test_a_helper_joins_only_where_there_is_something_to_do() -> None:
    (one, two), (mine, _) = team_of(2)
    assert two.join(WHOLE_SEARCH) == NOWHERE
    point = opened(one, mine, [3])
    assert two.join(WHOLE_SEARCH) == point
    two.leave(point)
    one.claim(point)
    assert two.join(WHOLE_SEARCH) == NOWHERE  # no move is left


def test_nobody_joins_a_closed_point_and_its_owner_waits_for_those_inside() -> None:
    (one, two, three), (mine, _, _) = team_of(3)
    point = opened(one, mine, [3, 5])
    assert two.join(WHOLE_SEARCH) == point
    one.close(point)
    assert three.join(WHOLE_SEARCH) == NOWHERE
    assert one.has_helpers(point)
    two.leave(point)
    assert not one.has_helpers(point)


def test_a_helper_knows_the_position_the_depth_and_the_window() -> None:
    (one, two), (mine, _) = team_of(2)
    point = opened(one, mine, [3, 5], ply=2, alpha=-4, beta=6)
    assert two.positions[point] == POSITION
    assert two.place_of(point) == (5, 2, 6)
    assert two.alpha(point) == -4


def test_the_best_report_counts_and_raises_alpha() -> None:
    (one, two), (mine, theirs) = team_of(2)
    point = opened(one, mine, [3, 5, 7], alpha=0)
    reported(one, mine, point, 3, -2)  # not above alpha: a bound
    assert one.alpha(point) == 0
    theirs.length[1] = 2
    theirs.line[1, :2] = [8, 1]
    two.report(point, 5, 4, True, False, theirs)
    assert one.alpha(point) == 4
    reported(one, mine, point, 7, 3)
    one.close(point)
    assert one.release(point, 0, mine) == (4, 5)
    assert mine.best_line == (5, 8, 1)


def test_where_nothing_narrows_alpha_stays() -> None:
    (one, _), (mine, _) = team_of(2)
    point = opened(one, mine, [3, 5], alpha=0)
    mine.length[1] = 0
    one.report(point, 3, 4, False, False, mine)
    assert one.alpha(point) == 0
    one.close(point)
    assert one.release(point, 0, mine) == (4, 3)


def test_a_value_taken_on_trust_is_the_owner_s_too() -> None:
    (one, two), (mine, theirs) = team_of(2)
    for trusted in (False, True):
        before = mine.count[HORIZON]
        point = opened(one, mine, [3])
        reported(two, theirs, point, 3, 1, trusted)
        one.close(point)
        one.release(point, 0, mine)
        assert (mine.count[HORIZON] > before) == trusted


def test_a_cutoff_calls_off_all_work_beneath_and_no_other() -> None:
    (one, two, three), (mine, theirs, others) = team_of(3)
    outer = opened(one, mine, [3, 5], ply=0, beta=4)
    assert two.join(WHOLE_SEARCH) == outer
    two.take_over(outer, theirs)
    inner = opened(two, theirs, [6, 8], ply=1)
    three.take_over(inner, others)
    reported(two, theirs, inner, 6, 12)  # a cutoff within
    assert [called_off(work) for work in (mine, theirs, others)] == [False, True, True]
    two.close(inner)
    two.release(inner, 1, theirs)
    assert not called_off(theirs)
    inner = opened(two, theirs, [6, 8], ply=1)
    three.take_over(inner, others)
    reported(one, mine, outer, 3, 4)
    assert [called_off(work) for work in (mine, theirs, others)] == [True, True, True]


def test_an_owner_helps_only_beneath_its_own_point() -> None:
    (one, two, three), (mine, theirs, others) = team_of(3)
    outer = opened(one, mine, [3])
    one.claim(outer)
    elsewhere = opened(three, others, [6, 8])
    assert one.join(outer) == NOWHERE
    two.take_over(outer, theirs)
    beneath = opened(two, theirs, [6, 8], ply=1)
    assert one.join(outer) == beneath
    assert one.is_beneath(beneath, outer)
    assert not one.is_beneath(elsewhere, outer)
    assert one.is_beneath(elsewhere, WHOLE_SEARCH)


def test_helpers_go_where_the_root_is_nearest() -> None:
    (one, two), (mine, _) = team_of(2)
    near = opened(one, mine, [3, 5], ply=1)
    opened(one, mine, [3, 5], ply=4)
    assert two.join(WHOLE_SEARCH) == near


@pytest.mark.parametrize(("share", "moves", "first"), [(50, 8, 4), (25, 8, 2), (0, 8, 1), (10, 3, 1), (100, 8, 8)])
def test_a_share_of_the_moves_is_searched_in_order_but_at_least_one(share: int, moves: int, first: int) -> None:
    (one, _), _ = team_of(2, share)
    assert one.in_order(moves, True) == first
    assert one.in_order(moves, False) == 0  # without pruning there is nothing to learn from the first


def test_alone_all_moves_are_searched_in_order() -> None:
    (one,), _ = team_of(1)
    assert not one.can_split()
    assert one.in_order(8, True) == one.in_order(8, False) == 8


def test_a_thread_has_room_for_so_many_points_and_no_more() -> None:
    (one, two), (mine, _) = team_of(2)
    points = [opened(one, mine, [3], ply=ply) for ply in range(MOST_SPLITS)]
    assert len(set(points)) == MOST_SPLITS
    assert not one.can_split()
    assert two.can_split()
    for point in reversed(points):
        one.close(point)
        one.release(point, 0, mine)
    assert one.can_split()
    assert mine.count[CHAIN] == 1


def test_to_close_the_whole_search_is_to_send_all_home_and_to_stop_it_calls_everything_off() -> None:
    (one, two), (mine, theirs) = team_of(2)
    assert two.has_helpers(WHOLE_SEARCH)
    assert not called_off(theirs)
    one.stop()
    assert called_off(mine)
    assert called_off(theirs)
    assert one.stopped
    one.close(WHOLE_SEARCH)
    assert not two.has_helpers(WHOLE_SEARCH)
    one.begin(0, 50)
    assert not one.stopped


def test_the_threads_share_counts_and_stacks_with_their_workspaces() -> None:
    works = [new_work(plain=True) for _ in range(2)]
    teams, members = new_teams(works, 1, object)
    members[1].begin(None)
    members[1].enter()
    assert works[1].nodes == 1
    members[1].push(0, 42)
    assert teams[0].stacks[1, PAIR - 1] == 42
