"""Quiescence search: beyond the horizon only noisy moves, such as captures, until the position is quiet.

The player to move may always stand pat, that is, take the evaluation as it is (Harris 1975).
"""

from __future__ import annotations

from plywise.algorithms.common import infinity
from plywise.algorithms.pvs import turned
from plywise.algorithms.table import bound_within, settles
from plywise.compiling.native import inlined
from plywise.engine.distance import distant, farther, nearer
from plywise.engine.plan import Plan, has_margins
from plywise.engine.table import NO_MOVE, Table, bound_of, depth_of, move_of, packed, value_of
from plywise.engine.work import DEEPEST, HORIZON, PAIR, STACK_WORDS, Work
from plywise.game import Game, Number, State, sign
from plywise.inputs.limits import LONGEST_LINE

MOST_NOISY = 32
"""Plies beyond the horizon: captures end by themselves, but a game's idea of noise may not."""


def quiescence(
    game: Game, state: State, alpha: Number, beta: Number, ply: int, top: int, left: int, plan: Plan, table: Table,
    work: Work,
) -> Number:  # fmt: skip
    """Return a value with alpha-beta's fail-soft promises, for the player to move; the game is not over.

    ``left`` is how many plies it may go on.
    """
    player, key = game.to_move(state), game.key(state)
    work.count[HORIZON] += 1
    work.count[DEEPEST] = max(work.count[DEEPEST], ply)
    entry = table.find(key, 0)
    if entry != 0:
        known = nearer(game, value_of(game, entry), ply)
        if settles(bound_of(entry), known, alpha, beta):
            return known
    pressed = plan.extensions and game.extension(state) > 0
    if left == 0 or ply >= LONGEST_LINE or top > STACK_WORDS // 2:
        return sign(player) * game.evaluate(state)
    static = -infinity(game)  # who is pressed may not stand pat
    if not pressed:
        static = sign(player) * game.evaluate(state)
    if static >= beta:
        return static
    best, best_move, lowest = static, NO_MOVE, alpha
    alpha = max(alpha, best)
    end = top
    for move in game.noisy_moves(state):
        if end > STACK_WORDS - PAIR:
            break
        work.stack[end] = game.gain(state, move)
        if entry != 0 and move == move_of(entry):
            work.stack[end] += 1 << 40
        work.stack[end + 1] = move
        end += PAIR
    for place in range(top, end, PAIR):
        move = work.pick(place, end)
        if plan.exchanges and not pressed and not game.wins_at_least(state, move, wanted(game, static, alpha)):
            continue
        child = game.play(state, move)
        table.expect(game.key(child))
        work.enter()
        turn = 1 if game.to_move(child) == player else -1
        if game.is_terminal(child):
            value = sign(player) * distant(game, game.score(child), ply + 1)
        else:
            low, high = turned(turn, alpha, beta)
            value = turn * quiescence(game, child, low, high, ply + 1, end, left - 1, plan, table, work)
        if value > best:
            best = value
            if value > alpha:
                alpha, best_move = value, move
            if best >= beta:
                break
    if best == -infinity(game):
        return sign(player) * game.evaluate(state)  # pressed, with nothing noisy to do about it
    if entry == 0 or depth_of(entry) == 0:
        bound = bound_within(best, lowest, beta)
        table.keep(key, 0, packed(game, farther(game, best, ply), bound, False, 0, best_move))
    return best


@inlined
def wanted(game: Game, static: Number, alpha: Number) -> Number:
    """Return what an exchange must win at least to be of interest: nothing lost, and ``alpha`` not out of reach."""
    return max(0, alpha - static - 2 * game.swing) if has_margins(game) else 0
