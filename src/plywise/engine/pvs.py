"""The playing search: principal variation search with everything that makes it strong.

The skeleton is ``algorithms.pvs``, a page long.  What is added here: a table shared by threads, moves in a good order,
and, unless the plan is exact, bets: to look less deeply where it seems not to matter, and more where it seems to.
A bet may cost a value its accuracy, never its legality; a value that no bet and no horizon took part in is proven.
"""

from __future__ import annotations

from plywise.algorithms.common import above, infinity, limits, span
from plywise.algorithms.pvs import turned
from plywise.algorithms.table import LOWER, UPPER, bound_within, settles
from plywise.bits import any_number
from plywise.compiling.native import inlined
from plywise.engine.distance import distant, farther, nearer, winning
from plywise.engine.plan import Plan, has_margins
from plywise.engine.quiescence import MOST_NOISY, quiescence
from plywise.engine.table import (
    NO_MOVE,
    Table,
    bound_of,
    depth_of,
    is_proven,
    move_of,
    packed,
    value_of,
)
from plywise.engine.work import (
    CHOSEN,
    HISTORY_LIMIT,
    HORIZON,
    LOOP,
    MOST_REDUCED,
    NEVER,
    NO_TRAIT,
    PAIR,
    PAST,
    STACK_WORDS,
    THIRD_PLAYER,
    TOO_LONG,
    Work,
    path_mark,
)
from plywise.errors import SearchError
from plywise.game import MIN, Game, Move, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE

PASSED = -2
"""Stands for the move before, after a pass."""

REDUCED, NULL, WHOLE = range(3)
"""How a move is searched: less deeply and with a null window; with a null window; with the whole window.  Each step is
taken if the one before it says that the move is better than it was thought to be."""

MOST_ORDER = 1 << 29
"""More than this does not count in a game's own order."""

IN_FULL = 2
"""How many moves are searched to the full depth before reductions begin."""

NEAR = 8
"""Plies before the horizon in which moves are left out."""

NOISY, LOSING = 1 << 30, 1 << 32
"""What puts noisy moves before quiet ones, and behind them those that turn out to lose."""

FIRST_OF_ALL = 1 << 62
"""The worth of the table's move."""

BAD_RECORD = HISTORY_LIMIT // 4
"""A quiet move whose record is so bad, times the depth, is left out."""


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
        earlier = work.repeats(path_mark(key, player), ply, reversible)
        if earlier >= 0 and ply > 0:
            work.count[LOOP] = min(work.count[LOOP], earlier)
            return sign(player) * distant(game, game.repetition(state), ply)
        if plan.exact:
            salt ^= work.trail(ply, reversible)
    pressed = plan.extensions and game.extension(state) > 0
    if pressed and ply < LONGEST_LINE // 2:
        depth += game.extension(state)
    if plan.exact and top > STACK_WORDS // 2:
        raise SearchError(TOO_LONG)
    if depth <= 0 or ply >= LONGEST_LINE or top > STACK_WORDS // 2:
        if plan.quiescence:
            return quiescence(game, state, alpha, beta, ply, top, any_number(MOST_NOISY), plan, table, work)
        work.count[HORIZON] += 1
        return sign(player) * game.evaluate(state)
    open_window = above(game, alpha) < beta
    if not open_window and without == NO_MOVE:
        low, high = span(game, game.proven_bounds(state) if plan.knowledge else game.bounds(state), player)
        worst, ideal = distant(game, low, ply + 1), distant(game, high, ply + 1)  # no win is nearer than a ply
        if low < winning(game) and worst >= beta:
            return worst
        if high > -winning(game) and ideal <= alpha:
            return ideal
    entry = table.find(key, salt) if without == NO_MOVE else 0
    if entry != 0 and not open_window and serves(entry, depth, plan):
        known = nearer(game, value_of(game, entry), ply)
        if settles(bound_of(entry), known, alpha, beta):
            if not is_proven(entry) or (plan.loops and not plan.exact):  # on another way here it may have been so
                work.count[HORIZON] += 1
            return known
    trusted = work.count[HORIZON]
    static, improving = -infinity(game), True
    if not plan.exact:
        if not pressed:
            static = sign(player) * game.evaluate(state)
        work.judged[ply] = static
        improving = not pressed and (ply < 2 or static > work.judged[ply - 2])
    no_win = -winning(game) < alpha and beta < winning(game)  # is in question: it would lie beyond any margin
    if not plan.exact and not open_window and not pressed and without == NO_MOVE and no_win:
        if entry != 0:
            static = sharpened(game, static, bound_of(entry), nearer(game, value_of(game, entry), ply))
        if has_margins(game):
            if plan.futility and depth <= NEAR and static - (depth - improving) * game.swing * 3 / 4 >= beta:
                work.count[HORIZON] += 1
                return static
            if plan.razoring and plan.quiescence and depth <= 3 and static + game.swing * (1 + 2 * depth) <= alpha:
                value = quiescence(game, state, alpha, beta, ply, top, any_number(MOST_NOISY), plan, table, work)
                if value <= alpha:
                    return value
        if plan.null_move and depth >= 3 and before != PASSED and static >= beta and can_pass(game, state):
            passed, shorter = game.pass_move(state), depth - 4 - depth // 4 - surplus(game, static - beta)
            work.remember(ply, NO_TRAIT)
            reply = -pvs(game, passed, shorter, -beta, -alpha, ply + 1, top, any_number(PASSED), nothing, plan,
                         table, work)  # fmt: skip
            if reply >= beta:
                work.count[HORIZON] += 1
                return reply if reply < winning(game) else beta
    hint = move_of(entry) if entry != 0 else NO_MOVE
    if ply == 0 and work.first[0] != NO_MOVE:
        hint = work.first[0]
    if plan.internal and depth >= 4 and without == NO_MOVE and ply > 0 and hint == NO_MOVE:
        depth -= 1
    outer = work.count[LOOP]
    work.count[LOOP] = NEVER
    restricted = ply == 0 and work.count[CHOSEN] > 0
    end = work.collect_chosen(top) if restricted else collect(game, state, plan, work, top)
    weigh(game, state, player, hint, ply, before, depth, top, end, plan, work)
    best, best_move, lowest, place = -infinity(game), NO_MOVE, alpha, top
    while place < end:
        move = work.pick(place, end)
        late, quiet = (place - top) // PAIR, game.gain(state, move) == 0
        promising = NOISY // 2 < work.stack[place] < FIRST_OF_ALL
        if plan.exchanges and not quiet and promising and not game.wins_at_least(state, move, 0):
            work.stack[place] = game.gain(state, move) - LOSING
            continue
        place += PAIR
        if without != NO_MOVE and move == without:
            continue
        trait, child = game.trait(state, move), game.play(state, move)
        presses = plan.extensions and game.extension(child) > 0
        if not plan.exact and late > 0 and ply > 0 and best > -winning(game):
            calm = quiet and not presses
            if is_hopeless(game, state, move, trait, late, calm, improving or pressed, static, alpha, depth, ply,
                           player, plan, work):  # fmt: skip
                work.count[HORIZON] += 1
                continue
        table.expect(game.key(child))
        turn = 1 if game.to_move(child) == player else -1
        below, shorter = depth - 1, 0
        if late == 0 and plan.singular and is_singled_out(game, entry, move, depth, ply):
            goal = nearer(game, value_of(game, entry), ply) - margin(game, depth)
            others = pvs(game, state, (depth - 1) // 2, goal, above(game, goal), ply, end, before, move, plan, table,
                         work)  # fmt: skip
            if others <= goal:
                below += 1
            elif goal >= beta:
                work.count[HORIZON] += 1
                work.count[LOOP] = min(outer, work.count[LOOP])
                return goal
            elif nearer(game, value_of(game, entry), ply) >= beta:
                below -= 1
        if plan.reductions and depth >= 3 and late >= IN_FULL + open_window:
            losing = work.stack[place - PAIR] < -NOISY
            shorter = reduction(move, trait, late, quiet, losing, presses, improving, open_window, depth, ply, player,
                                plan, work)  # fmt: skip
            shorter = max(0, min(shorter, below - 1))
        work.remember(ply, trait)
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
                    if plan.killers:
                        work.learn(game, state, ply, before, depth, top, place - PAIR)
                    break
    bound = bound_within(best, lowest, beta)
    proven = work.count[HORIZON] == trusted
    if without != NO_MOVE:
        work.count[LOOP] = min(outer, work.count[LOOP])
        return best
    if not plan.loops or plan.exact or work.count[LOOP] >= work.count[PAST] + ply:
        known_move = best_move if best_move != NO_MOVE else hint
        table.keep(key, salt, packed(game, farther(game, best, ply), bound, proven, depth, known_move))
        work.count[LOOP] = outer
    else:
        work.count[LOOP] = min(outer, work.count[LOOP])
    return best


def is_hopeless(
    game: Game, state: State, move: Move, trait: int, late: int, calm: bool, improving: bool, static: Number,
    alpha: Number, depth: int, ply: int, player: int, plan: Plan, work: Work,
) -> bool:  # fmt: skip
    """Return whether a move near the horizon is not worth a search, another having been found.

    ``calm`` is a move that is neither noisy nor presses the opponent.
    """
    if depth > NEAR or not has_margins(game):
        return False
    if calm:
        if plan.late_pruning and late > (3 + depth * depth) // (1 if improving else 2):
            return True
        if plan.futility and -infinity(game) < static and static + game.swing * (1 + depth) <= alpha:
            return True
        if plan.killers and plan.late_pruning and work.record(player, ply, move, trait) < -BAD_RECORD * depth:
            return True
    if not plan.exchanges:
        return False
    return not game.wins_at_least(state, move, -game.swing * depth * (depth / 4 if calm else 1))


def reduction(
    move: Move, trait: int, late: int, quiet: bool, losing: bool, presses: bool, improving: bool, open_window: bool,
    depth: int, ply: int, player: int, plan: Plan, work: Work,
) -> int:  # fmt: skip
    """Return by how many plies less deeply to look at a late move first (late-move reduction)."""
    if not quiet and (not losing or presses or ply == 0):
        return 0
    shorter = int(work.reductions[min(depth, MOST_REDUCED - 1), min(late, MOST_REDUCED - 1)])
    if not quiet:
        shorter -= 1
    elif plan.killers:
        shorter -= work.record(player, ply, move, trait) // (HISTORY_LIMIT // 2)
    return shorter - presses - open_window + (not improving) - (ply == 0)


@inlined
def can_pass(game: Game, state: State) -> bool:
    """Return whether the game allows a null move here: where it does not, a pass leaves the position as it is."""
    return game.to_move(game.pass_move(state)) != game.to_move(state)


@inlined
def sharpened(game: Game, static: Number, bound: int, known: Number) -> Number:
    """Return an evaluation, or what the table knows better: a value, or a bound on the other side of it."""
    if not -winning(game) < known < winning(game):
        return static
    if (bound != UPPER and known > static) or (bound != LOWER and known < static):
        return known
    return static


@inlined
def surplus(game: Game, excess: Number) -> int:
    """Return how many plies less deeply to look at a pass, so much more being there than is needed."""
    return min(3, int(excess / game.swing / 2)) if has_margins(game) else 0


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


def weigh(
    game: Game, state: State, player: int, hint: Move, ply: int, before: Move, depth: int, top: int, end: int,
    plan: Plan, work: Work,
) -> None:  # fmt: skip
    """Give the moves on the stack their order: the table's move, the game's order, noisy moves by gain, then by
    experience.
    """
    for place in range(top, end, PAIR):
        move = work.stack[place + 1]
        gain = game.gain(state, move)
        worth = max(-MOST_ORDER, min(MOST_ORDER, game.order(state, move))) << 32
        if gain != 0:
            worth += NOISY + gain if gain > 0 else gain - NOISY
            if plan.killers:
                worth += work.prospect(player, game.trait(state, move))
        elif plan.killers:
            worth += work.experience(player, ply, before, move, game.trait(state, move))
        if plan.by_evaluation and depth > 1:
            worth += promise(game, game.play(state, move), player)
        work.stack[place] = FIRST_OF_ALL if move == hint else worth


def rank(
    game: Game, state: State, player: int, hint: Move, ply: int, before: Move, depth: int, top: int, end: int,
    plan: Plan, work: Work,
) -> None:  # fmt: skip
    """Sort the moves on the stack as they are weighed."""
    weigh(game, state, player, hint, ply, before, depth, top, end, plan, work)
    for place in range(top, end, PAIR):
        work.insert(work.stack[place], top, place)


@inlined
def promise(game: Game, child: State, player: int) -> int:
    """Return the evaluation after a move, for the player who made it, in a form that can be added to the rest."""
    value = game.score(child) if game.is_terminal(child) else game.evaluate(child)
    return int(max(-1e6, min(1e6, sign(player) * value * 64))) << 24


def is_singled_out(game: Game, entry: int, move: Move, depth: int, ply: int) -> bool:
    """Return whether the table knows enough of ``move`` to ask if it is better by far than all others."""
    if not has_margins(game):
        return False  # nothing is better by far where nothing says what is far
    if entry == 0 or depth < 6 or ply == 0 or bound_of(entry) == UPPER or depth_of(entry) < depth - 3:
        return False
    return move == move_of(entry) and -winning(game) < value_of(game, entry) < winning(game)


def margin(game: Game, depth: int) -> Number:
    """Return what counts as better by far."""
    return limits(game, (game.swing * depth / 40, infinity(game)))[0]
