"""Quiescence search: beyond the horizon, search only noisy moves, such as captures, until the position is quiet.

Unless in check, the player to move may stand pat, that is, accept the static evaluation (Harris 1975).
"""

from __future__ import annotations

from plywise.algorithms.common import infinity
from plywise.algorithms.memo_table import bound_within, settles
from plywise.algorithms.pvs import turned
from plywise.compiling.native import inlined
from plywise.engine.distance import farther, nearer
from plywise.engine.margins import DELTA
from plywise.engine.node import Frame, Search
from plywise.engine.plan import has_margins
from plywise.engine.table import NO_MOVE, bound_of, depth_of, packed, table_move, table_value
from plywise.engine.work import DEEPEST_PLY, HORIZON, PAIR, STACK_WORDS
from plywise.game import Number, State, same_side, sign
from plywise.inputs.limits import LONGEST_LINE
from plywise.layers import CHANCE

MOST_NOISY = 32
"""The most plies beyond the horizon: captures run out, but other noisy moves may not."""

TABLE_MOVE_FIRST = 1 << 40
"""The bonus that puts the table move before all others."""


def quiescence(search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
    """Return a fail-soft alpha-beta value for the player to move; the game must not be over.

    ``depth`` is the most plies to search.
    """
    game, plan, table, work = search
    ply, player, key = frame.ply, game.to_move(state), game.rest_key(state)
    work.count[HORIZON] += 1
    work.count[DEEPEST_PLY] = max(work.count[DEEPEST_PLY], ply)
    if plan.dice and player == CHANCE:
        return game.evaluate(state)
    entry = table.find(key, 0)
    known = nearer(game, table_value(game, state, entry), ply)
    if entry != 0 and settles(bound_of(entry), known, alpha, beta):
        return known
    in_check = plan.extensions and game.extension(state) > 0
    static = -infinity(game)  # a side in check cannot stand pat
    if not in_check or depth == 0 or is_out_of_room(frame):
        static = sign(player) * game.evaluate(state)
    if static >= beta or depth == 0 or is_out_of_room(frame):
        return static
    best, best_move, lowest = static, NO_MOVE, alpha
    alpha = max(alpha, static)
    end = collect_noisy(search, state, entry, frame.top)
    for place in range(frame.top, end, PAIR):
        move = work.pick(place, end)
        if plan.exchanges and not in_check and not game.wins_at_least(state, move, wanted(search, static, alpha)):
            continue
        child = game.play(state, move)
        table.expect(game.rest_key(child))
        work.enter()
        if game.is_terminal(child):
            value = sign(player) * nearer(game, game.score(child), ply + 1)
        else:
            turn = 1 if same_side(game.to_move(child), player) else -1
            low, high = turned(turn, alpha, beta)
            value = turn * quiescence(search, child, depth - 1, low, high, frame.child(move, end))
        best = max(best, value)
        if value > alpha:
            alpha, best_move = value, move
            if alpha >= beta:
                break
    if best == -infinity(game):
        return sign(player) * game.evaluate(state)  # in check, with no noisy move
    if entry == 0 or depth_of(entry) == 0:
        bound = bound_within(best, lowest, beta)
        table.keep(key, 0, packed(game, state, farther(game, best, ply), bound, False, 0, best_move))
    return best


@inlined
def is_out_of_room(frame: Frame) -> bool:
    """Return whether the line of play or the move stack has reached its limit."""
    return frame.ply >= LONGEST_LINE or frame.top > STACK_WORDS // 2


@inlined
def collect_noisy(search: Search, state: State, entry: int, top: int) -> int:
    """Put the noisy moves on the stack with their gains, as many as fit; returns their end."""
    game, _, _, work = search
    end, first = top, table_move(game, state, entry)
    for move in game.noisy_moves(state):
        if end > STACK_WORDS - PAIR:
            break
        work.stack[end] = game.gain(state, move)
        if move == first:
            work.stack[end] += TABLE_MOVE_FIRST
        work.stack[end + 1] = move
        end += PAIR
    return end


@inlined
def wanted(search: Search, static: Number, alpha: Number) -> Number:
    """Return the least that an exchange must win: it must lose nothing, and must bring ``alpha`` within reach."""
    game, work = search.game, search.work
    return max(0, alpha - static - game.swing * work.margins[DELTA]) if has_margins(game) else 0
