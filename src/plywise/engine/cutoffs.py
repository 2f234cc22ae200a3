"""Cutoffs before any move is searched: the end of the game, a repetition, known bounds, the table.

The sequential and the parallel searches share these functions.
"""

from __future__ import annotations

from plywise.algorithms.common import infinity, span
from plywise.algorithms.memo_table import bound_within, settles
from plywise.compiling.native import inlined
from plywise.engine.distance import farther, nearer, winning
from plywise.engine.facts import note
from plywise.engine.node import Node, Search
from plywise.engine.plan import Plan
from plywise.engine.table import bound_of, depth_of, is_proven, packed, table_value
from plywise.engine.work import HORIZON, LOOP, NODES, NOTABLE, PAST, path_mark
from plywise.game import Move, Number, State, sign


@inlined
def game_over(search: Search, state: State, ply: int) -> tuple[bool, Number]:
    """Return whether the game ends here, by its rules or by a repetition, and the score for the player to move.

    In games with repetitions, also puts the position on the path.
    """
    game, plan, _, work = search
    player = game.to_move(state)
    over, score = False, infinity(game)
    if game.is_terminal(state):
        over, score = True, game.score(state)
    elif plan.loops:
        earlier = work.repeats(path_mark(game, state), ply, game.reversible(state))
        if earlier >= 0 and ply > 0:
            work.count[LOOP] = min(work.count[LOOP], earlier)
            over, score = True, game.repetition(state)
    return over, sign(player) * nearer(game, score, ply)


@inlined
def cutoff(search: Search, node: Node) -> tuple[int, bool, Number]:
    """Return the table entry, whether it or the game's bounds cause a cutoff, and the value if so."""
    if node.frame.is_singular:
        return 0, False, node.alpha
    cuts, value = bounds_cutoff(search, node)
    if cuts:
        return 0, True, value
    entry = search.table.find(node.key, node.salt)
    cuts, value = table_cutoff(search, node, entry)
    return entry, cuts, value


@inlined
def bounds_cutoff(search: Search, node: Node) -> tuple[bool, Number]:
    """Return whether one of the position's bounds lies outside a null window, and that bound."""
    game, plan, _, _ = search
    if node.pv:
        return False, node.alpha
    pair = game.proven_bounds(node.state) if plan.knowledge else game.bounds(node.state)
    low, high = span(game, pair, node.player)
    if plan.dice:  # where values are averaged, those of a game without ``evaluate`` must not count as won or lost
        low, high = min(low, 0), max(high, 0)
    ply = node.frame.ply + 1  # no win is nearer than a ply
    worst, ideal = nearer(game, low, ply), nearer(game, high, ply)
    if low < winning(game) and worst >= node.beta:
        return True, worst
    return high > -winning(game) and ideal <= node.alpha, ideal


@inlined
def table_cutoff(search: Search, node: Node, entry: int) -> tuple[bool, Number]:
    """Return whether the table entry settles a null window, and its value."""
    game, plan, _, work = search
    known = nearer(game, table_value(game, node.state, entry), node.frame.ply)
    if entry == 0 or node.pv or not serves(entry, node.depth, plan):
        return False, known
    cuts = settles(bound_of(entry), known, node.alpha, node.beta)
    if cuts and (not is_proven(entry) or (plan.loops and not plan.exact)):  # proven on another path, perhaps not here
        work.count[HORIZON] += 1
    return cuts, known


@inlined
def serves(entry: int, depth: int, plan: Plan) -> bool:
    """Return whether an entry's value can replace a search to this depth."""
    if plan.exact:  # a proof found by a deeper search may be out of reach at this depth
        return depth_of(entry) == depth or (is_proven(entry) and depth_of(entry) <= depth)
    return is_proven(entry) or depth_of(entry) >= depth


@inlined
def keep(search: Search, node: Node, value: Number, move: Move, proven: bool) -> None:
    """Store the value of a node in the table; note it for other machines if it has cost much."""
    game, plan, table, work = search
    bound = bound_within(value, node.alpha, node.beta)
    stored = farther(game, value, node.frame.ply)
    entry = packed(game, node.state, stored, bound, proven, node.depth, move)
    table.keep(node.key, node.salt, entry)
    if plan.exact and work.count[NODES] - node.begun >= work.count[NOTABLE]:
        note(node.key, node.salt, entry, work)


@inlined
def depends_on_path(search: Search, node: Node) -> bool:
    """Return whether this node's value depends on a repetition of a position before it."""
    _, plan, _, work = search
    loops = plan.loops and not plan.exact  # an exact search distinguishes paths by the salt
    return loops and work.count[LOOP] < work.count[PAST] + node.frame.ply
