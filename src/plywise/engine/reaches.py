"""The exact search: does the value of a position reach a goal?

A boolean search to the end of the game asks ``v >= goal`` and returns a lower or upper bound of the value.  It is fast
without risk to the answer: by a table, bounds known without search (``proven_bounds``), the restriction to moves that
include a best one (``candidates``), and move ordering.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity, span
from plywise.algorithms.memo_table import EXACT, LOWER, UPPER
from plywise.bits import size
from plywise.compiling.native import inlined
from plywise.engine.facts import note
from plywise.engine.table import NO_MOVE, Table, bound_of, is_proven, packed, table_move, table_value
from plywise.engine.work import NODES, NOTABLE, PAIR, THIRD_PLAYER, TOO_LONG, Work
from plywise.errors import SearchError
from plywise.game import MIN, Game, Move, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE


def reaches(game: Game, state: State, goal: Number, top: int, table: Table, work: Work) -> Number:
    """Return a bound of the value for the player to move: a lower bound if it reaches ``goal``, else an upper bound.

    ``top`` is the first free place on the stack of moves.
    """
    low, high = proven(game, state, game.to_move(state))
    if low >= goal:
        return low
    if high < goal:
        return high
    return searched(game, state, goal, top, table, work)


@inlined
def proven(game: Game, state: State, player: int) -> tuple[Number, Number]:
    """Return bounds of the value for ``player``, known without search."""
    if game.is_terminal(state):
        score = sign(player) * game.score(state)
        return score, score
    return span(game, game.proven_bounds(state), player)


def searched(game: Game, state: State, goal: Number, top: int, table: Table, work: Work) -> Number:
    """Answer as ``reaches`` does, for positions that ``proven`` does not settle."""
    if game.nearly_over(state):
        return finished(game, state, goal, top, work)
    state, goal, turn, value, end = forced(game, state, goal, top, work)
    if end == top:
        return turn * value
    key, player, nodes = game.rest_key(state), game.to_move(state), work.count[NODES]
    table.expect(key)  # prefetch it while the children are checked
    best, end = undecided(game, state, goal, top, end, work)
    if best >= goal or end == top:
        return turn * best
    entry = table.find(key, 0)
    if answers(game, state, entry, goal):
        return turn * table_value(game, state, entry)
    if bound_of(entry) == LOWER:
        work.advance(table_move(game, state, entry), top, end)
    best_move = NO_MOVE
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -searched(game, child, above(game, -goal), end, table, work)
        else:
            value = searched(game, child, goal, end, table, work)
        best = max(best, value)
        if value >= goal:
            best_move = move
            break
    bound, best_move = joined(game, state, entry, best, LOWER if best >= goal else UPPER, best_move)
    nodes = work.count[NODES] - nodes
    entry = packed(game, state, best, bound, True, size(nodes), best_move)
    table.keep(key, 0, entry)
    if nodes >= work.count[NOTABLE]:
        note(key, 0, entry, work)
    return turn * best


def finished(game: Game, state: State, goal: Number, top: int, work: Work) -> Number:
    """Answer as ``searched`` does, near the end of the game: without the table, and with the moves in the order of
    ``candidates``.
    """
    state, goal, turn, value, end = forced(game, state, goal, top, work)
    if end == top:
        return turn * value
    player, best = game.to_move(state), -infinity(game)
    for place in range(top, end, PAIR):
        child = game.play(state, work.stack[place + 1])
        low, high = proven(game, child, player)
        if low >= goal:
            value = low
        elif high < goal:
            value = high
        elif game.to_move(child) != player:
            value = -finished(game, child, above(game, -goal), end, work)
        else:
            value = finished(game, child, goal, end, work)
        best = max(best, value)
        if best >= goal:
            break
    return turn * best


@inlined
def forced(game: Game, state: State, goal: Number, top: int, work: Work) -> tuple[State, Number, int, Number, int]:
    """Follow forced moves; each position on the way counts as a node.

    Returns the first position with several moves and its goal; 1 if the same player moves there, else -1; a bound, if
    one settles the question on the way; and the end of the moves on the stack, which is ``top`` in that case.
    """
    turn = 1
    for _ in range(LONGEST_LINE + 1):
        work.enter()
        player = game.to_move(state)
        if player > MIN:
            raise SearchError(THIRD_PLAYER)
        end = work.collect(game, state, top)
        if end > top + PAIR:
            return state, goal, turn, goal, end
        if end == top:
            break
        state = game.play(state, work.stack[top + 1])
        if game.to_move(state) != player:
            goal, turn = above(game, -goal), -turn
        low, high = proven(game, state, game.to_move(state))
        if low >= goal or high < goal:
            return state, goal, turn, low if low >= goal else high, top
    raise SearchError(TOO_LONG)


@inlined
def undecided(game: Game, state: State, goal: Number, top: int, end: int, work: Work) -> tuple[Number, int]:
    """Keep only the moves whose outcome is not proven, sorted.

    This comes before the table lookup because it is faster, and any child may settle the question.  A proven child does
    not count as a node.  Returns the best proven value and the new end of the moves.
    """
    player, best, last = game.to_move(state), -infinity(game), top
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        low, high = proven(game, game.play(state, move), player)
        if low >= goal:
            return low, last
        if high < goal:
            best = max(best, high)
        else:
            work.stack[last + 1] = move
            work.insert(game.order(state, move), top, last)
            last += PAIR
    return best, last


@inlined
def answers(game: Game, state: State, entry: int, goal: Number) -> bool:
    """Return whether the table entry settles if the value reaches ``goal``."""
    bound = bound_of(entry)
    return is_proven(entry) and (bound == EXACT or (bound == LOWER) == (table_value(game, state, entry) >= goal))


@inlined
def joined(game: Game, state: State, entry: int, value: Number, bound: int, move: Move) -> tuple[int, Move]:
    """Return a new bound and its move; EXACT if the table has the opposite bound, and both meet.

    The move is then that of the lower bound.
    """
    if is_proven(entry) and bound_of(entry) + bound == LOWER + UPPER and table_value(game, state, entry) == value:
        return EXACT, move if bound == LOWER else table_move(game, state, entry)
    return bound, move
