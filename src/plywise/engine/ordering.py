"""Move ordering: the table move first, then by the game's own order, then noisy moves by their gain, then killers, the
countermove, and quiet moves by their history.
"""

from __future__ import annotations

from typing import NamedTuple

from plywise.compiling.atomic import load
from plywise.compiling.native import inlined
from plywise.engine.node import Node, Search
from plywise.engine.plan import Plan
from plywise.engine.sharing import is_searched, mark_of, shares
from plywise.engine.work import CHOSEN, HISTORIES, HISTORY_LIMIT, PAIR, TRAITS, Work, nudged
from plywise.game import Game, Move, State, same_side, sign

MOST_ORDER = 1 << 29
"""A game's own order is clipped to this."""

NOISY_WORTH, LOSING_WORTH = 1 << 30, 1 << 32
"""The bonus that puts noisy moves before quiet ones, and the penalty that puts losing ones behind them."""

FIRST_OF_ALL = 1 << 62
"""The worth of the table move."""

PUT_OFF = 1 << 62
"""A move that another thread is searching is worth less than minus this, which puts it behind all others.  The rest of
its worth says how many moves were better and whether it loses material, so that it is reduced as in one thread."""


class Trial(NamedTuple):
    """A move about to be searched."""

    move: Move
    trait: int
    child: State
    """The position after it."""
    turn: int
    """1 if the same player moves again, else -1."""
    number: int
    """How many moves were searched or pruned before it."""
    quiet: bool
    losing: bool
    """Whether it is noisy and loses material."""
    gives_check: bool


@inlined
def generate(search: Search, node: Node) -> int:
    """Put the moves to search on the stack; returns the first free place after them."""
    game, plan, _, work = search
    if node.frame.ply == 0 and work.count[CHOSEN] > 0:
        return work.collect_chosen(node.frame.top)
    return collect(game, node.state, plan, work, node.frame.top)


@inlined
def collect(game: Game, state: State, plan: Plan, work: Work, top: int) -> int:
    """Put all moves, or only the candidates, on the stack; returns the first free place after them."""
    if plan.knowledge:
        return work.collect(game, state, top)
    end = top
    for move in game.moves(state):
        end = work.push(end, move)
    return end


@inlined
def weigh(search: Search, node: Node, end: int) -> None:
    """Compute the worth of the moves on the stack."""
    game, plan, _, work = search
    state, player, ply = node.state, node.player, node.frame.ply
    for place in range(node.frame.top, end, PAIR):
        move = work.stack[place + 1]
        gain = game.gain(state, move)
        worth = max(-MOST_ORDER, min(MOST_ORDER, game.order(state, move))) << 32
        if gain != 0:
            worth += NOISY_WORTH + gain if gain > 0 else gain - NOISY_WORTH
            if plan.killers:
                worth += work.noisy_history(player, game.trait(state, move))
        elif plan.killers:
            worth += work.quiet_worth(player, ply, node.frame.previous, move, game.trait(state, move))
        if plan.by_evaluation and node.depth > 1:
            worth += promise(game, game.play(state, move), player)
        work.stack[place] = FIRST_OF_ALL if move == node.first else worth


@inlined
def promise(game: Game, child: State, player: int) -> int:
    """Return the evaluation after a move, for the player who made it, scaled to be added to the move's worth."""
    value = game.score(child) if game.is_terminal(child) else game.evaluate(child)
    return int(max(-1e6, min(1e6, sign(player) * value * 64))) << 24


@inlined
def next_trial(search: Search, node: Node, place: int, end: int) -> Trial:
    """Put the best remaining move at ``place`` and return it; noisy moves that lose material go last, and behind them
    moves that another thread is searching.
    """
    game, plan, _, work = search
    state, number = node.state, (place - node.frame.top) // PAIR
    shared = number > 0 and shares(search, node)
    if shared:
        number += count_put_off(work, place, end)
    while True:
        move = work.pick(place, end)
        gain, worth = game.gain(state, move), work.stack[place]
        if worth <= -PUT_OFF:  # only such moves are left
            number, losing = (-worth - PUT_OFF) >> 1, (-worth - PUT_OFF) & 1 == 1
            break
        losing = worth < -NOISY_WORTH
        promising = gain != 0 and NOISY_WORTH // 2 < worth < FIRST_OF_ALL
        if plan.exchanges and promising and not game.wins_at_least(state, move, 0):
            work.stack[place] = gain - LOSING_WORTH
        elif shared and is_searched(work, mark_of(node, move)):
            work.stack[place] = -(PUT_OFF + 2 * number + losing)
            number += 1
        else:
            break
    child = game.play(state, move)
    turn = 1 if same_side(game.to_move(child), node.player) else -1
    gives_check = plan.extensions and game.extension(child) > 0
    return Trial(move, game.trait(state, move), child, turn, number, gain == 0, losing, gives_check)


@inlined
def count_put_off(work: Work, place: int, end: int) -> int:
    """Return how many of the moves from ``place`` to ``end`` were put off."""
    count = 0
    for other in range(place, end, PAIR):
        if load(work.stack, other) <= -PUT_OFF:
            count += 1
    return count


@inlined
def learn(search: Search, node: Node, place: int) -> None:
    """Update killers and histories: the move at ``place`` caused a cutoff, those before it did not."""
    game, plan, _, work = search
    if not plan.killers:
        return
    state, player, frame, move = node.state, node.player, node.frame, work.stack[place + 1]
    quiet = game.gain(state, move) == 0
    if quiet:
        work.add_killer(frame.ply, move)
        work.countermoves[player, frame.previous % HISTORIES] = move
    most = min(HISTORY_LIMIT // 8, 16 * node.depth * node.depth + 128 * node.depth)
    for each in range(frame.top, place + PAIR, PAIR):
        other, bonus = work.stack[each + 1], most if each == place else -most
        trait = game.trait(state, other)
        if game.gain(state, other) != 0:
            work.noisy[player, trait % TRAITS] = nudged(work.noisy[player, trait % TRAITS], bonus)
        elif quiet:
            work.reward(player, frame.ply, other, trait, bonus)
