"""The playing search of games with dice: Star2 (Ballard 1983) with what the playing search of other games has.

The skeleton is ``algorithms.star2``, a page long.  This module adds: a table shared by threads (``cutoffs``), move
ordering (``ordering``), quiescence search, and threads that begin with different outcomes.  It never prunes on a guess.

What is known of a chance node is an interval for each outcome: from the game's bounds, from the table, from one move
that was tried (a probe), and at last from a search.  The average lies between the averages of both ends; as soon as
that is outside the window, the rest need not be searched.  Where chance moves, values are MAX's.
"""

from __future__ import annotations

import math

import numpy as np

from plywise.algorithms.averages import between, extremes, is_bounded, slack
from plywise.algorithms.common import infinity
from plywise.algorithms.pvs import turned
from plywise.compiling.native import inlined
from plywise.engine.cutoffs import depends_on_path, game_over, keep, table_cutoff
from plywise.engine.node import Frame, Node, Search
from plywise.engine.ordering import learn, next_trial
from plywise.engine.playing_search import arrive, begin_node, with_moves
from plywise.engine.sharing import begin_move, end_move, mark_of, shares
from plywise.engine.table import NO_MOVE
from plywise.engine.work import (
    CEILING,
    FLOOR,
    HORIZON,
    NO_TRAIT,
    NODES,
    ODDS,
    ON_AVERAGE,
    PAIR,
    SHARE,
    SHARES,
    Work,
)
from plywise.errors import GameError
from plywise.game import MAX, MIN, Move, Number, State, sign
from plywise.layers.chance import CHANCE, NEARLY_ONE

WRONG_ODDS = "the probabilities of what may happen do not sum to one: run 'plywise check' to find the position"


def dice_search(search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
    """Return a fail-soft alpha-beta value, searching ``depth`` plies, for the player to move, or for MAX if chance
    moves.
    """
    game, _, table, work = search
    begin_node(search, state, frame.ply)
    over, value = game_over(search, state, frame.ply)
    if over:
        return value
    node, settled, value = arrive(search, state, depth, alpha, beta, frame)
    if settled:
        return value
    if node.player == CHANCE:
        node = node._replace(outer_loop=work.begin_loop())
        best = average(search, node)
        conclude(search, node, best, NO_MOVE)
        return best
    node, end = with_moves(search, node)
    best, best_move = -infinity(game), node.first
    for place in range(frame.top, end, PAIR):
        trial = next_trial(search, node, place, end)
        table.expect(game.rest_key(trial.child))
        work.remember(frame.ply, trial.trait)
        shared = trial.number > 0 and shares(search, node)
        if shared:
            settled, value = table_cutoff(search, node, table.find(node.key, node.salt))
            if settled:  # another thread was faster
                work.end_loop(node.outer_loop, False)
                return value
            begin_move(work, mark_of(node, trial.move))
        begun = work.count[NODES]
        low, high = turned(trial.turn, alpha, beta)
        value = trial.turn * dice_search(search, trial.child, node.depth - 1, low, high, frame.child(trial.move, end))
        if shared:
            end_move(work, mark_of(node, trial.move))
        best = max(best, value)
        if value > alpha:
            alpha, best_move = value, trial.move
            work.raise_line(frame.ply, trial.move, value, beta, begun)
            if alpha >= beta:
                learn(search, node, place)
                break
    conclude(search, node, best, best_move)
    return best


@inlined
def conclude(search: Search, node: Node, best: Number, best_move: Move) -> None:
    """Store the result, unless it depends on the path.  Unless the plan is exact, a value is rounded to what the table
    can hold, and is then no proof.
    """
    plan, work = search.plan, search.work
    holds = not depends_on_path(search, node)
    if holds:
        kept = best if plan.exact else float(np.float32(best))
        keep(search, node, kept, best_move, work.count[HORIZON] == node.trusted and kept == best)
    work.end_loop(node.outer_loop, not holds)


# Chance nodes --------------------------------------------------------------------------------------------------------


def average(search: Search, node: Node) -> float:
    """Return the value of a position where chance moves, or a bound of it outside the window."""
    work, top = search.work, node.frame.top
    low, high = extremes(search.game, node.state)
    margin = slack(low, high)
    end = list_outcomes(search, node, low, high)
    least, most = mean(work, top, end, FLOOR), mean(work, top, end, CEILING)
    work.count[ON_AVERAGE] += 1
    work.remember(node.frame.ply, NO_TRAIT)
    count = (end - top) // PAIR
    shift = work.count[SHARE] * count // SHARES
    for step in range(0 if node.depth > 1 and is_bounded(margin) else count, 2 * count):  # probe each, then search each
        if least - margin >= node.beta or most + margin <= node.alpha:
            break
        place = top + PAIR * ((step + shift) % count)
        odds, floor, ceiling = work.odds[place, ODDS], work.odds[place, FLOOR], work.odds[place, CEILING]
        if floor < ceiling:
            alpha, beta = floor, ceiling
            if is_bounded(margin):
                alpha = between(floor, (node.alpha - (most - odds * ceiling) - 2 * margin) / odds, ceiling)
                beta = between(floor, (node.beta - (least - odds * floor) + 2 * margin) / odds, ceiling)
            if step < count:
                worst, ideal = probed(search, node, place, end, alpha, beta)
            else:
                worst = ideal = searched(search, node, place, end, alpha, beta)
            work.odds[place, FLOOR], work.odds[place, CEILING] = worst, ideal
            if is_bounded(margin):
                least, most = least + odds * (worst - floor), most + odds * (ideal - ceiling)
    work.count[ON_AVERAGE] -= 1
    if least - margin >= node.beta:
        return least - margin
    return most + margin if most + margin <= node.alpha else mean(work, top, end, FLOOR)


@inlined
def list_outcomes(search: Search, node: Node, low: Number, high: Number) -> int:
    """Put the outcomes on the stack, with their probabilities and the bounds of their values; returns their end."""
    game, _, _, work = search
    end, total = node.frame.top, 0.0
    for move in game.moves(node.state):
        place, end = end, work.push(end, move)
        work.odds[place, ODDS] = game.probability(node.state, move)
        total += work.odds[place, ODDS]
    if not abs(total - 1) <= NEARLY_ONE:
        raise GameError(WRONG_ODDS)
    for place in range(node.frame.top, end, PAIR):
        child = game.play(node.state, work.stack[place + 1])
        floor, ceiling = extremes(game, child)
        work.odds[place, FLOOR], work.odds[place, CEILING] = between(low, floor, high), between(low, ceiling, high)
        if game.is_terminal(child):
            work.odds[place, FLOOR] = work.odds[place, CEILING] = game.score(child)
    return end


@inlined
def mean(work: Work, top: int, end: int, column: int) -> float:
    """Return the average of a column of ``Work.odds`` over the outcomes from ``top`` to ``end``."""
    total = 0.0
    for place in range(top, end, PAIR):
        total += work.odds[place, ODDS] * work.odds[place, column]
    return total


def searched(search: Search, node: Node, place: int, end: int, alpha: float, beta: float) -> float:
    """Return MAX's value of an outcome, or a bound of it outside the window."""
    game, move = search.game, search.work.stack[place + 1]
    child = game.play(node.state, move)
    turn = sign(game.to_move(child))
    low, high = turned(turn, alpha, beta)
    value = turn * dice_search(search, child, node.depth - 1, low, high, node.frame.child(move, end))
    return between(search.work.odds[place, FLOOR], value, search.work.odds[place, CEILING])


def probed(search: Search, node: Node, place: int, end: int, alpha: float, beta: float) -> tuple[float, float]:
    """Return bounds of an outcome's value, one of them from a single move of the player whose turn it then is; only if
    that can bring the average to the end of the window which it approaches.
    """
    game, work = search.game, search.work
    floor, ceiling, move = work.odds[place, FLOOR], work.odds[place, CEILING], work.stack[place + 1]
    child = game.play(node.state, move)
    frame = node.frame.child(move, end)
    if game.to_move(child) == MAX and node.beta < math.inf:
        floor = between(floor, probe(search, child, node.depth - 1, floor, beta, frame), ceiling)
    elif game.to_move(child) == MIN and node.alpha > -math.inf:
        ceiling = between(floor, -probe(search, child, node.depth - 1, -ceiling, -alpha, frame), ceiling)
    return floor, ceiling


def probe(search: Search, state: State, depth: int, alpha: float, beta: float, frame: Frame) -> float:
    """Return the value of the most promising move: at most that of the position, which is known to be worth at least
    ``alpha`` to the player to move.
    """
    work = search.work
    begin_node(search, state, frame.ply)
    over, value = game_over(search, state, frame.ply)
    if over:
        return value
    node, settled, value = arrive(search, state, depth, alpha, beta, frame)
    if settled:
        return value
    node, end = with_moves(search, node)
    trial = next_trial(search, node, frame.top, end)
    work.remember(frame.ply, trial.trait)
    low, high = turned(trial.turn, alpha, beta)
    value = trial.turn * dice_search(search, trial.child, node.depth - 1, low, high, frame.child(trial.move, end))
    if value >= beta:
        conclude(search, node, value, trial.move)
    else:
        work.end_loop(node.outer_loop, True)
    return value
