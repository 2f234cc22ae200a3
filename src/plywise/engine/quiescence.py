"""Quiescence search: beyond the horizon only noisy moves, such as captures, until the position is quiet.

The player to move may always stand pat, that is, take the evaluation as it is (Harris 1975).
"""

from __future__ import annotations

from plywise.algorithms.pvs import turned
from plywise.engine.distance import distant
from plywise.engine.work import DEEPEST, HORIZON, PAIR, STACK_WORDS, Work
from plywise.game import Game, Number, State, sign
from plywise.watch import LONGEST_LINE

MOST_NOISY = 32
"""Plies beyond the horizon: captures end by themselves, but a game's idea of noise may not."""


def quiescence(
    game: Game, state: State, alpha: Number, beta: Number, ply: int, top: int, left: int, work: Work
) -> Number:
    """Return a value with alpha-beta's fail-soft promises, for the player to move; the game is not over.

    ``left`` is how many plies it may go on.
    """
    player = game.to_move(state)
    work.count[HORIZON] += 1
    work.count[DEEPEST] = max(work.count[DEEPEST], ply)
    best = sign(player) * game.evaluate(state)
    if best >= beta or left == 0 or ply >= LONGEST_LINE or top > STACK_WORDS // 2:
        return best
    alpha = max(alpha, best)
    end = top
    for move in game.noisy_moves(state):
        if end > STACK_WORDS - PAIR:
            break
        work.stack[end + 1] = move
        work.insert(game.gain(state, move), top, end)
        end += PAIR
    for place in range(top, end, PAIR):
        child = game.play(state, work.stack[place + 1])
        work.enter()
        turn = 1 if game.to_move(child) == player else -1
        if game.is_terminal(child):
            value = sign(player) * distant(game, game.score(child), ply + 1)
        else:
            low, high = turned(turn, alpha, beta)
            value = turn * quiescence(game, child, low, high, ply + 1, end, left - 1, work)
        best = max(best, value)
        alpha = max(alpha, best)
        if best >= beta:
            break
    return best
