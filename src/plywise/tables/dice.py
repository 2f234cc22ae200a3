"""Positions that lead to one another with dice on the way: values between two bounds, and moves that reach them.

A lower bound of each value starts at the lowest score and rises, an upper bound starts at the highest and falls, as
positions look at their successors (interval iteration, Haddad and Monmege 2014).  Both stay bounds, and where they meet
is the value.  What is left between them adds up from component to component, so each may use a part of the tolerance.

The move of a position is the one that last raised the lower bound of Max, or lowered the upper bound of Min.  It makes
progress: were a game to go around forever among positions whose bound is better than the rest, take the one of them
that got its bound first.  Its successors among them had theirs by then, and so came before the first.

Bounds do not meet where players can wait: the upper bound hopes that waiting leads to the best score, the lower one
fears the worst.  ``traps`` corrects both.  If Min commits to some moves, and if Max can then keep the game forever
within a set of positions, Max gets no more there than the rest or the best way out (an end component; Kelmendi,
Kraemer, Kretinsky and Weininger 2018).  That is true whatever Min commits to, so the bounds remain bounds.  It helps if
the moves are good ones: each player commits to those that seem best by the bound of the other.
"""

from __future__ import annotations

import numpy as np

from plywise.compiling.native import apart, inlined
from plywise.game import MAX, MIN
from plywise.layers import CHANCE
from plywise.tables.choosing import best_edge
from plywise.tables.components import Graph, components

FINE = 1e-3
"""The share of the tolerance that a component may use: a game can lead through a thousand of them."""

STALLED = 1e-4
"""Bounds that change by less than this share of the tolerance will not meet."""

MOST_SWEEPS = 1_000_000
"""So many sweeps over a component are enough."""

MOST_ROUNDS = 100
"""So often traps are looked for, each time with better bounds; a few times are enough."""


def solve_dice(
    graph: Graph, first: int, last: int, rest: float, values: np.ndarray, upper: np.ndarray, choices: np.ndarray,
    errors: np.ndarray, limits: np.ndarray,
) -> bool:  # fmt: skip
    """Write the values of a component with dice, to within the tolerance, and the moves that reach them.

    It is compiled apart from ``solve``, so that games without dice need not wait for it.

    Args:
        graph: all positions.
        first: where the component begins in ``graph.order``.
        last: where it ends.
        rest: what a game is worth that never ends.
        values: receives the values; has those of the components before.
        upper: the same for the upper bounds.
        choices: receives the chosen move of each position, as a number from 0 on.
        errors: receives how far each value may be from the exact one; has those of the components before.
        limits: the lowest and the highest value, and the tolerance.

    Returns:
        Whether the values were found.
    """
    traps = np.full((2, last - first), -1, dtype=np.int32)
    for place in range(first, last):
        node = graph.order[place]
        values[node], upper[node], choices[node] = min(limits[0], rest), max(limits[1], rest), 0
    rounds = 0
    for _ in range(MOST_SWEEPS):
        gap, moved = _sweep(graph, first, last, values, upper, choices)
        if gap <= FINE * limits[2]:
            break
        moved = max(moved, _correct(graph, first, last, MAX, rest, values, choices, traps[MAX]))
        moved = max(moved, _correct(graph, first, last, MIN, rest, upper, choices, traps[MIN]))
        if moved <= STALLED * limits[2]:
            if gap <= limits[2] or rounds == MOST_ROUNDS:
                break
            rounds += 1
            _find_traps(graph, first, last, MAX, upper, limits[2], traps[MAX])
            _find_traps(graph, first, last, MIN, values, limits[2], traps[MIN])
    for place in range(first, last):
        node = graph.order[place]
        values[node] = upper[node] = (values[node] + upper[node]) / 2
    add_error(graph, first, last, max(0.0, gap / 2), errors)
    return bool(errors[graph.order[first]] <= limits[2])


def add_error(graph: Graph, first: int, last: int, error: float, errors: np.ndarray) -> None:
    """Write the error of a component: its own, and at most that of the positions which it leads to."""
    most = 0.0
    for place in range(first, last):
        errors[graph.order[place]] = 0.0
    for place in range(first, last):
        node = graph.order[place]
        for edge in range(graph.starts[node], graph.starts[node + 1]):
            most = max(most, errors[graph.after[edge]])
    for place in range(first, last):
        errors[graph.order[place]] = most + error


@inlined
def average(node: int, graph: Graph, values: np.ndarray) -> float:
    """Return the average of the successors' values: without any rounding if they are equal."""
    base = values[graph.after[graph.starts[node]]]
    total = 0.0
    for edge in range(graph.starts[node] + 1, graph.starts[node + 1]):
        total += graph.chances[edge] * (values[graph.after[edge]] - base)
    return base + total  # type: ignore[no-any-return]


def _sweep(
    graph: Graph, first: int, last: int, values: np.ndarray, upper: np.ndarray, choices: np.ndarray
) -> tuple[float, float]:
    """Look at the successors of every position; return how far apart the bounds are, and how far they moved."""
    gap = moved = 0.0
    for place in range(first, last):
        node = graph.order[place]
        player, low, high = graph.players[node], values[node], upper[node]
        if player == CHANCE:
            low, high = max(low, average(node, graph, values)), min(high, average(node, graph, upper))
        else:
            by_low = best_edge(node, graph.starts, graph.after, player, values)
            by_high = best_edge(node, graph.starts, graph.after, player, upper)
            low, high = max(low, values[graph.after[by_low]]), min(high, upper[graph.after[by_high]])
            if player == MAX and low > values[node]:
                choices[node] = by_low - graph.starts[node]
            if player == MIN and high < upper[node]:
                choices[node] = by_high - graph.starts[node]
        moved = max(moved, max(low - values[node], upper[node] - high))
        gap = max(gap, high - low)
        values[node], upper[node] = low, high
    return gap, moved


def _correct(
    graph: Graph, first: int, last: int, player: int, rest: float, bound: np.ndarray, choices: np.ndarray,
    traps: np.ndarray,
) -> float:  # fmt: skip
    """Correct the bound of ``player`` where the other can only wait or leave; return how far it moved."""
    outlooks = np.full(traps.max() + 1, rest)
    for i in range(last - first):
        node = graph.order[first + i]
        if traps[i] >= 0 and graph.players[node] == 1 - player:
            for edge in range(graph.starts[node], graph.starts[node + 1]):
                next_ = graph.after[edge]
                if _trap_of(next_, graph, first, last, traps) != traps[i]:
                    outlook = outlooks[traps[i]]
                    outlooks[traps[i]] = min(outlook, bound[next_]) if player == MAX else max(outlook, bound[next_])
    moved = 0.0
    for i in range(last - first):
        node = graph.order[first + i]
        if traps[i] >= 0:
            outlook = outlooks[traps[i]]
            if outlook > bound[node] if player == MAX else outlook < bound[node]:
                moved = max(moved, abs(outlook - bound[node]))
                bound[node] = outlook
                if graph.players[node] == player:
                    choices[node] = _edge_within(node, graph, first, last, traps) - graph.starts[node]
    return moved


def _trap_of(node: int, graph: Graph, first: int, last: int, traps: np.ndarray) -> int:
    """Return the trap that a position is in, or -1."""
    place = graph.places[node]
    return traps[place - first] if first <= place < last else -1


def _edge_within(node: int, graph: Graph, first: int, last: int, traps: np.ndarray) -> int:
    """Return the first edge from a position of a trap that stays in it."""
    here = _trap_of(node, graph, first, last, traps)
    for edge in range(graph.starts[node], graph.starts[node + 1]):
        if _trap_of(graph.after[edge], graph, first, last, traps) == here:
            return edge
    return graph.starts[node]  # type: ignore[no-any-return]  # there is always one


# ---------------------------------------------------------------------------------------------------------------------
# Traps
# ---------------------------------------------------------------------------------------------------------------------


@apart
def _find_traps(
    graph: Graph, first: int, last: int, player: int, guesses: np.ndarray, slack: float, traps: np.ndarray
) -> None:
    """Find the largest sets of positions in which a game can stay if ``player`` only makes moves that seem best.

    ``traps`` receives the number of the set that each position is in, or -1.

    They are the strongly connected sets that the dice cannot leave.  Find those without regard to the dice, drop the
    positions from which dice lead out, and the players who then have no move; look again, until nothing is dropped.
    """
    count = last - first
    traps[:] = 0
    starts = np.zeros(count + 1, dtype=np.int64)
    order, bounds = np.empty(count, dtype=np.int32), np.empty(count + 1, dtype=np.int64)
    total = graph.starts[graph.order[first:last] + 1].sum() - graph.starts[graph.order[first:last]].sum()
    after = np.empty(total, dtype=np.int32)
    dropped = True
    while dropped:
        edges = 0
        for i in range(count):
            node = graph.order[first + i]
            if traps[i] >= 0:
                for edge in range(graph.starts[node], graph.starts[node + 1]):
                    next_ = graph.after[edge]
                    if _is_made(node, edge, graph, player, guesses, slack) and (
                        _trap_of(next_, graph, first, last, traps) == traps[i]
                    ):
                        after[edges] = graph.places[next_] - first
                        edges += 1
            starts[i + 1] = edges
        found = components(starts, after[:edges], order, bounds)
        for component in range(found):
            for place in range(bounds[component], bounds[component + 1]):
                if traps[order[place]] >= 0:
                    traps[order[place]] = component
        dropped = False
        for i in range(count):
            if traps[i] >= 0 and not _can_stay(first + i, graph, first, last, player, guesses, slack, traps):
                traps[i] = -1
                dropped = True


def _is_made(node: int, edge: int, graph: Graph, player: int, guesses: np.ndarray, slack: float) -> bool:
    """Return whether a move may be made: not if it seems worse than another of ``player``, or impossible."""
    if graph.players[node] == CHANCE:
        return bool(graph.chances[edge] > 0)
    if graph.players[node] != player:
        return True
    best = graph.after[best_edge(node, graph.starts, graph.after, player, guesses)]
    return bool(abs(guesses[graph.after[edge]] - guesses[best]) <= slack)


def _can_stay(
    place: int, graph: Graph, first: int, last: int, player: int, guesses: np.ndarray, slack: float, traps: np.ndarray
) -> bool:
    """Return whether the game can stay in the trap of a position, or with dice, whether it must."""
    node, here = graph.order[place], traps[place - first]
    dice = bool(graph.players[node] == CHANCE)
    for edge in range(graph.starts[node], graph.starts[node + 1]):
        if _is_made(node, edge, graph, player, guesses, slack):
            stays = bool(_trap_of(graph.after[edge], graph, first, last, traps) == here)
            if stays != dice:
                return stays
    return dice
