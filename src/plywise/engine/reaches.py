"""The exact search: does a position reach a goal?

A boolean search to the end of the game (the question ``v >= goal``), which answers with a bound: the game is worth at
least or at most so much.  Everything that makes it fast leaves the answer alone: a table, what the game can prove of a
position without search (``proven_bounds``), the moves of which one is best (``candidates``), and their order.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity, span
from plywise.algorithms.table import LOWER, UPPER
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
    """Answer as ``reaches`` does, where what is ``proven`` leaves the answer open.

    What is proven of the children is looked at before anything else, because any of them may settle the matter: that
    takes less time than to look a position up in the table, which memory brings near meanwhile.  A child that it
    settles is not a node.
    """
    turn, forced = 1, 0
    while True:
        work.enter()
        player = game.to_move(state)
        if player > MIN:
            raise SearchError(THIRD_PLAYER)
        end = work.collect(game, state, top)
        if end > top + PAIR:
            break
        forced += 1
        if forced > LONGEST_LINE or end == top:
            raise SearchError(TOO_LONG)
        state = game.play(state, work.stack[top + 1])
        if game.to_move(state) != player:
            goal, turn = above(game, -goal), -turn
        low, high = proven(game, state, game.to_move(state))
        if low >= goal:
            return turn * low
        if high < goal:
            return turn * high
    key = game.key(state)
    table.expect(key)
    before = work.count[NODES]
    best, best_move, last = -infinity(game), NO_MOVE, top
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        low, high = proven(game, game.play(state, move), player)
        if low >= goal:
            return turn * low
        if high < goal:
            best = max(best, high)
        else:
            work.stack[last + 1] = move
            work.insert(game.order(state, move), top, last)
            last += PAIR
    if last == top:
        return turn * best
    entry = table.find(key, 0)
    if is_proven(entry):
        known = value_of(game, entry)
        if (bound_of(entry) == LOWER) == (known >= goal):
            return turn * known
    if bound_of(entry) == LOWER:
        work.advance(move_of(entry), top, last)
    for place in range(top, last, PAIR):
        move = work.stack[place + 1]
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -searched(game, child, above(game, -goal), last, table, work)
        else:
            value = searched(game, child, goal, last, table, work)
        if value > best:
            best = value
            if best >= goal:
                best_move = move
                break
    bound = LOWER if best >= goal else UPPER
    table.keep(key, 0, packed(game, best, bound, True, size(work.count[NODES] - before), best_move))
    return turn * best
