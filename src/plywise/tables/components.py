"""The graph of positions, and its strongly connected components: the sets of positions that lead to one another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Graph(NamedTuple):
    """The graph of all positions."""

    order: np.ndarray
    """The positions, by component."""
    places: np.ndarray
    """Where each position is in ``order``; empty without dice."""
    starts: np.ndarray
    """Where the successors of each position begin in ``after``."""
    after: np.ndarray
    """The successors."""
    chances: np.ndarray
    """Their probabilities where chance moves."""
    players: np.ndarray
    """Who is to move in each position."""


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
