"""Selective search: pruning, reductions, singular extensions and ProbCut.

They may make a value less accurate, but never a move illegal.  An exact search uses none of them.  Their numbers are in
``margins``.
"""

from __future__ import annotations

from plywise.algorithms.common import infinity, limits
from plywise.algorithms.memo_table import LOWER, UPPER
from plywise.bits import any_number
from plywise.compiling.native import inlined
from plywise.engine.distance import nearer, winning
from plywise.engine.margins import (
    BAD_NOISY,
    BAD_QUIET,
    DEEPER,
    DOUBLY,
    EXPECTED_CUT,
    FUTILITY,
    HISTORY,
    LATE,
    LATE_DEPTH,
    MOST_REDUCED,
    NULL,
    NULL_DEPTH,
    NULL_SURPLUS,
    PROBCUT,
    QUIET,
    QUIET_PLY,
    RAZOR,
    RAZOR_PLY,
    REDUCTION_HISTORY,
    SHALLOWER,
    SINGULAR,
)
from plywise.engine.node import NULL_MOVE, Node, Search
from plywise.engine.ordering import Trial
from plywise.engine.plan import has_margins
from plywise.engine.quiescence import MOST_NOISY, quiescence
from plywise.engine.table import NO_MOVE, bound_of, depth_of, table_move, table_value
from plywise.engine.work import HISTORY_LIMIT, HORIZON
from plywise.game import Game, Number, State, sign

IN_FULL = 2
"""How many moves are searched to full depth before reductions start."""

NEAR = 8
"""Moves are pruned only at this remaining depth or less."""

MOST_SURPLUS = 3
"""The most plies that an evaluation above beta makes a null move's search less deep."""

PROBCUT_DEPTH, PROBCUT_LESS = 5, 4
"""ProbCut: the least depth, and how much less deep its search is."""

MOST_DOUBLED = 6
"""The most moves of a line that are extended by two plies."""


# The position as a whole ---------------------------------------------------------------------------------------------


@inlined
def evaluated(search: Search, node: Node, entry: int) -> Node:
    """Return the node with the table entry, the move to try first, and the static evaluation."""
    game, plan, _, work = search
    ply, static, improving = node.frame.ply, -infinity(game), True
    if not plan.exact:
        if not node.in_check:
            static = sign(node.player) * game.evaluate(node.state)
        work.static_evals[ply] = static
        improving = not node.in_check and (ply < 2 or static > work.static_evals[ply - 2])
        if entry != 0 and can_prune(search, node):
            static = sharpened(game, static, bound_of(entry), nearer(game, table_value(game, node.state, entry), ply))
    first = table_move(game, node.state, entry)
    if ply == 0 and work.first[0] != NO_MOVE:
        first = work.first[0]
    return node._replace(entry=entry, first=first, static=static, improving=improving, trusted=work.count[HORIZON])


@inlined
def sharpened(game: Game, static: Number, bound: int, known: Number) -> Number:
    """Return the static evaluation, or the table's value if it is exact or a bound that excludes the evaluation."""
    if not -winning(game) < known < winning(game):
        return static
    if (bound != UPPER and known > static) or (bound != LOWER and known < static):
        return known
    return static


@inlined
def can_prune(search: Search, node: Node) -> bool:
    """Return whether the whole position may be pruned; not near a win, which no margin covers."""
    game, plan, _, _ = search
    no_win = -winning(game) < node.alpha and node.beta < winning(game)
    return not (plan.exact or node.pv or node.in_check or node.frame.is_singular) and no_win


@inlined
def futility(search: Search, node: Node) -> tuple[bool, Number]:
    """Return whether the window is out of reach, and the value then.

    Reverse futility pruning: the evaluation exceeds beta by more than the remaining plies may change.  Razoring: it is
    so far below alpha that only noisy moves can help, and quiescence search shows that they do not.
    """
    game, plan, _, work = search
    if not (has_margins(game) and can_prune(search, node)):
        return False, node.static
    margin = (node.depth - node.improving) * game.swing * work.margins[FUTILITY]
    if plan.futility and node.depth <= NEAR and node.static - margin >= node.beta:
        return True, work.on_trust(node.static)
    margin = game.swing * (work.margins[RAZOR] + work.margins[RAZOR_PLY] * node.depth)
    if plan.razoring and plan.quiescence and node.depth <= 3 and node.static + margin <= node.alpha:
        value = quiescence(search, node.state, any_number(MOST_NOISY), node.alpha, node.beta, node.frame)
        return value <= node.alpha, value
    return False, node.static


@inlined
def tries_null_move(search: Search, node: Node) -> bool:
    """Return whether to try a null move; never twice in a row."""
    game, plan, _, _ = search
    if not plan.null_move or node.depth < 3 or node.frame.previous == NULL_MOVE or node.static < node.beta:
        return False
    return can_prune(search, node) and allows_null_move(game, node.state)


@inlined
def allows_null_move(game: Game, state: State) -> bool:
    """Return whether the game allows a null move; if not, ``pass_move`` returns the position itself."""
    return game.to_move(game.pass_move(state)) != game.to_move(state)


@inlined
def null_move_depth(search: Search, node: Node) -> int:
    """Return the depth of the search after a null move: the more the evaluation exceeds beta, the less."""
    game, margins = search.game, search.work.margins
    surplus = 0.0
    if has_margins(game):
        surplus = min(float(MOST_SURPLUS), (node.static - node.beta) / game.swing * margins[NULL_SURPLUS])
    return node.depth - int(margins[NULL] + margins[NULL_DEPTH] * node.depth + surplus)


@inlined
def internal_reduction(search: Search, node: Node) -> int:
    """Return 1 where the table has no move to try first (internal iterative reduction), else 0."""
    frame = node.frame
    no_move = node.first == NO_MOVE and frame.ply > 0 and not frame.is_singular
    return 1 if search.plan.internal and node.depth >= 4 and no_move else 0


# One move ------------------------------------------------------------------------------------------------------------


@inlined
def is_left_out(search: Search, node: Node, trial: Trial, alpha: Number, best: Number) -> bool:
    """Return whether to skip a move: the excluded one, or a hopeless one if another move avoids a loss."""
    game, plan, _, work = search
    frame = node.frame
    if frame.is_singular and trial.move == frame.excluded:
        return True
    if plan.exact or trial.number == 0 or frame.ply == 0 or best <= -winning(game):
        return False
    if not is_hopeless(search, node, trial, alpha):
        return False
    work.count[HORIZON] += 1
    return True


@inlined
def is_hopeless(search: Search, node: Node, trial: Trial, alpha: Number) -> bool:
    """Return whether to prune a move near the horizon: by late-move pruning, futility pruning, a bad history or a bad
    exchange.
    """
    game, plan, _, work = search
    depth, static = node.depth, node.static
    if depth > NEAR or not has_margins(game):
        return False
    calm = trial.quiet and not trial.gives_check
    if calm:
        most = work.margins[LATE] + work.margins[LATE_DEPTH] * depth * depth
        if plan.late_pruning and trial.number > (most if node.improving or node.in_check else most / 2):
            return True
        margin = game.swing * (work.margins[QUIET] + work.margins[QUIET_PLY] * depth)
        if plan.futility and -infinity(game) < static and static + margin <= alpha:
            return True
        history = work.quiet_history(node.player, node.frame.ply, trial.move, trial.trait) if plan.killers else 0
        if plan.late_pruning and history < -HISTORY_LIMIT * work.margins[HISTORY] * depth:
            return True
    if not plan.exchanges:
        return False
    lost = work.margins[BAD_QUIET] * depth if calm else work.margins[BAD_NOISY]
    return not game.wins_at_least(node.state, trial.move, -game.swing * depth * lost)


@inlined
def reduction(search: Search, node: Node, trial: Trial) -> int:
    """Return by how many plies to reduce the first search of a late move (late-move reduction)."""
    _, plan, _, work = search
    depth, at_root = node.depth, node.frame.ply == 0
    if not plan.reductions or depth < 3 or trial.number < IN_FULL + node.pv:
        return 0
    if not trial.quiet and (not trial.losing or trial.gives_check or at_root):
        return 0
    less = work.reductions[min(depth, MOST_REDUCED - 1), min(trial.number, MOST_REDUCED - 1)]
    if not trial.quiet:
        less -= 1
    elif plan.killers:
        history = work.quiet_history(node.player, node.frame.ply, trial.move, trial.trait)
        less -= history / HISTORY_LIMIT * work.margins[REDUCTION_HISTORY]
    if work.cuts[node.frame.ply]:
        less += work.margins[EXPECTED_CUT]
    less = less - trial.gives_check - node.pv + (not node.improving) - at_root
    return max(0, min(int(less), depth - 2))


@inlined
def surprise(search: Search, value: Number, best: Number) -> int:
    """Return the change of depth, from -1 to 1, for the search that follows a reduced one: the move may be far better
    than the best one so far, or hardly.
    """
    game, work = search.game, search.work
    if not has_margins(game) or best <= -winning(game):
        return 0
    ahead = value - best
    return int(ahead > game.swing * work.margins[DEEPER]) - int(ahead < game.swing * work.margins[SHALLOWER])


# Singular extensions -------------------------------------------------------------------------------------------------


@inlined
def may_be_singular(search: Search, node: Node, trial: Trial) -> bool:
    """Return whether the table entry is good enough to test whether its move is singular, that is, far better than all
    others.
    """
    game, plan, _, _ = search
    entry = node.entry
    if trial.number > 0 or not plan.singular or not has_margins(game) or entry == 0 or node.depth < 6:
        return False
    if node.frame.ply == 0 or bound_of(entry) == UPPER or depth_of(entry) < node.depth - 3:
        return False
    return trial.move == node.first and -winning(game) < table_value(game, node.state, entry) < winning(game)


@inlined
def singular_goal(search: Search, node: Node) -> Number:
    """Return the value that no other move reaches if the table move is singular."""
    game = search.game
    margin = limits(game, (float(game.swing * node.depth * search.work.margins[SINGULAR]), infinity(game)))[0]
    return nearer(game, table_value(game, node.state, node.entry), node.frame.ply) - margin


@inlined
def singular_extension(search: Search, node: Node, goal: Number, others: Number) -> int:
    """Return the extension of the table move in plies; ``others`` is the value of the other moves.

    1 if the move is singular or the only one, 2 if all others are far worse; -1 if it is not, but its table value fails
    high.
    """
    game, work = search.game, search.work
    if others <= goal:
        far = -infinity(game) < others and others + game.swing * work.margins[DOUBLY] <= goal and not node.pv
        return 2 if far and work.doubled[node.frame.ply] < MOST_DOUBLED else 1
    return -1 if nearer(game, table_value(game, node.state, node.entry), node.frame.ply) >= node.beta else 0


# ProbCut -------------------------------------------------------------------------------------------------------------


@inlined
def tries_probcut(search: Search, node: Node) -> bool:
    """Return whether to look for a capture that exceeds beta by far, as a shallower search shows (ProbCut, Buro 1995);
    not if the table's value, from a search that was deep enough, is below the goal.
    """
    game, plan, _, _ = search
    if not (plan.probcut and plan.quiescence and plan.exchanges and has_margins(game) and can_prune(search, node)):
        return False
    goal, entry = probcut_goal(search, node), node.entry
    if node.depth < PROBCUT_DEPTH or goal >= winning(game):
        return False
    known = nearer(game, table_value(game, node.state, entry), node.frame.ply)
    return entry == 0 or depth_of(entry) < node.depth - PROBCUT_LESS + 1 or known >= goal


@inlined
def probcut_goal(search: Search, node: Node) -> Number:
    """Return the value that such a capture must exceed."""
    game = search.game
    return node.beta + limits(game, (float(game.swing * search.work.margins[PROBCUT]), infinity(game)))[0]
