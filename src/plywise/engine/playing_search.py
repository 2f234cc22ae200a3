"""The playing search: principal variation search with everything that makes it strong.

The skeleton is ``algorithms.pvs``, a page long.  This module adds: a table shared by threads (``cutoffs``), move
ordering (``ordering``), quiescence search, and, unless the plan is exact, selective search (``pruning``).  A value is
proven if neither pruning nor the horizon affected it.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity
from plywise.algorithms.pvs import turned
from plywise.bits import any_number
from plywise.compiling.native import inlined
from plywise.engine.cutoffs import cutoff, depends_on_path, game_over, keep, table_cutoff
from plywise.engine.distance import winning
from plywise.engine.node import NULL_MOVE, Frame, Node, Search, new_node
from plywise.engine.ordering import Trial, generate, learn, next_trial, weigh
from plywise.engine.pruning import (
    PROBCUT_LESS,
    evaluated,
    futility,
    internal_reduction,
    is_left_out,
    may_be_singular,
    null_move_depth,
    probcut_goal,
    reduction,
    singular_extension,
    singular_goal,
    surprise,
    tries_null_move,
    tries_probcut,
)
from plywise.engine.quiescence import MOST_NOISY, collect_noisy, is_out_of_room, quiescence
from plywise.engine.sharing import begin_move, end_move, mark_of, shares
from plywise.engine.table import depth_of, is_proven
from plywise.engine.work import HORIZON, NO_TRAIT, NODES, PAIR, STACK_WORDS, THIRD_PLAYER, TOO_LONG
from plywise.errors import SearchError
from plywise.game import MIN, Move, Number, State, same_side, sign

REDUCED, NULL_WINDOW, FULL_WINDOW = range(3)
"""How a move is searched: at reduced depth with a null window; with a null window; with the full window.  Each step
follows if the one before it shows the move to be better than alpha."""


def playing_search(search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame) -> Number:
    """Return a fail-soft alpha-beta value for the player to move, searching ``depth`` plies."""
    game, plan, table, work = search
    # On entry: the end of the game, the horizon, the table
    begin_node(search, state, frame.ply)
    over, value = game_over(search, state, frame.ply)
    if over:
        return value
    node, settled, value = arrive(search, state, depth, alpha, beta, frame)
    if settled:
        return value
    # Pruning the whole position: futility, razoring, the null move
    futile, value = futility(search, node)
    if futile:
        return value
    if tries_null_move(search, node):
        work.remember(frame.ply, NO_TRAIT)
        work.expect(frame.ply, work.cuts[frame.ply] == 0, False)
        passed, after = game.pass_move(state), frame.child(any_number(NULL_MOVE), frame.top)
        value = -playing_search(search, passed, null_move_depth(search, node), -beta, -alpha, after)
        if value >= beta:
            return work.on_trust(value if value < winning(game) else beta)
    # ProbCut: a capture that exceeds beta by far in a shallower search; one that ends the game is left to the moves
    if tries_probcut(search, node):
        goal, outer = probcut_goal(search, node), work.begin_loop()
        end = collect_noisy(search, state, node.entry, frame.top)
        for place in range(frame.top, end, PAIR):
            move = work.pick(place, end)
            if not game.wins_at_least(state, move, goal - node.static):
                continue
            child = game.play(state, move)
            if game.is_terminal(child):
                continue
            work.enter()
            work.remember(frame.ply, game.trait(state, move))
            turn = 1 if same_side(game.to_move(child), node.player) else -1
            work.expect(frame.ply, turn > 0, False)
            low, high = turned(turn, goal, above(game, goal))
            after = frame.child(move, end)
            value = turn * quiescence(search, child, any_number(MOST_NOISY), low, high, after)
            if value > goal:
                value = turn * playing_search(search, child, node.depth - PROBCUT_LESS, low, high, after)
                if value > goal:
                    keep_probcut(search, node, value, move, outer)
                    return work.on_trust(value)
        work.end_loop(outer, False)
        work.count[HORIZON] = node.trusted  # none of this was used
    # The moves, best first: each with a null window, and again if that shows it to be better
    node, end = with_moves(search, node)
    best, best_move = -infinity(game), node.first
    for place in range(frame.top, end, PAIR):
        trial = next_trial(search, node, place, end)
        if is_left_out(search, node, trial, alpha, best):
            continue
        table.expect(game.rest_key(trial.child))
        below, less, extension = node.depth - 1, reduction(search, node, trial), 0
        if may_be_singular(search, node, trial):
            goal = singular_goal(search, node)
            others = playing_search(search, state, below // 2, goal, above(game, goal), frame.without(trial.move, end))
            if others > goal >= beta:  # multi-cut: another move fails high too
                work.end_loop(node.outer_loop, True)
                return work.on_trust(goal)
            extension = singular_extension(search, node, goal, others)
            below += extension
            trial = trial._replace(child=game.play(state, trial.move))  # that search may have overwritten it
        work.remember(frame.ply, trial.trait)
        shared = trial.number > 0 and shares(search, node)
        if shared:
            settled, value = table_cutoff(search, node, table.find(node.key, node.salt))
            if settled:  # another thread was faster
                work.end_loop(node.outer_loop, False)
                return value
            begin_move(work, mark_of(node, trial.move))
        begun, step = work.count[NODES], FULL_WINDOW if trial.number == 0 else REDUCED if less > 0 else NULL_WINDOW
        while True:
            look = below - less if step == REDUCED else below
            if plan.reductions or plan.singular:
                work.expect(frame.ply, expects_cut(search, node, trial, step), extension > 1)
            low, high = turned(trial.turn, alpha, beta if step == FULL_WINDOW else above(game, alpha))
            value = trial.turn * playing_search(search, trial.child, look, low, high, frame.child(trial.move, end))
            if step == REDUCED and value > alpha:
                below += surprise(search, value, best)
                step = NULL_WINDOW if below <= look else REDUCED  # at this depth, it has been searched
            if step == FULL_WINDOW or value <= alpha or (step == NULL_WINDOW and value >= beta):
                break
            step += 1
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
def expects_cut(search: Search, node: Node, trial: Trial, step: int) -> bool:
    """Return whether the position after a move is expected to fail high: after a doubtful move, and after every second
    one, but not on the line of best play.
    """
    if step == REDUCED:
        return trial.turn < 0
    if step == FULL_WINDOW and node.pv:
        return False
    return bool(search.work.cuts[node.frame.ply] == 0) == (trial.turn < 0)


@inlined
def begin_node(search: Search, state: State, ply: int) -> None:
    """Count a node and clear its line of best play."""
    search.work.enter()
    search.work.length[ply] = 0
    if search.game.to_move(state) > MIN:
        raise SearchError(THIRD_PLAYER)


@inlined
def arrive(
    search: Search, state: State, depth: int, alpha: Number, beta: Number, frame: Frame
) -> tuple[Node, bool, Number]:
    """Return the node, whether it is settled without a search of its moves, and its value if so."""
    game, plan, _, work = search
    node = new_node(search, state, depth, alpha, beta, frame)
    if plan.exact and frame.top > STACK_WORDS // 2:
        raise SearchError(TOO_LONG)
    if node.depth <= 0 or is_out_of_room(frame):
        if plan.quiescence:
            return node, True, quiescence(search, state, any_number(MOST_NOISY), alpha, beta, frame)
        return node, True, work.on_trust(sign(node.player) * game.evaluate(state))
    entry, settled, value = cutoff(search, node)
    if settled:
        return node, True, value
    return evaluated(search, node, entry), False, value


@inlined
def with_moves(search: Search, node: Node) -> tuple[Node, int]:
    """Put the moves on the stack with their worth; returns the node, perhaps reduced, and the end of the moves."""
    node = node._replace(depth=node.depth - internal_reduction(search, node), outer_loop=search.work.begin_loop())
    end = generate(search, node)
    weigh(search, node, end)
    return node, end


@inlined
def keep_probcut(search: Search, node: Node, value: Number, move: Move, outer_loop: int) -> None:
    """Store what ProbCut found, unless it depends on the path or the table knows better."""
    work, depth = search.work, node.depth - PROBCUT_LESS + 1
    depends = depends_on_path(search, node)
    if not depends and not is_proven(node.entry) and depth_of(node.entry) <= depth:
        keep(search, node._replace(depth=depth), value, move, False)
    work.end_loop(outer_loop, depends)


@inlined
def conclude(search: Search, node: Node, best: Number, best_move: Move) -> None:
    """Store the result, unless it depends on the path or a move was excluded."""
    work = search.work
    holds = not node.frame.is_singular and not depends_on_path(search, node)
    if holds:
        keep(search, node, best, best_move, work.count[HORIZON] == node.trusted)
    work.end_loop(node.outer_loop, not holds)
