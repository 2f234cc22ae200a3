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
fall).  How dice are dealt with is said at ``_solve_dice``.
"""

from __future__ import annotations

import numpy as np

from plywise.compiling.native import apart, inlined
from plywise.game import MAX
from plywise.layers import CHANCE
from plywise.tables.expansion import OVER

ENDLESS = -1
"""The distance to the end if there is none, or if it depends on chance."""

SOLVED, VARIES, UNSETTLED = 0, 1, 2
"""What ``solve`` returns: whether it is done, found a cycle on which the rest is not the same everywhere, or did not
find the values where dice are on a cycle.
"""

STALLED = 1e-4
"""Bounds that change by less than this share of the tolerance will not meet."""

DISCOUNTS = (1e-1, 1e-2, 1e-3, 1e-4)
"""How much nearer to the rest a value is after each ply, in the last resort of ``_solve_dice``."""

MOST_SWEEPS = 1_000_000
"""So many sweeps over a component are enough."""


@inlined
def longer(distance: int, other: int) -> bool:
    """Return whether a distance is longer than another."""
    return other != ENDLESS and (distance == ENDLESS or distance > other)


@inlined
def hurries(player: int, value: float, rest: float) -> bool:
    """Return whether a player wants the game to end soon."""
    return value > rest if player == MAX else value < rest


@inlined
def prefers(player: int, value: float, distance: int, best: float, best_distance: int, rest: float) -> bool:
    """Return whether a player prefers a successor with this value and distance to the best one so far."""
    if value != best:
        return value > best if player == MAX else value < best
    if hurries(player, value, rest):
        return longer(best_distance, distance)
    return longer(distance, best_distance)


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


def components(starts: np.ndarray, after: np.ndarray, order: np.ndarray, bounds: np.ndarray) -> int:
    """Find the strongly connected components (Tarjan 1972), without recursion.

    Args:
        starts: where the successors of each position begin in ``after``; one more item than positions.
        after: the successors.
        order: receives all positions, those of one component side by side, after those that it leads to.
        bounds: receives where each component begins in ``order``; one more item than positions.

    Returns:
        The number of components.
    """
    count = len(starts) - 1
    visited = np.zeros(count, dtype=np.int32)  # when, from 1; 0: not yet
    low = np.zeros(count, dtype=np.int32)  # the earliest visited position that is reached; -1: its component is known
    edge = starts[:-1].copy()
    path = np.empty(count, dtype=np.int32)
    stack = np.empty(count, dtype=np.int32)
    clock = depth = height = placed = found = 0
    for root in range(count):
        if visited[root] != 0:
            continue
        node = root
        while True:
            if visited[node] == 0:
                clock += 1
                visited[node] = low[node] = clock
                path[depth], stack[height] = node, node
                depth, height = depth + 1, height + 1
            if edge[node] < starts[node + 1]:
                next_ = after[edge[node]]
                edge[node] += 1
                if visited[next_] == 0:
                    node = next_
                elif low[next_] != -1:
                    low[node] = min(low[node], visited[next_])
                continue
            depth -= 1
            lowest = low[node]
            if lowest == visited[node]:
                bounds[found] = placed
                found += 1
                while True:
                    height -= 1
                    member = stack[height]
                    order[placed], low[member] = member, -1
                    placed += 1
                    if member == node:
                        break
            if depth == 0:
                break
            node = path[depth - 1]
            low[node] = min(low[node], lowest)
    bounds[found] = placed
    return found


@inlined
def worth(
    node: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray, players: np.ndarray, values: np.ndarray
) -> float:
    """Return the value of a position by those of its successors."""
    player = players[node]
    if player == CHANCE:
        total = 0.0
        for edge in range(starts[node], starts[node + 1]):
            total += chances[edge] * values[after[edge]]
        return total
    best = values[after[starts[node]]]
    for edge in range(starts[node] + 1, starts[node + 1]):
        value = values[after[edge]]
        best = max(best, value) if player == MAX else min(best, value)
    return best  # type: ignore[no-any-return]


def solve(
    order: np.ndarray, bounds: np.ndarray, starts: np.ndarray, after: np.ndarray, chances: np.ndarray,
    players: np.ndarray, rests: np.ndarray, values: np.ndarray, distances: np.ndarray, other: np.ndarray,
    limits: np.ndarray, told: np.ndarray,
) -> int:  # fmt: skip
    """Write the values and distances of all positions.

    Args:
        order: the positions, by component.
        bounds: where the components begin in ``order``.
        starts: where the successors of each position begin in ``after``.
        after: the successors.
        chances: their probabilities where chance moves.
        players: who is to move in each position.
        rests: what a game is worth that never ends.
        values: the scores of finished games; receives the values of the others.
        distances: receives the distances.
        other: room for another value of each position, if chance moves somewhere.
        limits: the lowest and the highest value, and the tolerance.
        told: receives the number of positions on cycles, the number of sweeps, a position where the rest varies or the
            values were not found, and the number of components whose dice needed the last resort.

    Returns:
        SOLVED, VARIES or UNSETTLED.
    """
    for component in range(len(bounds) - 1):
        first, last = bounds[component], bounds[component + 1]
        node = order[first]
        if last == first + 1 and not _leads_to_itself(node, starts, after):
            if players[node] == OVER:
                distances[node] = 0
            else:
                _look_ahead(node, starts, after, chances, players, rests[node], values, distances)
            if len(other) > 0:
                other[node] = values[node]
            continue
        told[0] += last - first
        dice = False
        for place in range(first, last):
            dice = dice or players[order[place]] == CHANCE
            if rests[order[place]] != rests[node]:
                told[2] = order[place]
                return VARIES
        if dice:
            if not _solve_dice(order, first, last, starts, after, chances, players, rests[node], values, distances,
                               other, limits, told):  # fmt: skip
                told[2] = node
                return UNSETTLED
        else:
            _solve_cycles(order, first, last, starts, after, chances, players, rests[node], values, told)
            _find_distances(order, first, last, starts, after, players, rests[node], values, distances)
        if len(other) > 0:
            for place in range(first, last):
                other[order[place]] = values[order[place]]
    return SOLVED


@inlined
def _leads_to_itself(node: int, starts: np.ndarray, after: np.ndarray) -> bool:
    return any(after[edge] == node for edge in range(starts[node], starts[node + 1]))


@inlined
def _look_ahead(
    node: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray, players: np.ndarray, rest: float,
    values: np.ndarray, distances: np.ndarray,
) -> None:  # fmt: skip
    """Write the value and the distance of a position whose successors have theirs."""
    if players[node] == CHANCE:
        values[node] = worth(node, starts, after, chances, players, values)
        distances[node] = ENDLESS
        return
    best = after[starts[node]]
    for edge in range(starts[node] + 1, starts[node + 1]):
        next_ = after[edge]
        if prefers(players[node], values[next_], distances[next_], values[best], distances[best], rest):
            best = next_
    values[node] = values[best]
    distances[node] = ENDLESS if distances[best] == ENDLESS else distances[best] + 1


@apart
def _solve_cycles(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray,
    players: np.ndarray, rest: float, values: np.ndarray, told: np.ndarray,
) -> None:  # fmt: skip
    """Write the values of a component without dice: sweep over it, there and back, until nothing changes."""
    for place in range(first, last):
        values[order[place]] = rest
    changed = True
    while changed:
        changed = False
        for i in range(2 * (last - first)):
            node = order[first + i] if i < last - first else order[2 * last - first - 1 - i]
            value = worth(node, starts, after, chances, players, values)
            if value != values[node]:
                values[node] = value
                changed = True
        told[1] += 2


@apart
def _find_distances(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, players: np.ndarray, rest: float,
    values: np.ndarray, distances: np.ndarray,
) -> None:  # fmt: skip
    """Write the distances in a component whose values are known.

    In round n the distances of n plies are found.  Only moves that keep the value count.  Who hurries needs one
    successor with a distance; who delays has a distance once all successors have one.  Every position whose value is
    not the rest gets one: otherwise the side that delays could stay among those without, and the value would be the
    rest.
    """
    open_ = order[first:last].copy()
    count = last - first
    for place in range(count):
        distances[open_[place]] = ENDLESS
    plies, longest = 0, 0
    for place in range(count):
        for edge in range(starts[open_[place]], starts[open_[place] + 1]):
            longest = max(longest, distances[after[edge]])
    while count > 0:
        plies += 1
        left = 0
        for place in range(count):
            node = open_[place]
            hurry = hurries(players[node], values[node], rest)
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
def _solve_dice(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray,
    players: np.ndarray, rest: float, values: np.ndarray, distances: np.ndarray, other: np.ndarray, limits: np.ndarray,
    told: np.ndarray,
) -> bool:  # fmt: skip
    """Write the values of a component with dice, to within the tolerance; return whether they were found.

    Value iteration from below and from above, each from a bound that holds for all positions (interval iteration,
    Haddad and Monmege 2014): both stay bounds, and where they meet is the value.

    They do not meet if the players can go on forever and neither minds.  Then every ply brings the value a little
    nearer to the rest, so that waiting costs, and there is one solution (Shapley 1953).  As the discount becomes small,
    the moves that are best there are best without it (Blackwell 1962).  How small it must be depends on the game, so
    even the smallest discount here guarantees nothing.  Its moves are followed without a discount, from the rest on,
    and the values must at least agree with those of the successors.
    """
    tolerance = limits[2]
    for place in range(first, last):
        node = order[place]
        distances[node] = ENDLESS
        values[node], other[node] = min(limits[0], rest), max(limits[1], rest)
    for _ in range(MOST_SWEEPS):
        told[1] += 1
        gap = moved = 0.0
        for i in range(last - first):
            node = order[first + i]
            low = worth(node, starts, after, chances, players, values)
            high = worth(node, starts, after, chances, players, other)
            moved = max(moved, max(low - values[node], other[node] - high))
            gap = max(gap, high - low)
            values[node], other[node] = low, high
        if gap <= tolerance:
            _take_middle(order, first, last, values, other)
            return True
        if moved <= STALLED * tolerance:
            break
    told[3] += 1
    for place in range(first, last):
        values[order[place]] = rest
    choices = np.zeros(last - first, dtype=np.int64)
    for i in range(len(DISCOUNTS)):  # each starts from the values of the one before, which are near
        _discount(order, first, last, starts, after, chances, players, rest, values, DISCOUNTS[i], tolerance, told)
    _choose(order, first, last, starts, after, players, values, choices)
    _follow(order, first, last, starts, after, chances, players, rest, values, choices, tolerance, told)
    return _is_stable(order, first, last, starts, after, chances, players, values, 10 * tolerance)


def _take_middle(order: np.ndarray, first: int, last: int, values: np.ndarray, other: np.ndarray) -> None:
    for place in range(first, last):
        node = order[place]
        values[node] = (values[node] + other[node]) / 2


def _discount(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray,
    players: np.ndarray, rest: float, values: np.ndarray, discount: float, tolerance: float, told: np.ndarray,
) -> None:  # fmt: skip
    """Write the values of a component where each ply brings them nearer to the rest."""
    for _ in range(int(40 / discount)):
        told[1] += 1
        moved = 0.0
        for place in range(first, last):
            node = order[place]
            value = rest + (1 - discount) * (worth(node, starts, after, chances, players, values) - rest)
            moved = max(moved, abs(value - values[node]))
            values[node] = value
        if moved <= discount * tolerance:
            break


def _choose(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, players: np.ndarray,
    values: np.ndarray, choices: np.ndarray,
) -> None:  # fmt: skip
    """Write the successor that each player chooses; -1 where chance moves."""
    for place in range(first, last):
        node = order[place]
        choices[place - first] = -1
        if players[node] != CHANCE:
            best = after[starts[node]]
            for edge in range(starts[node] + 1, starts[node + 1]):
                value = values[after[edge]]
                if value > values[best] if players[node] == MAX else value < values[best]:
                    best = after[edge]
            choices[place - first] = best


def _follow(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray,
    players: np.ndarray, rest: float, values: np.ndarray, choices: np.ndarray, tolerance: float, told: np.ndarray,
) -> None:  # fmt: skip
    """Write what positions are worth if both players follow their choices."""
    for place in range(first, last):
        values[order[place]] = rest
    for _ in range(MOST_SWEEPS):
        told[1] += 1
        moved = 0.0
        for place in range(first, last):
            node, choice = order[place], choices[place - first]
            value = values[choice] if choice >= 0 else worth(node, starts, after, chances, players, values)
            moved = max(moved, abs(value - values[node]))
            values[node] = value
        if moved <= STALLED * tolerance:
            break


def _is_stable(
    order: np.ndarray, first: int, last: int, starts: np.ndarray, after: np.ndarray, chances: np.ndarray,
    players: np.ndarray, values: np.ndarray, tolerance: float,
) -> bool:  # fmt: skip
    """Return whether no player would choose otherwise."""
    for place in range(first, last):
        node = order[place]
        if abs(worth(node, starts, after, chances, players, values) - values[node]) > tolerance:
            return False
    return True
