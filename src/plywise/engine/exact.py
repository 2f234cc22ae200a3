"""Exact values: boolean questions narrow the bounds of a value until they meet.

Each question, ``v >= goal``, is a boolean search (``reaches``).  Two of the answers, yes to ``v >= m`` and no to
``v > m``, prove the value m.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plywise.algorithms.common import above, infinity, limits, span
from plywise.algorithms.memo_table import UPPER
from plywise.bits import any_number
from plywise.compiling.native import inlined
from plywise.compiling.rows import state_at
from plywise.engine.reaches import reaches
from plywise.engine.table import Table, bound_of, table_move
from plywise.engine.work import NODES, PAIR, Work
from plywise.errors import GameError
from plywise.game import MAX, Game, Move, Number, State


class ValueRange(NamedTuple):
    """The range in which a value may still lie, for the player to move."""

    low: Number
    high: Number
    least: Number
    """The initial ``low``."""
    most: Number
    """The initial ``high``."""

    @inlined
    def is_open(self, weak: bool) -> bool:
        """Return whether the value, or if ``weak`` its sign, is still unknown."""
        return self.low < self.high and not (weak and (self.low > 0 or self.high < 0))

    @inlined
    def narrowed(self, goal: Number, value: Number) -> ValueRange:
        """Return the range after the question ``v >= goal``, whose answer is the bound ``value``."""
        return self._replace(low=value) if value >= goal else self._replace(high=value)

    @inlined
    def answer(self, weak: bool) -> Number:
        """Return the value; if ``weak``, one with the same sign."""
        return self.high if weak and self.high < 0 else self.low


@inlined
def all_values(game: Game, state: State) -> ValueRange:
    """Return the range of a position's value before any question."""
    low, high = span(game, game.bounds(state), game.to_move(state))
    return ValueRange(low, high, low, high)


def exact(game: Game, state: State, weak: bool, table: Table, work: Work) -> Number:
    """Return the value for the player to move; if ``weak``, some value of the same sign."""
    known = all_values(game, state)
    work.narrow(known.low, known.high)
    while known.is_open(weak):
        goal = next_goal(game, known)
        known = known.narrowed(goal, reaches(game, state, goal, any_number(0), table, work))
        work.narrow(known.low, known.high)
    return known.answer(weak)


def asked(game: Game, state: State, goal: Number, table: Table, work: Work) -> Number:
    """Return a bound of the value for the player to move: a lower bound if it reaches ``goal``, else an upper bound."""
    return reaches(game, state, goal, any_number(0), table, work)


@inlined
def next_goal(game: Game, known: ValueRange) -> Number:
    """Return the goal of the next question.

    First ask who wins.  Next, ask whether by more than half the possible margin; this is quick.  Then ask about values
    near a draw, because slow positions mostly have one.  The two questions next to the value cost the most.
    """
    low, high = known.low, known.high
    zero, _ = limits(game, (0, 0))
    if low <= zero < high:
        return above(game, zero)
    if low < zero <= high:
        return zero
    if high >= infinity(game):
        return above(game, low + low)
    if low <= -infinity(game):
        return high + high
    if low > zero:
        goal, _ = limits(game, (low + (high - low) / (2 if high == known.most else 8), high))
        return min(high, above(game, max(low, goal)))
    goal, _ = limits(game, (high - (high - low) / (2 if low == known.least else 8), high))
    return max(above(game, low), min(high, goal))


def exact_many(
    game: Game, state: State, rows: Any, values: Any, moves: Any, nodes: Any, table: Table, work: Work
) -> None:
    """Solve the positions in ``rows``; ``state`` is an example of one.  Finished games count no nodes."""
    for index in range(len(rows)):
        before = work.count[NODES]
        here = state_at(game, rows, index)
        if game.is_terminal(here):
            values[index] = game.score(here)
            continue
        value = exact(game, here, False, table, work)
        values[index] = value if game.to_move(here) == MAX else -value
        moves[index] = best_move(game, here, value, table, work)
        nodes[index] = max(1, work.count[NODES] - before)


def best_move(game: Game, state: State, value: Number, table: Table, work: Work) -> Move:
    """Return a move that is worth at least ``value`` to the player to move."""
    end = work.collect(game, state, 0)
    work.sort(game, state, 0, end)
    entry = table.find(game.rest_key(state), 0)
    if bound_of(entry) != UPPER:
        work.advance(table_move(game, state, entry), 0, end)
    place = first_worth(game, state, value, end, table, work)
    if place == end:
        raise GameError(NO_BEST_MOVE)
    return work.stack[place + 1]


def best_line(game: Game, state: State, value: Number, plies: int, table: Table, work: Work) -> None:
    """Put best play from ``state``, worth ``value`` to the player to move, into ``work``: at most ``plies`` moves."""
    length = 0
    while length < plies and not game.is_terminal(state):
        move = best_move(game, state, value, table, work)
        work.line[0, length] = move
        length += 1
        child = game.play(state, move)
        if game.to_move(child) != game.to_move(state):
            value = -value
        state = child
    work.length[0] = length


def first_worth(game: Game, state: State, value: Number, end: int, table: Table, work: Work) -> int:
    """Return the place on the stack, below ``end``, of the first move that is worth at least ``value`` to the player to
    move; ``end`` if there is none.
    """
    player = game.to_move(state)
    for place in range(0, end, PAIR):
        child = game.play(state, work.stack[place + 1])
        if game.to_move(child) != player:
            found = -reaches(game, child, above(game, -value), end, table, work)
        else:
            found = reaches(game, child, value, end, table, work)
        if found >= value:
            return place
    return end


NO_BEST_MOVE = "no move has the value of the position: bounds(), candidates() or key() is wrong here"
