"""Threads that search one position together: parallel minimax, and Jamboree search.

Jamboree (Kuszmaul 1994) is principal variation search with its null-window tests run in parallel.  A share of the moves
of a position is searched first, one after the other, for a bound; then all others are tested at once, whether they are
better.  The one that is gets a search with the real window; a cutoff calls off whatever still runs.  Near the leaves a
thread searches alone, with the engine's own sequential searches.

The three things that are searched for in this way (``Task``) differ in little: what to do near the leaves, which moves
there are and in what order, and what the table is told.  Their values are those of the sequential searches, always.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from plywise.algorithms.common import above, infinity, span
from plywise.algorithms.pvs import turned
from plywise.algorithms.table import LOWER, bound_within, settles, words
from plywise.bits import any_number, size
from plywise.compiling.atomic import give_way, store
from plywise.compiling.bridge import number_kind
from plywise.compiling.native import Native
from plywise.compiling.reading import prepare, run, start_thread, wants_compiled
from plywise.engine.distance import farther, nearer, winning
from plywise.engine.exact import exact, next_goal
from plywise.engine.plan import Plan, plan_for
from plywise.engine.pvs import collect, pvs, rank, serves
from plywise.engine.reaches import proven, reaches
from plywise.engine.table import NO_MOVE, Table, bound_of, is_proven, move_of, packed, table_of, value_of
from plywise.engine.team import (
    ASKED,
    BY_ITSELF,
    CALLED_OFF,
    CUTOFF,
    NOWHERE,
    WHOLE_SEARCH,
    WIDTH,
    Team,
    called_off,
    new_teams,
)
from plywise.engine.work import CHAIN, HORIZON, LIMIT, LOOP, NEVER, NODES, PAIR, Work, new_work, path_mark
from plywise.errors import SearchError, Stopped
from plywise.game import Game, Move, Number, State, sign
from plywise.inputs.chance import refuse_chance
from plywise.inputs.limits import check_whole
from plywise.inputs.positions import unfinished
from plywise.result import Result

# ---------------------------------------------------------------------------------------------------------------------
# What to search for
# ---------------------------------------------------------------------------------------------------------------------


class Task(Native):
    """What threads search for together.  Values and windows are those of the player to move."""

    narrows: bool = True
    """Whether what one move is worth narrows the window of the next."""

    def answer(
        self, game: Game, state: State, depth: int, weak: bool, plan: Plan, table: Table, team: Team, work: Work
    ) -> Number:
        """Return what is wanted of the root."""
        start, low = any_number(0), -infinity(game)
        return together(game, state, depth, low, -low, start, start, any_number(NO_MOVE), any_number(NOWHERE), self,
                        plan, table, team, work)  # fmt: skip


class Minimax(Task):
    """Minimax without any pruning, which is for comparison."""

    narrows: bool = False

    def alone(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, top: int, before: Move,
        plan: Plan, table: Table, work: Work,
    ) -> Number:  # fmt: skip
        """Search without help."""
        return full_tree(game, state, depth, work)

    def salt(self, game: Game, state: State, ply: int, plan: Plan, work: Work) -> int:
        """Return what the table needs to know besides the key."""
        return 0

    def at_hand(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, entry: int, plan: Plan,
        work: Work,
    ) -> bool:  # fmt: skip
        """Return whether ``alone`` knows the value without a search."""
        return game.is_terminal(state)

    def moves(
        self, game: Game, state: State, depth: int, beta: Number, ply: int, before: Move, entry: int, top: int,
        plan: Plan, work: Work,
    ) -> int:  # fmt: skip
        """Put the moves on the stack, the best first; returns the end of them."""
        return collect(game, state, plan, work, top)

    def keep(
        self, game: Game, key: Any, salt: int, value: Number, bound: int, certain: bool, depth: int, ply: int,
        nodes: int, move: Move, table: Table,
    ) -> None:  # fmt: skip
        """Tell the table."""


class FixedDepth(Task):
    """The value at a fixed depth, which is minimax's."""

    def alone(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, top: int, before: Move,
        plan: Plan, table: Table, work: Work,
    ) -> Number:  # fmt: skip
        return pvs(game, state, depth, alpha, beta, ply, top, before, any_number(NO_MOVE), plan, table, work)

    def salt(self, game: Game, state: State, ply: int, plan: Plan, work: Work) -> int:
        return work.trail(ply, game.reversible(state)) if plan.loops else 0

    def at_hand(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, entry: int, plan: Plan,
        work: Work,
    ) -> bool:  # fmt: skip
        if game.is_terminal(state):
            return True
        if plan.loops:
            mark = path_mark(game.key(state), game.to_move(state))
            if work.repeats(mark, ply, game.reversible(state)) >= 0 and ply > 0:
                return True
        if above(game, alpha) < beta:
            return False
        low, high = span(game, game.bounds(state), game.to_move(state))
        if beta <= low < winning(game) or -winning(game) < high <= alpha:
            return True
        if entry == 0 or not serves(entry, depth, plan):
            return False
        return settles(bound_of(entry), nearer(game, value_of(game, entry), ply), alpha, beta)

    def moves(
        self, game: Game, state: State, depth: int, beta: Number, ply: int, before: Move, entry: int, top: int,
        plan: Plan, work: Work,
    ) -> int:  # fmt: skip
        end = collect(game, state, plan, work, top)
        hint = move_of(entry) if entry != 0 else NO_MOVE
        rank(game, state, game.to_move(state), hint, ply, before, depth, top, end, plan, work)
        return end

    def keep(
        self, game: Game, key: Any, salt: int, value: Number, bound: int, certain: bool, depth: int, ply: int,
        nodes: int, move: Move, table: Table,
    ) -> None:  # fmt: skip
        table.keep(key, salt, packed(game, farther(game, value, ply), bound, certain, depth, move))


class ExactValue(Task):
    """The value at the end of the game.  All windows are null windows; the depth is how many plies may be split."""

    def answer(
        self, game: Game, state: State, depth: int, weak: bool, plan: Plan, table: Table, team: Team, work: Work
    ) -> Number:
        start = any_number(0)
        low, high = span(game, game.bounds(state), game.to_move(state))
        first, last = low, high
        work.narrow(low, high)
        while low < high and not (weak and (low > 0 or high < 0)) and not called_off(work):
            goal = next_goal(game, low, high, first, last)
            beneath = -above(game, -goal)
            value = together(game, state, depth, beneath, goal, start, start, any_number(NO_MOVE), any_number(NOWHERE),
                             self, plan, table, team, work)  # fmt: skip
            if called_off(work):
                break
            if value >= goal:
                low = value
            else:
                high = value
            work.narrow(low, high)
        return high if weak and high < 0 else low

    def alone(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, top: int, before: Move,
        plan: Plan, table: Table, work: Work,
    ) -> Number:  # fmt: skip
        return reaches(game, state, beta, top, table, work)

    def salt(self, game: Game, state: State, ply: int, plan: Plan, work: Work) -> int:
        return 0

    def at_hand(
        self, game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, entry: int, plan: Plan,
        work: Work,
    ) -> bool:  # fmt: skip
        player = game.to_move(state)
        low, high = proven(game, state, player)
        if low >= beta or high < beta:
            return True
        if is_proven(entry) and (bound_of(entry) == LOWER) == (value_of(game, entry) >= beta):
            return True
        settled = False  # by a child
        for move in game.candidates(state):
            settled = settled or proven(game, game.play(state, move), player)[0] >= beta
        return settled

    def moves(
        self, game: Game, state: State, depth: int, beta: Number, ply: int, before: Move, entry: int, top: int,
        plan: Plan, work: Work,
    ) -> int:  # fmt: skip
        player = game.to_move(state)
        end = work.collect(game, state, top)
        for place in range(top, end, PAIR):
            move = work.stack[place + 1]
            worth = game.order(state, move)
            if proven(game, game.play(state, move), player)[1] < beta:
                worth -= SETTLED
            work.insert(worth, top, place)
        if bound_of(entry) == LOWER:
            work.advance(move_of(entry), top, end)
        return end

    def keep(
        self, game: Game, key: Any, salt: int, value: Number, bound: int, certain: bool, depth: int, ply: int,
        nodes: int, move: Move, table: Table,
    ) -> None:  # fmt: skip
        table.keep(key, salt, packed(game, value, bound, True, size(nodes), move))


SETTLED = 1 << 40
"""Moves that are known to be worth too little come last: they take no time, and those before them are shared."""


def full_tree(game: Game, state: State, depth: int, work: Work) -> Number:
    """Return the value for the player to move, looking ``depth`` plies ahead (``algorithms.negamax``)."""
    work.enter()
    player = game.to_move(state)
    if game.is_terminal(state):
        return sign(player) * game.score(state)
    if depth <= 0:
        work.count[HORIZON] += 1
        return sign(player) * game.evaluate(state)
    best = -infinity(game)
    for move in game.moves(state):
        child = game.play(state, move)
        value = full_tree(game, child, depth - 1, work)
        best = max(best, value if game.to_move(child) == player else -value)
    return best


# ---------------------------------------------------------------------------------------------------------------------
# The search
# ---------------------------------------------------------------------------------------------------------------------


def member(
    game: Game, state: State, depth: int, weak: bool, task: Any, plan: Plan, table: Table, team: Team, work: Work
) -> Number:
    """Take part in a search, as what one is: the first thread leads, the others help until it is over."""
    work.count[CHAIN] = 1
    work.chain[0] = WHOLE_SEARCH * WIDTH + CALLED_OFF
    if team.me[0] == 0:
        return task.answer(game, state, depth, weak, plan, table, team, work)  # type: ignore[no-any-return]
    start, low = any_number(0), -infinity(game)
    return together(game, state, depth, low, -low, start, start, start, start, task, plan, table, team, work)


def together(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, top: int, before: Move, post: int,
    task: Any, plan: Plan, table: Table, team: Team, work: Work,
) -> Number:  # fmt: skip
    """Return S' with alpha-beta's fail-soft promises; what it returns after ``called_off`` is meaningless.

    A thread has three things to do, which are one function, for each leads to the others: to search a position (if
    ``post`` is NOWHERE), to help at the split point ``post``, and (WHOLE_SEARCH) to wait for a point to help at.  The
    other arguments are those of ``engine.pvs``.
    """
    work.length[ply] = 0
    if called_off(work) and post != WHOLE_SEARCH:
        return -infinity(game)
    best, best_move, lowest, point = -infinity(game), NO_MOVE, alpha, post
    place = first = end = top
    key, salt, entry = game.key(state), 0, 0
    nodes, trusted, player = work.count[NODES], work.count[HORIZON], game.to_move(state)
    if post == NOWHERE:
        small = depth <= team.settings[CUTOFF]
        if not small:
            salt = task.salt(game, state, ply, plan, work)
            entry = table.find(key, salt)
        if small or task.at_hand(game, state, depth, alpha, beta, ply, entry, plan, work):
            return alone(game, state, depth, alpha, beta, ply, top, before, task, plan, table, team, work)
        work.count[NODES] += 1
        end = task.moves(game, state, depth, beta, ply, before, entry, top, plan, work)
        first = top + PAIR * team.in_order((end - top) // PAIR, task.narrows)
    while post != WHOLE_SEARCH and not called_off(work):
        if point == NOWHERE and place >= first and place < end and alpha < beta:
            point = team.open(game, state, depth, alpha, beta, best, best_move, ply, place, end, work)
        if point != NOWHERE:
            move, found = team.claim(point)
            alpha = team.alpha(point)
        else:
            move, found = work.stack[place + 1], place < end and alpha < beta
        if not found:
            break
        wide = not task.narrows or (place == top and point == NOWHERE)
        sure = work.count[HORIZON]
        child = game.play(state, move)
        turn = 1 if game.to_move(child) == player else -1
        while True:
            low, high = turned(turn, alpha, beta if wide else above(game, alpha))
            value = turn * together(
                game, child, depth - 1, low, high, ply + 1, end, move, any_number(NOWHERE), task, plan, table, team,
                work,
            )  # fmt: skip
            if wide or value <= alpha or value >= beta or called_off(work):
                break
            wide = True  # better than alpha, and we want to know by how much
            if point != NOWHERE:
                alpha = team.alpha(point)  # which others may have raised
        if called_off(work):
            break
        if point != NOWHERE:
            team.report(point, move, value, task.narrows, work.count[HORIZON] != sure, work)
        elif value > best:
            best = value
            if value > alpha:
                best_move = move
                work.extend_line(ply, move)
                if task.narrows:
                    alpha = value
        place += PAIR
    if post > WHOLE_SEARCH or (point == NOWHERE and called_off(work)):
        return best
    if point != NOWHERE:
        if point != post:
            team.close(point)
        while team.has_helpers(point):
            other = team.join(point)
            if other == NOWHERE:
                give_way()
                continue
            links = work.count[CHAIN]
            team.take_over(other, work)
            left, there, limit = team.place_of(other)
            together(
                game, team.state(game, other), left, -limit, limit, there, end, before, other, task, plan, table, team,
                work,
            )  # fmt: skip
            work.count[CHAIN] = links
            team.leave(other)
        if post == WHOLE_SEARCH:
            return best
        best, best_move = team.release(point, ply, work)
        if called_off(work):
            return best
    bound = bound_within(best, lowest, beta)
    certain = work.count[HORIZON] == trusted
    task.keep(game, key, salt, best, bound, certain, depth, ply, work.count[NODES] - nodes, best_move, table)
    return best


def alone(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, top: int, before: Move, task: Any,
    plan: Plan, table: Table, team: Team, work: Work,
) -> Number:  # fmt: skip
    """Search without help.  Nothing is raised: whoever has helpers must not leave before them."""
    value = -infinity(game)
    try:
        value = task.alone(game, state, depth, alpha, beta, ply, top, before, plan, table, work)
    except Exception:
        if not called_off(work):  # so this thread is the first to know: its limit, the clock, or an error
            store(team.words, WHOLE_SEARCH * WIDTH + CALLED_OFF, BY_ITSELF)
    return value


def solo(game: Game, state: State, depth: int, task: Any, plan: Plan, table: Table, work: Work) -> Number:
    """Search the root without help; unlike ``alone``, raise what there is to raise."""
    start, low = any_number(0), -infinity(game)
    value: Number = task.alone(game, state, depth, low, -low, start, start, any_number(NO_MOVE), plan, table, work)
    return value


# ---------------------------------------------------------------------------------------------------------------------
# From Python
# ---------------------------------------------------------------------------------------------------------------------

MINIMAX_CUTOFF = 4
"""The remaining depth at and below which minimax is not divided: a task is then some thousand positions."""

PERCENTAGE_SEQUENTIAL, JAMBOREE_CUTOFF = 50, 8
"""Percent of the moves that are searched in order; the remaining depth at and below which nothing is split.

Measured with two threads on Connect Four, by counting positions, which do not depend on what else the machine does.  At
depth 19, where one thread visited 73.9 million, the busier of two visited 35 to 36 million with these values, 39 to 41
with 25 percent, 36 to 38 with a cut-off of 10 and 37 with one of 6.  ``plywise tune-jamboree`` measures times.
"""

EXACT_PERCENTAGE, SPLIT_PLIES = 25, 12
"""The same share for exact values; the plies from the root in which positions are split.

The board of 8 by 5 takes one thread 29 to 32 s; two take 14 to 18 with these values, 18 to 19 with 50 percent in 16
plies, whose nodes are as many: the closer to the leaves the splits, the more threads wait for each other.
"""


def parallel_minimax(
    game: Game, state: State | str | None = None, *, depth: int, threads: int = 2, cutoff: int = MINIMAX_CUTOFF,
    deadline: float | None = None,
) -> Result:  # fmt: skip
    """Find the value at a fixed depth by minimax, divided among threads.

    Args:
        game: whose rules to follow.
        state: a position, or its text; default: the initial one.
        depth: plies to look ahead.
        threads: how many search together.
        cutoff: the remaining depth at and below which a thread searches alone.
        deadline: the time, of ``time.perf_counter``, at which to give up.

    Raises:
        Stopped: the deadline was there first.

    >>> import plywise as pw
    >>> parallel_minimax(pw.games.TicTacToe(), "XO./.X./..O", depth=4, threads=2).value
    1
    """
    if depth <= cutoff:  # one thread, which keeps the move only where it could split
        threads, cutoff = 1, depth - 1
    return _at_depth(Minimax(), "parallel-minimax", game, state, depth, threads, cutoff, 0, 0.001, deadline)


def jamboree(
    game: Game, state: State | str | None = None, *, depth: int, threads: int = 2,
    percentage_sequential: int = PERCENTAGE_SEQUENTIAL, cutoff: int = JAMBOREE_CUTOFF, table_mb: float = 64.0,
    deadline: float | None = None,
) -> Result:  # fmt: skip
    """Find the value at a fixed depth by Jamboree search, with a table that threads share.

    Args:
        game: whose rules to follow.
        state: a position, or its text; default: the initial one.
        depth: plies to look ahead.
        threads: how many search together.
        percentage_sequential: the share of the moves of a position, at least one, to search before the others.
        cutoff: the remaining depth at and below which a thread searches alone.
        table_mb: the size of the table, in megabytes.
        deadline: the time, of ``time.perf_counter``, at which to give up.

    Raises:
        Stopped: the deadline was there first.

    >>> import plywise as pw
    >>> jamboree(pw.games.ConnectFour(), "445566", depth=12, threads=2).line_text()[0]
    '3'
    """
    if not 0 <= percentage_sequential <= 100:
        raise SearchError(f"percentage_sequential={percentage_sequential!r} must be a number from 0 to 100")
    share = int(percentage_sequential)
    return _at_depth(FixedDepth(), "jamboree", game, state, depth, threads, cutoff, share, table_mb, deadline)


def ready_to_solve(
    game: Game, state: State, weak: bool, table: Table, works: list[Work], *, split_plies: int = SPLIT_PLIES,
    percentage_sequential: int = EXACT_PERCENTAGE,
) -> Callable[[], Any]:  # fmt: skip
    """Compile what threads need to solve a position together, and return what lets them do it.

    That returns the exact value for the player to move, or if ``weak`` one with the same sign.

    Args:
        table: with what earlier solutions left in it.
        works: a workspace a thread; they count the nodes.
        split_plies: how many plies from the root positions are split.
        percentage_sequential: the share of the moves to search before the others.
    """
    crew = _Crew(game, state, ExactValue(), plan_for(game, True), table, works)
    return partial(crew.run, split_plies, weak, 0, percentage_sequential, None)


def _at_depth(
    task: Task, name: str, game: Game, state: State | str | None, depth: int, threads: int, cutoff: int, share: int,
    table_mb: float, deadline: float | None,
) -> Result:  # fmt: skip
    start = unfinished(game, state)
    check_whole("depth", depth, 1, MOST)
    check_whole("threads", threads, 1, MOST)
    check_whole("cutoff", cutoff, 0, MOST)
    refuse_chance(game, start)
    works = [new_work() for _ in range(threads)]
    for work in works:
        work.begin(None)
    table = table_of(table_mb)
    table.begin_search()
    crew = _Crew(game, start, task, plan_for(game, True), table, works)
    begun = time.perf_counter()
    value = crew.run(depth, False, cutoff, share, deadline)
    line = crew.members[0].best_line
    return Result(
        game=game, state=start, value=value * sign(game.to_move(start)), move=line[0], line=line, bound="exact",
        proven=bool(crew.members[0].count[HORIZON] == 0), depth=depth, nodes=sum(work.nodes for work in works),
        leaves=None, seconds=time.perf_counter() - begun, algorithm=name, compiled=crew.compiled is not None,
    )  # fmt: skip


MOST = 256
"""Plies, and threads."""


class _Crew:
    """Threads and what they search with."""

    def __init__(self, game: Game, state: State, task: Task, plan: Plan, table: Table, works: list[Work]) -> None:
        self.game, self.state, self.task, self.plan, self.table = game, state, task, plan, table
        self._take(works)
        self.compiled = prepare(member, game, state, lambda: self._arguments(0, 1, False))
        if self.compiled is None:  # plain Python runs one thread at a time
            self._take([dataclasses.replace(new_work(plain=True), count=works[0].count)])

    def _take(self, works: list[Work]) -> None:
        self.teams, self.members = new_teams(
            works, len(words(self.state)), number_kind(self.game) if wants_compiled(self.game) else object
        )

    def _arguments(self, number: int, depth: int, weak: bool) -> tuple[Any, ...]:
        return (depth, weak, self.task, self.plan, self.table, self.teams[number], self.members[number])

    def run(self, depth: int, weak: bool, cutoff: int, share: int, deadline: float | None) -> Any:
        """Search with all threads; returns the value for the player to move."""
        team = self.teams[0]
        team.begin(cutoff, share)
        for work in self.members:
            work.count[HORIZON], work.count[LOOP] = 0, NEVER

        def lead(game: Game, fields: Any, arguments: tuple[Any, ...]) -> Any:
            others = range(1, len(self.teams))
            helpers = [start_thread(self.compiled, game, fields, self._arguments(i, depth, weak)) for i in others]
            try:
                return self.compiled(game, fields, arguments)
            finally:
                team.close(WHOLE_SEARCH)
                for helper in helpers:
                    helper.join()

        compiled = None if self.compiled is None else lead
        try:
            value = run(member, self.game, self.state, self._arguments(0, depth, weak), team, compiled, deadline)
        finally:
            for work in self.members:
                work.count[CHAIN] = 0  # whoever uses these counts next works for no split point
        if team.stopped:
            self._explain(depth, weak)
        return value

    def _explain(self, depth: int, weak: bool) -> None:
        """Raise what ended the search."""
        limited = any(work.count[NODES] >= work.count[LIMIT] for work in self.members)
        if not limited and self.teams[0].stopped != ASKED:  # an error in a game's rules: a search without help meets it
            work = new_work(plain=self.compiled is None)
            work.begin(None)
            function: Any = solo
            arguments: tuple[Any, ...] = (depth, self.task, self.plan, self.table, work)
            if isinstance(self.task, ExactValue):
                function, arguments = exact, (weak, self.table, work)
            run(
                function,
                self.game,
                self.state,
                arguments,
                work,
                self.compiled and prepare(function, self.game, self.state, lambda: arguments),
            )
        raise Stopped(sum(work.nodes for work in self.members))
