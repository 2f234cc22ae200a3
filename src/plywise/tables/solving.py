"""The values of all positions, and the distances to the end.

A value is the score for Max with best play by both sides; where chance moves, the average.  A game that never ends is
worth what ``Recurrence.repetition`` says, usually a draw; call that the *rest*.

The distance is the number of plies to the end.  A side whose value is better than the rest hurries, the other delays;
where the value is the rest, both delay.  So a distance is unlimited (ENDLESS) if the game never ends, or if chance has
a part in it.

Without cycles one look at the successors of a position is enough (backward induction, Zermelo 1913).  With cycles it is
for those positions that lie on none: Tarjan (1972) finds the strongly connected components of the graph of positions,
each after those that it leads to.  Within a component everything starts as the rest, and positions look at their
successors until nothing changes (retrograde analysis, Stroehlein 1970; here it also works for more than two values: a
value above the rest can only rise, as it stands for what Max can force in ever more plies, and one below can only
fall).  ``dice`` is about dice on cycles.
"""

from __future__ import annotations

import numpy as np

from plywise.compiling.native import apart, inlined
from plywise.layers import CHANCE
from plywise.tables.choosing import ENDLESS, best_edge, hurries, prefers
from plywise.tables.components import Graph
from plywise.tables.dice import add_error
from plywise.tables.expansion import OVER

SOLVED, VARIES, ROLLS = 0, 1, 2
"""What ``solve`` returns: it is done, or came to a cycle on which the rest varies, or to one with dice on it."""

DONE, ON_CYCLES, WHERE, WITH_DICE = range(4)
"""What ``solve`` counts: components done and positions on cycles.  Then where the rest varies, and, counted by its
caller, positions on cycles with dice.
"""


# ---------------------------------------------------------------------------------------------------------------------
# A layer at a time
# ---------------------------------------------------------------------------------------------------------------------


def back_up(
    players: np.ndarray, ends: np.ndarray, scores: np.ndarray, rests: np.ndarray, chances: np.ndarray,
    after: np.ndarray, values_after: np.ndarray, distances_after: np.ndarray, values: np.ndarray, distances: np.ndarray,
) -> None:  # fmt: skip
    """Write the values and distances of positions whose successors have theirs."""
    begin = 0
    for node in range(len(players)):
        player, end = players[node], ends[node]
        if player == OVER:
            values[node], distances[node] = scores[node], 0
        elif player == CHANCE:
            total = 0.0
            for edge in range(begin, end):
                total += chances[edge] * values_after[after[edge]]
            values[node], distances[node] = total, ENDLESS
        else:
            best = after[begin]
            for edge in range(begin + 1, end):
                next_ = after[edge]
                if prefers(
                    player, values_after[next_], distances_after[next_],
                    values_after[best], distances_after[best], rests[node],
                ):  # fmt: skip
                    best = next_
            values[node] = values_after[best]
            distances[node] = ENDLESS if distances_after[best] == ENDLESS else distances_after[best] + 1
        begin = end


# ---------------------------------------------------------------------------------------------------------------------
# The graph of all positions
# ---------------------------------------------------------------------------------------------------------------------


def solve(
    graph: Graph, bounds: np.ndarray, stop: int, rests: np.ndarray, values: np.ndarray, distances: np.ndarray,
    upper: np.ndarray, choices: np.ndarray, errors: np.ndarray, counts: np.ndarray,
) -> int:  # fmt: skip
    """Write the values and distances of the positions of some components, up to one with dice.

    Args:
        graph: all positions.
        bounds: where the components begin in ``graph.order``, and where the last one ends.
        stop: the last component to solve, plus one; the first is ``counts[DONE]``.
        rests: what a game is worth that never ends.
        values: the scores of finished games, and the values of the components before; receives the values.
        distances: receives the distances.
        upper: with dice, receives the values as well; empty without.
        choices: with dice, receives the chosen move of each position, as a number from 0 on; empty without.
        errors: with dice, receives how far each value may be from the exact one; empty without.
        counts: see above.

    Returns:
        SOLVED, VARIES or ROLLS.
    """
    order, players = graph.order, graph.players
    while counts[DONE] < stop:
        first, last = bounds[counts[DONE]], bounds[counts[DONE] + 1]
        node = order[first]
        if players[node] == OVER:
            distances[node] = 0
        elif last == first + 1 and not _leads_to_itself(node, graph.starts, graph.after):
            _look_ahead(node, graph, rests[node], values, distances, choices)
        else:
            rolls = False
            for place in range(first, last):
                rolls = rolls or players[order[place]] == CHANCE
                distances[order[place]] = ENDLESS
                if rests[order[place]] != rests[node]:
                    counts[WHERE] = order[place]
                    return VARIES
            if rolls:
                return ROLLS
            counts[ON_CYCLES] += last - first
            _solve_cycles(graph, first, last, rests[node], values, choices)
            _find_distances(graph, first, last, rests[node], values, distances)
            if len(choices) > 0:
                _choose(graph, first, last, rests[node], values, distances, choices)
        if len(upper) > 0:
            for place in range(first, last):
                upper[order[place]] = values[order[place]]
            add_error(graph, first, last, 0.0, errors)
        counts[DONE] += 1
    return SOLVED


@inlined
def _leads_to_itself(node: int, starts: np.ndarray, after: np.ndarray) -> bool:
    return any(after[edge] == node for edge in range(starts[node], starts[node + 1]))


@inlined
def _look_ahead(
    node: int, graph: Graph, rest: float, values: np.ndarray, distances: np.ndarray, choices: np.ndarray
) -> None:
    """Write the value and the distance of a position whose successors have theirs."""
    if graph.players[node] == CHANCE:
        total = 0.0
        for edge in range(graph.starts[node], graph.starts[node + 1]):
            total += graph.chances[edge] * values[graph.after[edge]]
        values[node], distances[node] = total, ENDLESS
        return
    edge = _preferred(node, graph, rest, values, distances)
    best = graph.after[edge]
    values[node] = values[best]
    distances[node] = ENDLESS if distances[best] == ENDLESS else distances[best] + 1
    if len(choices) > 0:
        choices[node] = edge - graph.starts[node]


@inlined
def _preferred(node: int, graph: Graph, rest: float, values: np.ndarray, distances: np.ndarray) -> int:
    """Return the edge to the successor that the player prefers."""
    chosen = graph.starts[node]
    for edge in range(graph.starts[node] + 1, graph.starts[node + 1]):
        next_, best = graph.after[edge], graph.after[chosen]
        if prefers(graph.players[node], values[next_], distances[next_], values[best], distances[best], rest):
            chosen = edge
    return chosen  # type: ignore[no-any-return]


@apart
def _solve_cycles(graph: Graph, first: int, last: int, rest: float, values: np.ndarray, choices: np.ndarray) -> None:
    """Write the values of a component without dice: sweep over it, there and back, until nothing changes.

    If ``choices`` has room, keep the move that last changed the value: it makes progress, as ``dice`` says.
    """
    for place in range(first, last):
        values[graph.order[place]] = rest
    changed = True
    while changed:
        changed = False
        for i in range(2 * (last - first)):
            node = graph.order[first + i] if i < last - first else graph.order[2 * last - first - 1 - i]
            edge = best_edge(node, graph.starts, graph.after, graph.players[node], values)
            value = values[graph.after[edge]]
            if value != values[node]:
                values[node] = value
                changed = True
                if len(choices) > 0:
                    choices[node] = edge - graph.starts[node]


@apart
def _find_distances(
    graph: Graph, first: int, last: int, rest: float, values: np.ndarray, distances: np.ndarray
) -> None:
    """Write the distances in a component whose values are known.

    In round n the distances of n plies are found.  Only moves that keep the value count.  Who hurries needs one
    successor with a distance; who delays has a distance once all successors have one.  Without dice every position
    whose value is not the rest gets one: otherwise the side that delays could stay among those without, and the value
    would be the rest.
    """
    starts, after = graph.starts, graph.after
    open_ = graph.order[first:last].copy()
    count = last - first
    plies, longest = 0, 0
    for place in range(count):
        for edge in range(starts[open_[place]], starts[open_[place] + 1]):
            longest = max(longest, distances[after[edge]])
    while count > 0:
        plies += 1
        left = 0
        for place in range(count):
            node = open_[place]
            hurry = hurries(graph.players[node], values[node], rest)
            known = not hurry
            for edge in range(starts[node], starts[node + 1]):
                next_ = after[edge]
                if values[next_] == values[node] and (0 <= distances[next_] < plies) == hurry:
                    known = hurry
                    break
            if known:
                distances[node] = plies
                longest = max(longest, plies)
            else:
                open_[left] = node
                left += 1
        if left == count and plies > longest:
            break  # nobody will make these positions end
        count = left


@apart
def _choose(
    graph: Graph, first: int, last: int, rest: float, values: np.ndarray, distances: np.ndarray, choices: np.ndarray
) -> None:
    """Write the moves of a component without dice that leads to dice.

    Who hurries, and does not know how far it is because of the dice, makes the move that last changed the value.
    """
    for place in range(first, last):
        node = graph.order[place]
        if distances[node] != ENDLESS or not hurries(graph.players[node], values[node], rest):
            choices[node] = _preferred(node, graph, rest, values, distances) - graph.starts[node]
