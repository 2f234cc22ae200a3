"""Df-pn: is the value at least this?  Depth-first proof-number search in bounded memory.

The *proof number* of a position is the least number of leaves that must still be proved to answer yes; the *disproof
number*, to answer no (Allis, van der Meulen and van den Herik 1994).  The search goes where an answer seems nearest: at
MAX's positions to the child with the smallest proof number, at MIN's to the child with the smallest disproof number.
Nagai (2002) made this depth-first: a child is searched until one of its numbers reaches a limit, beyond which another
part of the tree is nearer.  The limits are slightly generous, to avoid jumping back and forth between two children (the
1 + epsilon trick of Pawlewicz and Lew 2007).

Results are kept in a table of fixed size, by key and player to move, because the question is what MAX gets.  The
numbers of the children of all positions on the current line are stored separately.  So a search terminates with the
right answer, whatever the table forgets: every visit to a child raises a bounded number, or ends the visit to its
parent.
"""

from __future__ import annotations

import contextlib
import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plywise.algorithms.memo_table import MOST_INTERPRETED_PLACES
from plywise.algorithms.watch import ENDS, LIMIT, NODES, Tally, tally_arrays
from plywise.compiling.diagnose import bare_state
from plywise.compiling.hashing import spread
from plywise.compiling.native import Native, inlined
from plywise.compiling.reading import goal_argument, prepare, run
from plywise.compiling.rows import put, row_has
from plywise.compiling.words import word_count
from plywise.engine.table import check_hashable
from plywise.errors import SearchError, Stopped
from plywise.game import MAX, Game, Move, Number, State, key_and_player
from plywise.inputs.chance import check_certain, refuse_chance
from plywise.inputs.limits import LONGEST_LINE, TOO_LONG_A_LINE, check_limits, check_megabytes
from plywise.inputs.positions import check_zero_sum, position, unfinished

if TYPE_CHECKING:
    from plywise.result import Result

PROOF, DISPROOF, WORK, KEY = range(4)
"""Columns of a row: the two numbers; in the table also the nodes they cost (0 for an empty place), and the key."""

INFINITE = 1 << 48
"""The number of an impossible answer.  All others are smaller; a sum of many fits a machine word."""

TABLE_WAYS = 4
"""The number of places in the table where a position may be."""

FIRST_ROWS = 1 << 12
"""Rows of the first path; a path that is too short is doubled."""

FEW_NODES = 100
"""A search this short needs no check for Ctrl-C."""

NO_LIMIT = (1 << 63) - 1

NO, YES, UNKNOWN = range(3)
"""The answers of ``ask_rules``."""


@inlined
def holds(value: Number, goal: Number, strict: bool) -> bool:
    """Return the answer for a known value: is it at least the goal, or, if ``strict``, above it?"""
    return value > goal or (value == goal and not strict)


@inlined
def ask_rules(game: Game, state: State, goal: Number, strict: bool) -> int:
    """Return the answer for ``state`` if its score or bounds give it, else UNKNOWN."""
    if game.is_terminal(state):
        return YES if holds(game.score(state), goal, strict) else NO
    low, high = game.bounds(state)
    if holds(low, goal, strict):
        return YES
    return UNKNOWN if holds(high, goal, strict) else NO


class ProofPath(Native):
    """The children of the positions on the current line: a stack with a range of rows for each position."""

    numbers: np.ndarray
    moves: np.ndarray

    @inlined
    def settle(self, row: int, answer: bool) -> None:
        """Set the numbers of a position whose answer is known."""
        self.numbers[row, PROOF] = 0 if answer else INFINITE
        self.numbers[row, DISPROOF] = INFINITE if answer else 0

    @inlined
    def nearest(self, first: int, last: int, mine: int, theirs: int) -> tuple[int, int, int, int]:
        """Return the row of the best child for the player to move, its number, the second smallest number, and the
        opponent's number, which sums over all children.
        """
        best, smallest, second, total = first, INFINITE, INFINITE, 0
        for row in range(first, last):
            number = self.numbers[row, mine]
            total += self.numbers[row, theirs]
            if number < smallest:
                best, smallest, second = row, number, smallest
            elif number < second:
                second = number
        return best, smallest, second, INFINITE if smallest == 0 else min(total, INFINITE - 1)


class Numbers(Native):
    """The proof and disproof numbers of positions: a table with a fixed number of places."""

    entries: np.ndarray

    @inlined
    def find(self, key: Any) -> int:
        """Return the place of a position; if it has none, -1 - the place whose entry cost the least work."""
        ways = min(TABLE_WAYS, len(self.entries))
        first = spread(key) % (len(self.entries) // ways) * ways
        least = first
        for place in range(first, first + ways):
            if self.entries[place, WORK] > 0 and row_has(self.entries, place, KEY, key):
                return place
            if self.entries[place, WORK] < self.entries[least, WORK]:
                least = place
        return -1 - least

    @inlined
    def recall(self, key: Any, path: ProofPath, row: int) -> None:
        """Copy the numbers of a position to a row of the path; an unknown position gets 1 and 1."""
        place = self.find(key)
        path.numbers[row, PROOF] = self.entries[place, PROOF] if place >= 0 else 1
        path.numbers[row, DISPROOF] = self.entries[place, DISPROOF] if place >= 0 else 1

    def store(self, key: Any, path: ProofPath, row: int, work: int) -> None:
        """Store the numbers in a row of the path, which cost ``work`` nodes."""
        place = self.find(key)
        if place >= 0:
            work += self.entries[place, WORK]
        else:
            place = -1 - place
            put(self.entries, place, KEY, key)
        self.entries[place, PROOF] = path.numbers[row, PROOF]
        self.entries[place, DISPROOF] = path.numbers[row, DISPROOF]
        self.entries[place, WORK] = work


class Crowded(Exception):
    """The path has too few rows."""


class Endless(Exception):
    """A line of play is longer than the stack allows."""


def explore(
    game: Game, state: State, ply: int, row: int, first: int, proof_limit: int, disproof_limit: int,
    goal: Number, strict: bool, table: Numbers, path: ProofPath, watch: Tally,
) -> int:  # fmt: skip
    """Search ``state`` until one of its numbers reaches its limit; with infinite limits, until the answer is known.

    Its numbers are then in ``row`` of the path.  Its children start at ``first``; returns the row of the best child for
    the player to move.
    """
    before = watch.count[NODES]
    watch.enter(state, 0, 0, 0)
    if ply == LONGEST_LINE:
        raise Endless
    mine, theirs, my_limit, their_limit = PROOF, DISPROOF, proof_limit, disproof_limit
    if game.to_move(state) != MAX:
        mine, theirs, my_limit, their_limit = DISPROOF, PROOF, disproof_limit, proof_limit
    last = expand(game, state, first, mine, goal, strict, table, path, watch)
    while True:
        best, smallest, second, total = path.nearest(first, last, mine, theirs)
        path.numbers[row, mine], path.numbers[row, theirs] = smallest, total
        if smallest >= my_limit or total >= their_limit:
            table.store(key_and_player(game, state), path, row, watch.count[NODES] - before)
            return best
        child = game.play(state, path.moves[best])
        my_next = min(my_limit, second + second // 4 + 1)  # epsilon is a quarter
        their_next = their_limit - (total - path.numbers[best, theirs]) if their_limit < INFINITE else INFINITE
        proof_next, disproof_next = (my_next, their_next) if mine == PROOF else (their_next, my_next)
        table.recall(key_and_player(game, child), path, best)  # it may have been searched elsewhere since
        if path.numbers[best, PROOF] < proof_next and path.numbers[best, DISPROOF] < disproof_next:
            explore(game, child, ply + 1, best, last, proof_next, disproof_next, goal, strict, table, path, watch)


def expand(
    game: Game, state: State, first: int, mine: int, goal: Number, strict: bool, table: Numbers, path: ProofPath,
    watch: Tally,
) -> int:  # fmt: skip
    """Write the numbers of the children of ``state`` to the rows from ``first``; returns the row after them.

    Stops after a child that wins for the player to move.
    """
    row = first
    for move in game.moves(state):
        if row == len(path.moves):
            raise Crowded
        child = game.play(state, move)
        path.moves[row] = move
        answer = ask_rules(game, child, goal, strict)
        if answer == UNKNOWN:
            table.recall(key_and_player(game, child), path, row)
        else:
            watch.leaf(child, 0, 0, True)
            path.settle(row, answer == YES)
        row += 1
        if path.numbers[row - 1, mine] == 0:
            break
    return row


class Answer(NamedTuple):
    """The answer of a solver."""

    holds: bool
    move: Move
    """A move that achieves the answer, if it is the one that the player to move wants; else any move."""
    nodes: int
    leaves: int


class Solver:
    """Answers one question about any position of a game, and remembers its results.

    >>> import plywise as pw
    >>> game = pw.games.TicTacToe()
    >>> is_won = Solver(game, goal=1)
    >>> is_won.holds(game.initial()), is_won.holds(game.parse("XO./.../..."))
    (False, True)
    """

    def __init__(self, game: Game, goal: Number, strict: bool = False, table_mb: float = 64.0) -> None:
        self.game, self.goal, self.strict = game, goal, strict
        start = game.initial()
        check_hashable(game, start)
        self.watch = Tally(**{**tally_arrays(0), "length": np.zeros(LONGEST_LINE, dtype=np.int64)})  # keeps no lines
        self.table, self.path = numbers_of_size(game, 0), path_of_size(1)
        self.compiled = prepare(explore, game, start, lambda: self._arguments(True))
        self.table = numbers_of_size(game, table_mb, any_key=self.compiled is None)
        self.path = path_of_size(FIRST_ROWS, any_move=self.compiled is None)

    def answer(self, state: State, deadline: float | None = None) -> Answer:
        """Search until the answer for ``state`` is known; the game must not be over there.

        Raises:
            Stopped: the deadline came first; the next call continues from there.
            SearchError: a line of play does not end.
        """
        self._begin()
        while True:
            try:
                arguments = self._arguments(self.compiled is not None)
                best = run(explore, self.game, state, arguments, self.watch, self.compiled, deadline)
                break
            except Crowded:
                self.path = path_of_size(2 * len(self.path.moves), any_move=self.compiled is None)
            except Endless:
                raise SearchError(TOO_LONG_A_LINE) from None
            except Stopped:
                raise Stopped(self.watch.nodes, self.watch.leaves) from None
        return Answer(bool(self.path.numbers[0, PROOF] == 0), self._move(best), self.watch.nodes, self.watch.leaves)

    def holds(self, state: State) -> bool:
        """Return the answer for ``state``; the game may be over there."""
        rules = ask_rules(self.game, state, self.goal, self.strict)
        return self.answer(state).holds if rules == UNKNOWN else rules == YES

    def move(self, state: State, deadline: float | None = None) -> Move:
        """Return the move of the answer for ``state``.  If the table has it, no thread is started."""
        if self.compiled is not None:
            self._begin(FEW_NODES)
            with contextlib.suppress(Stopped, Crowded):
                return self._move(self.compiled(self.game, bare_state(self.game, state), self._arguments(True)))
        return self.answer(state, deadline).move

    def line(self, state: State, deadline: float | None = None) -> tuple[Move, ...]:
        """Return a line in which one side plays for the answer and the other plays any move.

        It ends where the rules give the answer, or at the deadline.
        """
        moves: list[Move] = []
        with contextlib.suppress(Stopped):
            while ask_rules(self.game, state, self.goal, self.strict) == UNKNOWN:
                moves.append(self.move(state, deadline))
                state = self.game.play(state, moves[-1])
        return tuple(moves)

    def _begin(self, most_nodes: int = NO_LIMIT) -> None:
        self.watch.count[[NODES, ENDS, LIMIT]] = 0, 0, most_nodes

    def _move(self, row: int) -> Move:
        return self.path.moves.item(row)

    def _arguments(self, compiled: bool) -> tuple[Any, ...]:
        goal = goal_argument(self.goal, self.strict) if compiled else self.goal
        return (0, 0, 1, INFINITE, INFINITE, goal, self.strict, self.table, self.path, self.watch)


def numbers_of_size(game: Game, megabytes: float, any_key: bool = False) -> Numbers:
    """Return an empty table that takes at most ``megabytes`` of memory and has at least one place.

    ``any_key`` is for interpreted runs, whose keys are Python objects.
    """
    width = KEY + (1 if any_key else word_count(key_and_player(game, game.initial())))
    places = max(1, int(megabytes * (1 << 20) / (8 * width)))
    if any_key:
        places = min(places, MOST_INTERPRETED_PLACES)
    return Numbers(entries=np.zeros((places, width), dtype=object if any_key else np.int64))


def path_of_size(rows: int, any_move: bool = False) -> ProofPath:
    """Return a path with ``rows`` rows; with ``any_move``, moves need not be integers."""
    return ProofPath(
        numbers=np.zeros((rows, 2), dtype=np.int64), moves=np.zeros(rows, dtype=object if any_move else np.int64)
    )


def dfpn(
    game: Game, state: State | str | None = None, *, goal: Number, strict: bool = False, table_mb: float = 64.0,
    seconds: float | None = None,
) -> Result:  # fmt: skip
    """Find out whether the value of a position is at least ``goal`` for Max; if ``strict``, whether it is above.

    Args:
        game: a game of two players whose scores sum to zero.
        state: a position, or its text; default: the initial position.
        goal: the score to test.
        strict: ask for more than ``goal``.
        table_mb: the size of the table.  It affects the time, not the answer.
        seconds: give up after this time.

    Returns:
        A ``Result`` whose ``value`` is the goal and whose ``bound`` is ``lower`` for yes and ``upper`` for no.  If the
        answer suits the player to move, ``move`` achieves it, and ``line`` continues until the rules decide.

    Raises:
        SearchError: an argument is invalid, the game is over, a line of play does not end, or the time is up.
        PositionError: ``state`` is a text that is not a position of this game.

    >>> import plywise as pw
    >>> result = pw.dfpn(pw.games.MNK(4, 4, 3), goal=1)
    >>> result.bound, result.nodes < 10_000
    ('lower', True)
    """
    from plywise.result import Result

    start = position(game, state)
    _check(game, start, goal, table_mb, seconds)
    refuse_chance(game, start)
    solver = Solver(game, goal, strict, table_mb)
    begin = time.perf_counter()
    deadline = None if seconds is None else begin + seconds
    try:
        answer = solver.answer(start, deadline)
    except Stopped as stopped:
        raise SearchError(f"no answer within {seconds} s, after {stopped.nodes:,} nodes") from None
    achieved = answer.holds == (game.to_move(start) == MAX)
    line = (answer.move, *solver.line(game.play(start, answer.move), deadline)) if achieved else ()
    return Result(
        game=game, state=start, value=goal, move=line[0] if line else None, line=line,
        bound="lower" if answer.holds else "upper", proven=True, depth=None, nodes=answer.nodes, leaves=answer.leaves,
        seconds=time.perf_counter() - begin, algorithm="dfpn", compiled=solver.compiled is not None,
    )  # fmt: skip


def _check(game: Game, state: State, goal: Number, table_mb: float, seconds: float | None) -> None:
    check_certain(game, "df-pn")
    check_zero_sum(game, "df-pn")
    unfinished(game, state)
    if not isinstance(goal, (int, float)) or not math.isfinite(goal):
        raise SearchError(f"goal={goal!r} must be a finite number")
    check_limits(None, seconds, None)
    check_megabytes("table_mb", table_mb)
