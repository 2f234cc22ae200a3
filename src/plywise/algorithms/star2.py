"""Star2 (Ballard 1983): Star1 that first probes every outcome with one move, for bounds that cut more.

One move of MAX shows that an outcome is worth at least this much, one move of MIN that it is worth at most this much.
Often these bounds decide already, and no outcome is searched in full.  If not, they replace L and U where Star1 assumes
the worst.  Probing pays if the first move is usually a good one, and the more replies there are (Hauk, Buro and
Schaeffer 2004); a probed move is searched twice, unless a table remembers it.

The promises are those of ``star1``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywise.algorithms.averages import between, certainty, extremes, is_bounded, needed, part, slack
from plywise.algorithms.common import infinity, leaf
from plywise.game import MAX, Game, Number, State
from plywise.layers import CHANCE

if TYPE_CHECKING:
    from plywise.algorithms.watch import Watcher


def star2(game: Game, state: State, depth: int, alpha: Number, beta: Number, watch: Watcher) -> Number:
    """Return the expected score, or a bound of it outside the window (fail-soft)."""
    watch.enter(state, depth, alpha, beta)
    if depth == 0 or game.is_terminal(state):
        return float(leaf(game, state, depth, watch))
    player = game.to_move(state)
    if player == CHANCE:
        best = probed_average(game, state, depth, alpha, beta, watch)
    elif player == MAX:
        best = -infinity(game)
        for move in game.moves(state):
            value = star2(game, game.play(state, move), depth - 1, alpha, beta, watch)
            best = max(best, value)
            if value > alpha:
                alpha = value
                watch.update(state, depth, move, value, alpha, beta)
                if alpha >= beta:
                    watch.cut(state, depth, move, alpha, beta)
                    break
    else:
        best = infinity(game)
        for move in game.moves(state):
            value = star2(game, game.play(state, move), depth - 1, alpha, beta, watch)
            best = min(best, value)
            if value < beta:
                beta = value
                watch.update(state, depth, move, value, alpha, beta)
                if alpha >= beta:
                    watch.cut(state, depth, move, alpha, beta)
                    break
    watch.leave(state, depth, best)
    return best


def probed_average(game: Game, state: State, depth: int, alpha: Number, beta: Number, watch: Watcher) -> Number:
    """Return the value of a chance node: probe all outcomes, then search them in full."""
    low, high = extremes(game, state)
    margin = slack(low, high)
    floors, ceilings, chances = [0.0], [0.0], [0.0]  # by outcome, from 1: the bounds of its value, its probability
    least, most, unseen = 0.0, 0.0, certainty(game, state)
    for move in game.moves(state):
        child, probability = game.play(state, move), game.probability(state, move)
        unseen -= probability
        floor, ceiling = extremes(game, child)
        floor, ceiling = between(low, floor, high), between(low, ceiling, high)
        if depth > 1 and is_bounded(margin) and not game.is_terminal(child) and game.to_move(child) != CHANCE:
            if game.to_move(child) == MAX:
                enough = between(floor, needed(beta, least, part(unseen, low), 2 * margin, probability), ceiling)
                watch.probe(state, depth, move, floor, enough)
                floor = max(floor, probe(game, child, depth - 1, floor, enough, watch))
            else:
                hopeless = between(floor, needed(alpha, most, part(unseen, high), -2 * margin, probability), ceiling)
                watch.probe(state, depth, move, hopeless, ceiling)
                ceiling = min(ceiling, probe(game, child, depth - 1, hopeless, ceiling, watch))
        least, most = least + part(probability, floor), most + part(probability, ceiling)
        lowest, highest = least + part(unseen, low) - margin, most + part(unseen, high) + margin
        watch.bound(state, depth, move, lowest, highest)
        if lowest >= beta or highest <= alpha:
            watch.cut(state, depth, move, alpha, beta)
            return lowest if lowest >= beta else highest
        floors.append(floor)
        ceilings.append(ceiling)
        chances.append(probability)

    lows, highs = [0.0] * len(chances), [0.0] * len(chances)  # what the outcomes after this one add, at least, at most
    for i in range(len(chances) - 1, 0, -1):
        lows[i - 1] = lows[i] + part(chances[i], floors[i])
        highs[i - 1] = highs[i] + part(chances[i], ceilings[i])
    total = 0.0
    for i, move in enumerate(game.moves(state), 1):
        child_alpha = between(floors[i], needed(alpha, total, highs[i], -2 * margin, chances[i]), ceilings[i])
        child_beta = between(floors[i], needed(beta, total, lows[i], 2 * margin, chances[i]), ceilings[i])
        value = star2(game, game.play(state, move), depth - 1, child_alpha, child_beta, watch)
        total += chances[i] * value
        lowest, highest = total + lows[i] - margin, total + highs[i] + margin
        watch.weigh(state, depth, move, value, lowest, highest)
        if lowest >= beta or highest <= alpha:
            watch.cut(state, depth, move, alpha, beta)
            return lowest if lowest >= beta else highest
    return total


def probe(game: Game, state: State, depth: int, alpha: Number, beta: Number, watch: Watcher) -> Number:
    """Return the value of the first move: at most that of ``state`` if MAX moves there, at least that if MIN does."""
    watch.enter(state, depth, alpha, beta)
    value = alpha
    for move in game.moves(state):
        value = star2(game, game.play(state, move), depth - 1, alpha, beta, watch)
        break
    watch.leave(state, depth, value)
    return value
