"""The playing search: principal variation search with everything that makes it strong.

The skeleton is ``algorithms.pvs``, a page long.  What is added here: a table shared by threads, moves in a good order,
and, unless the plan is exact, bets: to look less deeply where it seems not to matter, and more where it seems to.
A bet may cost a value its accuracy, never its legality; a value that no bet and no horizon took part in is proven.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity, limits, span
from plywise.algorithms.pvs import turned
from plywise.bits import any_number
from plywise.engine.distance import distant, farther, nearer, winning
from plywise.engine.plan import Plan
from plywise.engine.quiescence import MOST_NOISY, quiescence
from plywise.engine.table import (
    NO_MOVE,
    Table,
    bound_of,
    depth_of,
    is_proven,
    move_of,
    packed,
    signature,
    value_of,
)
from plywise.engine.work import CHOSEN, HORIZON, LOOP, NEVER, PAIR, PAST, STACK_WORDS, THIRD_PLAYER, TOO_LONG, Work
from plywise.errors import SearchError
from plywise.game import MIN, Game, Move, Number, State, sign
from plywise.native import inlined
from plywise.table import EXACT, LOWER, UPPER
from plywise.watch import LONGEST_LINE

PASSED = -2
"""Stands for the move before, after a pass."""

REDUCED, NULL, WHOLE = range(3)
"""How a move is searched: less deeply and with a null window; with a null window; with the whole window.  Each step is
taken if the one before it says that the move is better than it was thought to be."""

MOST_ORDER = 1 << 30
"""More than this does not count in a game's own order."""

FIRST_QUIET, LATE = 3, 8
"""How many moves are searched to the full depth before reductions begin, and before they grow."""


def pvs(
    game: Game, state: State, depth: int, alpha: Number, beta: Number, ply: int, top: int, before: Move,
    without: Move, plan: Plan, table: Table, work: Work,
) -> Number:  # fmt: skip
    """Return S' with alpha-beta's fail-soft promises, for the player to move.

    Args:
        depth: plies to look ahead.
        ply: plies from the root.
        top: the first free place on the stack of moves.
        before: the move that led here; PASSED after a pass, NO_MOVE at the root.
        without: a move to leave out, to see what the others are worth; usually NO_MOVE.
    """
    work.enter()
    work.length[ply] = 0
    nothing = any_number(NO_MOVE)
    player = game.to_move(state)
    if player > MIN:
        raise SearchError(THIRD_PLAYER)
    if game.is_terminal(state):
        return sign(player) * distant(game, game.score(state), ply)
    key, salt = game.key(state), work.salt(ply)
    if plan.loops:
        reversible = game.reversible(state)
        earlier = work.repeats(signature(key), ply, reversible)
        if earlier >= 0 and ply > 0:
            work.count[LOOP] = min(work.count[LOOP], earlier)
            return sign(player) * distant(game, game.repetition(state), ply)
        if plan.exact:
            salt ^= work.trail(ply, reversible)
    if plan.extensions and ply < LONGEST_LINE // 2:
        depth += game.extension(state)
    if plan.exact and top > STACK_WORDS // 2:
        raise SearchError(TOO_LONG)
    if depth <= 0 or ply >= LONGEST_LINE or top > STACK_WORDS // 2:
        if plan.quiescence:
            return quiescence(game, state, alpha, beta, ply, top, any_number(MOST_NOISY), work)
        work.count[HORIZON] += 1
        return sign(player) * game.evaluate(state)
    open_window = above(game, alpha) < beta
    if not open_window:
        low, high = span(game, game.proven_bounds(state) if plan.knowledge else game.bounds(state), player)
        if beta <= low < winning(game):
            return low
        if -winning(game) < high <= alpha:
            return high
    entry = table.find(key, salt) if without == NO_MOVE else 0
    if entry != 0 and not open_window and serves(entry, depth, plan):
        known, bound = nearer(game, value_of(game, entry), ply), bound_of(entry)
        if bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha):
            if not is_proven(entry):
                work.count[HORIZON] += 1
            return known
    trusted = work.count[HORIZON]
    if not open_window and without == NO_MOVE and (plan.null_move or plan.futility):
        static = sign(player) * game.evaluate(state)
        if static >= beta and -winning(game) < beta < winning(game):
            if plan.futility and depth <= 6 and static - depth * game.swing() >= beta:
                work.count[HORIZON] += 1
                return static
            if plan.null_move and depth >= 3 and before != PASSED and game.can_pass(state):
                passed, shorter = game.pass_move(state), depth - 3 - depth // 4
                reply = -pvs(game, passed, shorter, -beta, -alpha, ply + 1, top, any_number(PASSED), nothing, plan,
                             table, work)  # fmt: skip
                if reply >= beta:
                    work.count[HORIZON] += 1
                    return reply if reply < winning(game) else beta
    outer = work.count[LOOP]
    work.count[LOOP] = NEVER
    some = ply == 0 and work.count[CHOSEN] > 0
    end = work.collect_chosen(top) if some else collect(game, state, plan, work, top)
    rank(game, state, player, move_of(entry) if entry != 0 else NO_MOVE, ply, before, depth, top, end, plan, work)
    best, best_move, lowest, quiet_from = -infinity(game), NO_MOVE, alpha, top
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        if without != NO_MOVE and move == without:
            continue
        child = game.play(state, move)
        turn = 1 if game.to_move(child) == player else -1
        late = (place - top) // PAIR
        below, shorter = depth - 1, 0
        if late == 0 and plan.singular and is_singled_out(game, entry, move, depth, ply):
            goal = nearer(game, value_of(game, entry), ply) - margin(game, depth)
            others = pvs(game, state, depth // 2, goal, above(game, goal), ply, end, before, move, plan, table, work)
            below += 1 if others <= goal else 0
        if plan.reductions and depth >= 3 and late >= FIRST_QUIET and game.gain(state, move) == 0:
            shorter = 2 if late >= LATE and depth >= 6 else 1
        step = WHOLE if late == 0 else REDUCED if shorter > 0 else NULL
        while True:
            low, high = turned(turn, alpha, beta if step == WHOLE else above(game, alpha))
            look = below - shorter if step == REDUCED else below
            value = turn * pvs(game, child, look, low, high, ply + 1, end, move, nothing, plan, table, work)
            if step == WHOLE or value <= alpha or (step == NULL and value >= beta):
                break
            step += 1
        if value > best:
            best = value
            if value > alpha:
                alpha, best_move = value, move
                if value < beta or ply == 0:
                    work.extend_line(ply, move)
                if ply == 0:
                    work.best[0] = value
                if alpha >= beta:
                    if plan.killers and game.gain(state, move) == 0:
                        work.learn(player, ply, before, depth, quiet_from, place)
                    break
        if quiet_from == place and game.gain(state, move) != 0:
            quiet_from += PAIR
    bound = UPPER if best <= lowest else LOWER if best >= beta else EXACT
    proven = work.count[HORIZON] == trusted
    if without != NO_MOVE:
        work.count[LOOP] = min(outer, work.count[LOOP])
        return best
    if not plan.loops or plan.exact or work.count[LOOP] >= work.count[PAST] + ply:
        table.keep(key, salt, packed(game, farther(game, best, ply), bound, proven, depth, best_move))
        work.count[LOOP] = outer
    else:
        work.count[LOOP] = min(outer, work.count[LOOP])
    return best


@inlined
def serves(entry: int, depth: int, plan: Plan) -> bool:
    """Return whether an entry's value can stand for a search to this depth."""
    if plan.exact:  # what was proven by a shallower search is found by this one too; not so with a deeper one
        return depth_of(entry) == depth or (is_proven(entry) and depth_of(entry) <= depth)
    return is_proven(entry) or depth_of(entry) >= depth


@inlined
def collect(game: Game, state: State, plan: Plan, work: Work, top: int) -> int:
    """Put the moves on the stack; returns the first free place after them."""
    if plan.knowledge:
        return work.collect(game, state, top)
    end = top
    for move in game.moves(state):
        end = work.push(end, move)
    return end


def rank(
    game: Game, state: State, player: int, hint: Move, ply: int, before: Move, depth: int, top: int, end: int,
    plan: Plan, work: Work,
) -> None:  # fmt: skip
    """Sort the moves on the stack: the table's move, the game's order, noisy moves by gain, then by experience."""
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        gain = game.gain(state, move)
        worth = max(-MOST_ORDER, min(MOST_ORDER, game.order(state, move))) << 32
        if gain != 0:
            worth += (1 << 24) + gain if gain > 0 else gain - (1 << 24)
        elif plan.killers:
            worth += work.experience(player, ply, before, move)
        if plan.by_evaluation and depth > 1:
            worth += promise(game, game.play(state, move), player)
        work.insert(worth, top, place)
    work.advance(hint, top, end)


@inlined
def promise(game: Game, child: State, player: int) -> int:
    """Return the evaluation after a move, for the player who made it, in a form that can be added to the rest."""
    value = game.score(child) if game.is_terminal(child) else game.evaluate(child)
    return int(max(-1e6, min(1e6, sign(player) * value * 64))) << 24


def is_singled_out(game: Game, entry: int, move: Move, depth: int, ply: int) -> bool:
    """Return whether the table knows enough of ``move`` to ask if it is better by far than all others."""
    if entry == 0 or depth < 6 or ply == 0 or bound_of(entry) == UPPER or depth_of(entry) < depth - 3:
        return False
    return move == move_of(entry) and -winning(game) < value_of(game, entry) < winning(game)


def margin(game: Game, depth: int) -> Number:
    """Return what counts as better by far."""
    return limits(game, (game.swing() * depth / 8, infinity(game)))[0] if game.swing() < infinity(game) else 0
