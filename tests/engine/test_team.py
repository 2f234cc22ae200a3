"""Split points: which threads may join, which moves they get, and whose work is cancelled.

One thread plays all parts here in turn, in plain Python.  ``tests.engine.test_parallel`` uses real threads.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from plywise.engine.node import Frame, Search, new_node
from plywise.engine.plan import plan_for
from plywise.engine.table import NO_MOVE, table_of
from plywise.engine.team import (
    ASKED,
    CALLED_OFF,
    MOST_SPLITS,
    NOWHERE,
    POINT_WORDS,
    WHOLE_SEARCH,
    SplitMove,
    Team,
    called_off,
    new_teams,
)
from plywise.engine.work import CHAIN, HORIZON, PAIR, PAST, Work, new_work
from plywise.games import TicTacToe
from plywise.inputs.limits import LEAST_MB

GAME = TicTacToe()
POSITION = GAME.parse("XO./.X./...")


def team_of(threads: int, share: int = 50) -> tuple[list[Team], list[Work]]:
    """Threads that have just begun a search."""
    works = [new_work(plain=True) for _ in range(threads)]
    teams, members = new_teams(works, 1, object)
    teams[0].begin(0, share)
    for work in members:
        work.begin(None)
        work.count[CHAIN] = 1
        work.chain[0] = WHOLE_SEARCH * POINT_WORDS + CALLED_OFF
    return teams, members


def search_with(work: Work) -> Search:
    return Search(GAME, plan_for(GAME, True), table_of(LEAST_MB), work)


def made(
    team: Team, work: Work, moves: Sequence[int], ply: int = 0, alpha: int = -10, beta: int = 10, narrows: bool = True
) -> int:
    """Make a split point with these moves and five plies to go; nothing is known yet but alpha."""
    end = 0
    for move in moves:
        end = work.push(end, move)
    node = new_node(search_with(work), POSITION, 5, alpha, beta, Frame(ply, 0, NO_MOVE, NO_MOVE))
    return team.make(GAME, node, end, narrows, work)


def opened(team: Team, work: Work, moves: Sequence[int], ply: int = 0, alpha: int = -10, beta: int = 10) -> int:
    """Make a split point, all of whose moves are shared from the beginning."""
    point = made(team, work, moves, ply, alpha, beta, narrows=False)
    team.share(point)
    return point


def job_at(team: Team, point: int) -> SplitMove:
    """Claim the next move of a split point."""
    return team.job(GAME, point, team.claim(point))


def report(team: Team, work: Work, job: SplitMove, value: int, trusted: bool = False, line: Sequence[int] = ()) -> None:
    """Say what a move is worth, and what the best line after it is."""
    work.length[job.ply + 1] = len(line)
    work.line[job.ply + 1, : len(line)] = line
    team.report(job, value, True, trusted, work)


def test_every_move_is_claimed_once() -> None:
    (one, two), (mine, _) = team_of(2)
    point = opened(one, mine, [3, 5, 7])
    jobs = [job_at(one, point), job_at(two, point), job_at(one, point)]
    assert [job.point for job in jobs] == [point, point, point]
    assert [job.move for job in jobs] == [3, 5, 7]
    assert [job.first for job in jobs] == [True, False, False]
    assert two.claim(point) == one.claim(point) == NOWHERE
    assert job_at(two, point).point == NOWHERE


def test_a_helper_joins_only_where_there_is_something_to_do() -> None:
    (one, two), (mine, theirs) = team_of(2)
    assert two.join(WHOLE_SEARCH, theirs) == NOWHERE
    point = opened(one, mine, [3])
    assert two.join(WHOLE_SEARCH, theirs) == point
    two.leave(point, WHOLE_SEARCH, theirs)
    one.claim(point)
    assert two.join(WHOLE_SEARCH, theirs) == NOWHERE  # no move is left


def test_nobody_joins_before_the_moves_in_order_are_taken() -> None:
    (one, two), (mine, theirs) = team_of(2, share=50)
    point = made(one, mine, [3, 5, 7, 8])
    for _ in range(2):
        one.share(point)
        assert two.join(WHOLE_SEARCH, theirs) == NOWHERE
        one.claim(point)
    one.share(point)
    assert two.join(WHOLE_SEARCH, theirs) == point


def test_nobody_joins_a_closed_point_and_its_owner_waits_for_those_inside() -> None:
    (one, two, three), (mine, theirs, others) = team_of(3)
    point = opened(one, mine, [3, 5])
    assert two.join(WHOLE_SEARCH, theirs) == point
    one.close(point)
    assert three.join(WHOLE_SEARCH, others) == NOWHERE
    assert one.has_helpers(point)
    two.leave(point, WHOLE_SEARCH, theirs)
    assert not one.has_helpers(point)


def test_a_helper_knows_the_position_the_depth_and_the_window() -> None:
    (one, two), (mine, theirs) = team_of(2)
    point = opened(one, mine, [3, 5], ply=2, alpha=-4, beta=6)
    job = job_at(two, point)
    assert (job.state, job.depth, job.ply, job.alpha, job.beta) == (POSITION, 5, 2, -4, 6)
    node = two.node(search_with(theirs), point)
    assert (node.state, node.depth, node.frame.ply, node.alpha, node.beta) == (POSITION, 5, 2, -4, 6)
    assert two.alpha(point) == -4
    assert two.end(point) == 2 * PAIR


def test_a_helper_knows_the_path_to_the_point() -> None:
    (one, two), (mine, theirs) = team_of(2)
    for work in (mine, theirs):
        work.count[PAST] = 1
    mine.path[:4] = [11, 12, 13, 14]  # one from before the root, three on the way
    opened(one, mine, [3, 5], ply=2)
    two.join(WHOLE_SEARCH, theirs)
    assert theirs.path[:4].tolist() == [11, 12, 13, 14]


def test_the_best_report_counts_and_raises_alpha() -> None:
    (one, two), (mine, theirs) = team_of(2)
    point = opened(one, mine, [3, 5, 7], alpha=0)
    report(one, mine, job_at(one, point), -2)  # not above alpha: a bound
    assert one.alpha(point) == 0
    report(two, theirs, job_at(two, point), 4, line=[8, 1])
    assert one.alpha(point) == 4
    last = job_at(one, point)
    assert last.alpha == 4
    report(one, mine, last, 3)
    one.close(point)
    assert one.release(point, mine) == (4, 5)
    assert mine.best_line == (5, 8, 1)


def test_where_nothing_beats_alpha_there_is_no_best_move() -> None:
    (one, _), (mine, _) = team_of(2)
    point = opened(one, mine, [3], alpha=0)
    report(one, mine, job_at(one, point), -2)
    one.close(point)
    assert one.release(point, mine) == (-2, NO_MOVE)
    assert mine.best_line == ()


def test_where_nothing_narrows_alpha_stays() -> None:
    (one, _), (mine, _) = team_of(2)
    point = opened(one, mine, [3, 5], alpha=0)
    one.report(job_at(one, point), 4, False, False, mine)
    assert one.alpha(point) == 0
    one.close(point)
    assert one.release(point, mine) == (4, 3)


def test_a_value_taken_on_trust_is_the_owner_s_too() -> None:
    (one, two), (mine, theirs) = team_of(2)
    for trusted in (False, True):
        before = mine.count[HORIZON]
        point = opened(one, mine, [3])
        report(two, theirs, job_at(two, point), 1, trusted)
        one.close(point)
        one.release(point, mine)
        assert (mine.count[HORIZON] > before) == trusted


def test_a_cutoff_calls_off_all_work_beneath_and_no_other() -> None:
    (one, two, three), (mine, theirs, others) = team_of(3)
    outer = opened(one, mine, [3, 5], ply=0, beta=4)
    assert two.join(WHOLE_SEARCH, theirs) == outer
    inner = opened(two, theirs, [6, 8], ply=1)
    three.take_over(inner, others)
    report(two, theirs, job_at(two, inner), 12)  # a cutoff within
    assert [called_off(work) for work in (mine, theirs, others)] == [False, True, True]
    two.close(inner)
    two.release(inner, theirs)
    assert not called_off(theirs)
    inner = opened(two, theirs, [6, 8], ply=1)
    three.take_over(inner, others)
    assert not called_off(others)
    report(one, mine, job_at(one, outer), 4)
    assert [called_off(work) for work in (mine, theirs, others)] == [True, True, True]


def test_an_owner_helps_only_beneath_its_own_point() -> None:
    (one, two, three), (mine, theirs, others) = team_of(3)
    outer = opened(one, mine, [3])
    one.claim(outer)
    elsewhere = opened(three, others, [6, 8])
    assert one.join(outer, mine) == NOWHERE
    two.take_over(outer, theirs)
    beneath = opened(two, theirs, [6, 8], ply=1)
    assert one.join(outer, mine) == beneath
    assert one.is_beneath(beneath, outer)
    assert not one.is_beneath(elsewhere, outer)
    assert one.is_beneath(elsewhere, WHOLE_SEARCH)


def test_a_thread_that_leaves_a_point_no_longer_works_for_it() -> None:
    (one, two), (mine, theirs) = team_of(2)
    outer = opened(one, mine, [3])
    two.take_over(outer, theirs)
    inner = opened(two, theirs, [6, 8], ply=1)
    one.claim(outer)
    assert one.join(outer, mine) == inner
    report(two, theirs, job_at(two, inner), 12)
    assert called_off(mine)
    one.leave(inner, outer, mine)
    assert not called_off(mine)


def test_helpers_go_where_the_root_is_nearest() -> None:
    (one, two), (mine, theirs) = team_of(2)
    near = opened(one, mine, [3, 5], ply=1)
    opened(one, mine, [3, 5], ply=4)
    assert two.join(WHOLE_SEARCH, theirs) == near


def test_an_owner_gets_its_own_moves_then_moves_beneath_while_helpers_are_inside_then_nothing() -> None:
    (one, two), (mine, theirs) = team_of(2)
    outer = opened(one, mine, [3, 5])
    two.join(WHOLE_SEARCH, theirs)
    assert [one.next_job(GAME, outer, mine).move for _ in range(2)] == [3, 5]
    inner = opened(two, theirs, [6], ply=1)
    job = one.next_job(GAME, outer, mine)
    assert (job.point, job.move) == (inner, 6)
    one.leave(inner, outer, mine)
    two.leave(outer, WHOLE_SEARCH, theirs)
    assert one.next_job(GAME, outer, mine).point == NOWHERE


def test_where_work_is_called_off_there_is_no_next_job() -> None:
    (one, _), (mine, _) = team_of(2)
    point = opened(one, mine, [3, 5], beta=4)
    report(one, mine, one.next_job(GAME, point, mine), 4)
    assert one.next_job(GAME, point, mine).point == NOWHERE


@pytest.mark.parametrize(("share", "moves", "first"), [(50, 8, 4), (25, 8, 2), (0, 8, 1), (10, 3, 1), (100, 8, 8)])
def test_a_share_of_the_moves_is_searched_in_order_but_at_least_one(share: int, moves: int, first: int) -> None:
    (one, _), _ = team_of(2, share)
    assert one.in_order(moves, True) == first
    assert one.in_order(moves, False) == 0  # without pruning there is nothing to learn from the first


@pytest.mark.parametrize("narrows", [True, False])
def test_alone_all_moves_are_searched_in_order(narrows: bool) -> None:
    (one,), (mine,) = team_of(1)
    assert one.in_order(8, narrows) == 8
    point = made(one, mine, [3, 5, 7], narrows=narrows)
    for _ in range(3):
        one.share(point)
        assert one.candidate(WHOLE_SEARCH) == NOWHERE
        one.claim(point)


def test_a_thread_has_room_for_so_many_points_and_no_more() -> None:
    (one, two), (mine, _) = team_of(2)
    points = []
    for ply in range(MOST_SPLITS):
        assert one.has_room()
        points.append(opened(one, mine, [3], ply=ply))
    assert len(set(points)) == MOST_SPLITS
    assert not one.has_room()
    assert two.has_room()
    for point in reversed(points):
        one.close(point)
        one.release(point, mine)
    assert one.has_room()
    assert mine.count[CHAIN] == 1


def test_to_close_the_whole_search_is_to_send_all_home_and_to_stop_it_calls_everything_off() -> None:
    (one, two), (mine, theirs) = team_of(2)
    assert two.has_helpers(WHOLE_SEARCH)
    assert not called_off(theirs)
    one.stop()
    assert called_off(mine)
    assert called_off(theirs)
    assert one.stopped == ASKED
    one.close(WHOLE_SEARCH)
    assert not two.has_helpers(WHOLE_SEARCH)
    assert two.next_job(GAME, WHOLE_SEARCH, theirs).point == NOWHERE
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
