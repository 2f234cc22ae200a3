"""The exact search: does a position reach a goal?

A boolean search to the end of the game (the question ``v >= goal``), which answers with a bound: the game is worth at
least or at most so much.  Everything that makes it fast leaves the answer alone: a table, what the game can prove of a
position without search (``proven_bounds``), the moves of which one is best (``candidates``), and their order.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity, span
from plywise.algorithms.memo_table import LOWER, UPPER
from plywise.bits import size
from plywise.compiling.native import inlined
from plywise.engine.table import NO_MOVE, Table, bound_of, is_proven, move_of, packed, value_of
from plywise.engine.work import NODES, PAIR, THIRD_PLAYER, TOO_LONG, Work
from plywise.errors import SearchError
from plywise.game import MIN, Game, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE


def reaches(game: Game, state: State, goal: Number, top: int, table: Table, work: Work) -> Number:
    """Return a bound on the value for the player to move: a lower one, if it reaches ``goal``, else an upper one.

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
    """Return what ``player`` gets at least and at most, as far as it shows without search."""
    if game.is_terminal(state):
        score = sign(player) * game.score(state)
        return score, score
    return span(game, game.proven_bounds(state), player)


def searched(game: Game, state: State, goal: Number, top: int, table: Table, work: Work) -> Number:
    """Answer as ``reaches`` does, where what is ``proven`` leaves the answer open."""
    state, goal, turn, value, end = forced(game, state, goal, top, work)
    if end == top:
        return turn * value
    key, player, nodes = game.key(state), game.to_move(state), work.count[NODES]
    table.expect(key)  # memory brings it near while the children are looked at
    best, end = undecided(game, state, goal, top, end, work)
    if best >= goal or end == top:
        return turn * best
    entry = table.find(key, 0)
    if answers(game, entry, goal):
        return turn * value_of(game, entry)
    if bound_of(entry) == LOWER:
        work.advance(move_of(entry), top, end)
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
    bound = LOWER if best >= goal else UPPER
    table.keep(key, 0, packed(game, best, bound, True, size(work.count[NODES] - nodes), best_move))
    return turn * best


@inlined
def forced(game: Game, state: State, goal: Number, top: int, work: Work) -> tuple[State, Number, int, Number, int]:
    """Follow moves that have no alternative, each to a node of its own.

    Returns the first position with several moves and its goal; 1 if the same player moves there, else -1; a bound that
    answers the question on the way, if there is one; and the end of the moves on the stack, ``top`` in that case.
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
    """Leave only moves on the stack whose outcome is not proven, and sort them.

    That comes before the table is asked, because it takes less time, and any of the children may settle the matter.  A
    child that is proven is not a node.  Returns the best that is proven, and the new end of the moves.
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
def answers(game: Game, entry: int, goal: Number) -> bool:
    """Return whether the table's entry says if the value reaches ``goal``."""
    return is_proven(entry) and (bound_of(entry) == LOWER) == (value_of(game, entry) >= goal)
