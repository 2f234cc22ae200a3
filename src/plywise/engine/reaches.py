"""The exact search: does a position reach a goal?

A boolean search to the end of the game (the question ``v >= goal``), which answers with a bound: the game is worth at
least or at most so much.  Everything that makes it fast leaves the answer alone: a table, what the game can prove of a
position without search (``proven_bounds``), the moves of which one is best (``candidates``), and their order.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity, limits
from plywise.bits import size
from plywise.engine.table import NO_MOVE, Table, bound_of, is_proven, move_of, packed, value_of
from plywise.engine.work import NODES, PAIR, TOO_LONG, Work
from plywise.errors import SearchError
from plywise.game import MAX, Game, Number, State, sign
from plywise.table import LOWER, UPPER
from plywise.watch import LONGEST_LINE


def reaches(game: Game, state: State, goal: Number, top: int, table: Table, work: Work) -> Number:
    """Return a bound on the value for the player to move: a lower one, if it reaches ``goal``, else an upper one.

    ``top`` is the first free place on the stack of moves.
    """
    turn, forced = 1, 0
    while True:
        work.enter()
        player = game.to_move(state)
        if game.is_terminal(state):
            return turn * sign(player) * game.score(state)
        worst, most = limits(game, game.proven_bounds(state))
        low, high = (worst, most) if player == MAX else (-most, -worst)
        if low >= goal:
            return turn * low
        if high < goal:
            return turn * high
        end = work.collect(game, state, top)
        if end > top + PAIR:
            break
        forced += 1
        if forced > LONGEST_LINE or end == top:
            raise SearchError(TOO_LONG)
        state = game.play(state, work.stack[top + 1])
        if game.to_move(state) != player:
            goal, turn = above(game, -goal), -turn
    key = game.key(state)
    table.expect(key)
    work.sort(game, state, top, end)
    entry = table.find(key, 0)
    if is_proven(entry):
        known = value_of(game, entry)
        if (bound_of(entry) == LOWER) == (known >= goal):
            return turn * known
    before = work.count[NODES]
    if bound_of(entry) == LOWER:
        work.advance(move_of(entry), top, end)
    best, best_move = -infinity(game), NO_MOVE
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -reaches(game, child, above(game, -goal), end, table, work)
        else:
            value = reaches(game, child, goal, end, table, work)
        if value > best:
            best = value
            if best >= goal:
                best_move = move
                break
    bound = LOWER if best >= goal else UPPER
    table.keep(key, 0, packed(game, best, bound, True, size(work.count[NODES] - before), best_move))
    return turn * best
