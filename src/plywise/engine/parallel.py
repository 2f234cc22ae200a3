"""Parallel searches of one position: parallel minimax, Jamboree and exact values.

Jamboree (Kuszmaul 1994) is principal variation search with its null-window tests run in parallel.  The first moves of a
position are searched one after the other, for a bound; then all others are tested in parallel.  A move that turns out
better is searched again with the real window; a cutoff cancels the remaining work.  Near the leaves each thread
searches alone, with the engine's sequential searches.

The three searches (``Task``) differ only in the search near the leaves, the moves and their order, and what they store
in the table.  Their values always equal those of the sequential searches.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from plywise.algorithms.common import above, check_value, infinity
from plywise.algorithms.deepening import SearchTo
from plywise.algorithms.memo_table import LOWER, UPPER
from plywise.algorithms.pvs import turned
from plywise.bits import any_number, size
from plywise.compiling.atomic import store
from plywise.compiling.native import Native
from plywise.compiling.reading import call_of, prepare, run, supervised, wants_compiled
from plywise.compiling.rows import put
from plywise.compiling.scores import number_kind
from plywise.compiling.threads import start_thread
from plywise.compiling.words import word_count
from plywise.engine.cutoffs import cutoff, game_over, keep
from plywise.engine.exact import all_values, exact, next_goal
from plywise.engine.judged import in_threads
from plywise.engine.node import Frame, Node, Search, new_node, root_frame
from plywise.engine.ordering import generate, weigh
from plywise.engine.plan import Plan, plan_for
from plywise.engine.playing_search import playing_search
from plywise.engine.reaches import answers, proven, reaches
from plywise.engine.table import NO_MOVE, Table, bound_of, check_hashable, packed, table_move, table_of
from plywise.engine.team import (
    ASKED,
    BY_ITSELF,
    CALLED_OFF,
    CUTOFF,
    NOWHERE,
    POINT_WORDS,
    WHOLE_SEARCH,
    Team,
    called_off,
    new_teams,
)
from plywise.engine.work import CHAIN, HORIZON, LIMIT, LOOP, NEVER, NODES, PAIR, Work, new_work
from plywise.errors import Stopped
from plywise.game import Game, Move, Number, State, sign
from plywise.inputs.chance import check_certain
from plywise.inputs.limits import LEAST_MB, LONGEST_LINE, check_megabytes, check_threads, check_whole
from plywise.result import Result

# ---------------------------------------------------------------------------------------------------------------------
# Tasks
# ---------------------------------------------------------------------------------------------------------------------


class Task(Native):
    """What the threads search for.  Values and windows are for the player to move."""

    narrows: bool = True
    """Whether the value of one move narrows the window of the next."""

    def answer(self, worker: Searcher, state: State, depth: int, weak: bool) -> Number:
        """Return the value of the root."""
        low = -infinity(worker.search.game)
        return ask(worker, state, depth, low, -low)


class Minimax(Task):
    """Minimax without pruning, for comparison."""

    narrows: bool = False

    def alone(self, search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
        """Search without help."""
        return full_tree(search.game, state, depth, search.work)

    def probe(self, search: Search, node: Node) -> tuple[int, bool]:
        """Return the table entry, and whether ``alone`` finds the value without a search."""
        return 0, search.game.is_terminal(node.state)

    def order(self, search: Search, node: Node) -> int:
        """Put the moves on the stack, best first; returns their end."""
        return generate(search, node)

    def keep(self, search: Search, node: Node, value: Number, move: Move, nodes: int) -> None:
        """Store the result in the table."""


class FixedDepth(Task):
    """The minimax value at a fixed depth."""

    def alone(self, search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
        return playing_search(search, state, depth, alpha, beta, frame)

    def probe(self, search: Search, node: Node) -> tuple[int, bool]:
        over, _ = game_over(search, node.state, node.frame.ply)
        if over:
            return 0, True
        entry, cuts, _ = cutoff(search, node)
        return entry, cuts

    def order(self, search: Search, node: Node) -> int:
        work, top = search.work, node.frame.top
        end = generate(search, node)
        first = table_move(search.game, node.state, node.entry)
        weigh(search, node._replace(first=first), end)
        for place in range(top, end, PAIR):
            work.insert(work.stack[place], top, place)
        return end

    def keep(self, search: Search, node: Node, value: Number, move: Move, nodes: int) -> None:
        keep(search, node, value, move, search.work.count[HORIZON] == node.trusted)


class ExactValue(Task):
    """The exact value, searched to the end of the game with null windows; ``depth`` is how many plies may be split."""

    def answer(self, worker: Searcher, state: State, depth: int, weak: bool) -> Number:
        game, work = worker.search.game, worker.search.work
        known = all_values(game, state)
        work.narrow(known.low, known.high)
        while known.is_open(weak) and not called_off(work):
            goal = next_goal(game, known)
            value = ask(worker, state, depth, -above(game, -goal), goal)
            if not called_off(work):
                known = known.narrowed(goal, value)
                work.narrow(known.low, known.high)
        return known.answer(weak)

    def alone(self, search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
        return reaches(search.game, state, beta, frame.top, search.table, search.work)

    def probe(self, search: Search, node: Node) -> tuple[int, bool]:
        game, state, player, goal = search.game, node.state, node.player, node.beta
        entry = search.table.find(node.key, 0)
        low, high = proven(game, state, player)
        settled = low >= goal or high < goal or answers(game, state, entry, goal)
        if not settled:
            for move in game.candidates(state):
                settled = settled or proven(game, game.play(state, move), player)[0] >= goal
        return entry, settled

    def order(self, search: Search, node: Node) -> int:
        game, work, top = search.game, search.work, node.frame.top
        end = work.collect(game, node.state, top)
        for place in range(top, end, PAIR):
            move = work.stack[place + 1]
            worth = game.order(node.state, move)
            if proven(game, game.play(node.state, move), node.player)[1] < node.beta:
                worth -= SETTLED
            work.insert(worth, top, place)
        if bound_of(node.entry) == LOWER:
            work.advance(table_move(game, node.state, node.entry), top, end)
        return end

    def keep(self, search: Search, node: Node, value: Number, move: Move, nodes: int) -> None:
        bound = LOWER if value >= node.beta else UPPER
        entry = packed(search.game, node.state, value, bound, True, size(nodes), move)
        search.table.keep(node.key, 0, entry)


SETTLED = 1 << 40
"""The penalty that puts moves proven too weak last: they take no time, so that helpers share the other ones."""


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


class Searcher(NamedTuple):
    """The tools of one search thread."""

    task: Any
    search: Search
    team: Team


def member(
    game: Game, state: State, depth: int, weak: bool, task: Any, plan: Plan, table: Table, team: Team, work: Work
) -> Number:
    """Run one thread of a search: the first leads, the others help until it is over."""
    worker = Searcher(task, Search(game, plan, table, work), team)
    work.count[CHAIN] = 1
    work.chain[0] = WHOLE_SEARCH * POINT_WORDS + CALLED_OFF
    put(team.positions, WHOLE_SEARCH, 0, state)
    if team.me[0] == 0:
        return task.answer(worker, state, depth, weak)  # type: ignore[no-any-return]
    return together(worker, any_number(WHOLE_SEARCH))


def ask(worker: Searcher, state: State, depth: int, alpha: Number, beta: Number) -> Number:
    """Return a fail-soft alpha-beta value of the root."""
    point, value = begin(worker, state, depth, alpha, beta, root_frame())
    return together(worker, point) if point != NOWHERE else value


def begin(worker: Searcher, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> tuple[int, Number]:
    """Return the number of a new split point for ``together``; or NOWHERE and the value, found by this thread alone."""
    task, search, team = worker
    work = search.work
    work.length[frame.ply] = 0
    if called_off(work):
        return NOWHERE, alpha
    if depth <= team.settings[CUTOFF] or not team.has_room():
        return NOWHERE, alone(worker, state, depth, alpha, beta, frame)
    node = new_node(search, state, depth, alpha, beta, frame)
    entry, settled = task.probe(search, node)
    if settled:
        return NOWHERE, alone(worker, state, depth, alpha, beta, frame)
    work.count[NODES] += 1
    node = node._replace(entry=entry)
    return team.make(search.game, node, task.order(search, node), task.narrows, work), alpha


def together(worker: Searcher, own: int) -> Number:
    """Search the moves of ``own``, a split point of this thread, with helpers, and return its value.

    At WHOLE_SEARCH, which has no moves, the thread helps others until the search is over.  A value returned after
    ``called_off`` is meaningless.
    """
    task, search, team = worker
    game, work = search.game, search.work
    node, nodes = team.node(search, own), work.count[NODES]
    while True:
        job = team.next_job(game, own, work)
        if job.point == NOWHERE:
            break
        child, trusted = game.play(job.state, job.move), work.count[HORIZON]
        turn = 1 if game.to_move(child) == game.to_move(job.state) else -1
        alpha, wide = job.alpha, job.first or not task.narrows
        while True:
            low, high = turned(turn, alpha, job.beta if wide else above(game, alpha))
            after = Frame(job.ply + 1, team.end(own), job.move, any_number(NO_MOVE))
            point, value = begin(worker, child, job.depth - 1, low, high, after)
            value = turn * (together(worker, point) if point != NOWHERE else value)
            if wide or value <= alpha or value >= job.beta or called_off(work):
                break
            alpha, wide = team.alpha(job.point), True  # better: search again; others may have raised alpha
        if not called_off(work):
            team.report(job, value, task.narrows, work.count[HORIZON] != trusted, work)
        if job.point != own:
            team.leave(job.point, own, work)
    if own == WHOLE_SEARCH:
        return node.alpha
    best, best_move = team.release(own, work)
    if not called_off(work):
        task.keep(search, node, best, best_move, work.count[NODES] - nodes)
    return best


def alone(worker: Searcher, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
    """Search without help.  Raises nothing: a thread must not leave a split point before its helpers."""
    task, search, team = worker
    value = -infinity(search.game)
    try:
        value = task.alone(search, state, depth, alpha, beta, frame)
    except Exception:
        if not called_off(search.work):  # this thread is the first to hit a limit, the clock or an error
            store(team.words, WHOLE_SEARCH * POINT_WORDS + CALLED_OFF, BY_ITSELF)
    return value


def solo(game: Game, state: State, depth: int, task: Any, plan: Plan, table: Table, work: Work) -> Number:
    """Search the root without help; unlike ``alone``, let exceptions through."""
    low = -infinity(game)
    value: Number = task.alone(Search(game, plan, table, work), state, depth, low, -low, root_frame())
    return value


# ---------------------------------------------------------------------------------------------------------------------
# From Python
# ---------------------------------------------------------------------------------------------------------------------

MINIMAX_CUTOFF = 4
"""The remaining depth at and below which minimax is not split: a job is then some thousand positions."""

PERCENTAGE_SEQUENTIAL, JAMBOREE_CUTOFF = 50, 8
"""Percent of the moves to search in order; the remaining depth at and below which nothing is split.

Measured with two threads on Connect Four at depth 19, in positions, which do not depend on the load of the machine.
One thread visited 73.9 million; the busier of two visited 35 to 36 million with these values, 39 to 41 with 25 percent,
36 to 38 with a cutoff of 10, and 37 with a cutoff of 6.  ``plywise tune-jamboree`` measures times.
"""

EXACT_PERCENTAGE, SPLIT_PLIES = 25, 12
"""The same percentage for exact values; the number of plies from the root in which positions are split.

Connect Four on 8 by 5 takes one thread 29 to 32 s.  Two threads take 14 to 18 s with these values, and 18 to 19 s with
50 percent and 16 plies, for as many nodes: the closer the splits are to the leaves, the longer threads wait.
"""


def parallel_minimax(game: Game, state: State, *, threads: int = 2, cutoff: int = MINIMAX_CUTOFF) -> SearchTo:
    """Minimax without pruning, its tree divided among threads.

    Args:
        game: the game.
        state: the position to search.
        threads: the number of threads.
        cutoff: the remaining depth at and below which a thread searches alone.  The line of play ends there.

    Returns:
        A function that searches the position to a depth.

    Raises:
        SearchError: an option is invalid.

    >>> import plywise as pw
    >>> tree = pw.games.Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> pw.search(tree, algorithm="parallel-minimax", depth=2, threads=2).value
    3
    """
    return _to_depths("parallel_minimax", Minimax(), game, state, threads, cutoff, 0, LEAST_MB)


def jamboree(
    game: Game, state: State, *, threads: int = 2, percentage_sequential: int = PERCENTAGE_SEQUENTIAL,
    cutoff: int = JAMBOREE_CUTOFF, table_mb: float = 64.0,
) -> SearchTo:  # fmt: skip
    """Jamboree (Kuszmaul 1994): principal variation search whose null-window tests run in parallel.

    Args:
        game: the game.
        state: the position to search.
        threads: the number of threads.
        percentage_sequential: percent of the moves, at least one move, to search in order before the others.
        cutoff: the remaining depth at and below which a thread searches alone.
        table_mb: the size of the shared table, in megabytes.

    Returns:
        A function that searches the position to a depth.

    Raises:
        SearchError: an option is invalid.

    >>> import plywise as pw
    >>> tree = pw.games.Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> pw.search(tree, algorithm="jamboree", depth=2, threads=2).value
    3
    """
    return _to_depths("jamboree", FixedDepth(), game, state, threads, cutoff, percentage_sequential, table_mb)


def ready_to_solve(
    game: Game, state: State, weak: bool, table: Table, works: list[Work], *, split_plies: int = SPLIT_PLIES,
    percentage_sequential: int = EXACT_PERCENTAGE,
) -> Callable[[], Any]:  # fmt: skip
    """Compile a parallel exact search, and return a function that runs it.

    The function returns the exact value for the player to move, or, if ``weak``, a value of the same sign.

    Args:
        table: the table, perhaps filled by earlier searches.
        works: a workspace for each thread; they count the nodes.
        split_plies: the number of plies from the root in which positions are split.
        percentage_sequential: percent of the moves to search in order before the others.
    """
    crew = _Crew(game, state, ExactValue(), plan_for(game, True), table, works)
    return partial(crew.run, split_plies, weak, 0, percentage_sequential, None)


def _to_depths(
    name: str, task: Task, game: Game, state: State, threads: int, cutoff: int, share: int, table_mb: float
) -> SearchTo:
    """Compile a parallel search, and return a function that searches the position to a depth."""
    check_certain(game, name)
    check_threads(threads)
    check_whole("cutoff", cutoff, 0, LONGEST_LINE)
    check_whole("percentage_sequential", share, 0, 100)
    check_megabytes("table_mb", table_mb)
    check_hashable(game, state)
    table, works = table_of(table_mb), [new_work() for _ in range(threads)]
    crew = _Crew(game, state, task, plan_for(game, True), table, works)

    def search_to(depth: int, nodes: int | None = None, deadline: float | None = None) -> Result:
        begun = time.perf_counter()
        for work in works:
            work.begin(None if nodes is None else max(1, nodes // len(crew.members)))
        table.begin_search()
        value = crew.run(depth, False, min(cutoff, depth - 1), share, deadline)  # split the root: it needs a move
        check_value(game, value)
        line = crew.members[0].best_line
        return Result(
            game=game, state=state, value=value * sign(game.to_move(state)), move=line[0], line=line, bound="exact",
            proven=bool(crew.members[0].count[HORIZON] == 0), depth=depth, nodes=sum(work.nodes for work in works),
            leaves=None, seconds=time.perf_counter() - begun, algorithm=name, compiled=crew.compiled is not None,
        )  # fmt: skip

    return search_to


class _Crew:
    """The threads of a parallel search and their data."""

    def __init__(self, game: Game, state: State, task: Task, plan: Plan, table: Table, works: list[Work]) -> None:
        self.game, self.state, self.task, self.plan, self.table = game, state, task, plan, table
        self._take(works, number_kind(game) if wants_compiled(game) else object)
        self.compiled = prepare(member, game, state, lambda: self._arguments(0, 1, False))
        if self.compiled is None:  # plain Python runs one thread at a time
            self._take([dataclasses.replace(new_work(plain=True), count=works[0].count)], object)
        self.games = in_threads(game, len(self.teams))

    def _take(self, works: list[Work], number: Any) -> None:
        self.teams, self.members = new_teams(works, word_count(self.state), number)

    def _arguments(self, number: int, depth: int, weak: bool) -> tuple[Any, ...]:
        return (depth, weak, self.task, self.plan, self.table, self.teams[number], self.members[number])

    def run(self, depth: int, weak: bool, cutoff: int, share: int, deadline: float | None) -> Any:
        """Search with all threads; returns the value for the player to move."""
        team = self.teams[0]
        team.begin(cutoff, share)
        for work in self.members:
            work.count[HORIZON], work.count[LOOP] = 0, NEVER

        calls = [
            call_of(member, game, self.state, self._arguments(0, depth, weak), self.compiled) for game in self.games
        ]

        def lead() -> Any:
            others = range(1, len(self.teams))
            helpers = [start_thread(calls[i], *self._arguments(i, depth, weak)) for i in others]
            try:
                return calls[0](*self._arguments(0, depth, weak))
            finally:
                team.close(WHOLE_SEARCH)
                for helper in helpers:
                    helper.join()

        try:
            value = supervised(lead, team.stop, len(team.length), self.compiled is not None, deadline)
        finally:
            for work in self.members:
                work.count[CHAIN] = 0  # the next search with these counts starts outside any split point
        if team.stopped:
            self._explain(depth, weak)
        return value

    def _explain(self, depth: int, weak: bool) -> None:
        """Raise what ended the search."""
        limited = any(work.count[NODES] >= work.count[LIMIT] for work in self.members)
        if not limited and self.teams[0].stopped != ASKED:  # an error in the rules: a search alone raises it
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
