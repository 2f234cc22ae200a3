"""Which successor a player chooses: by value, and among equals by the distance to the end."""

from __future__ import annotations

import numpy as np

from plywise.compiling.native import inlined
from plywise.game import MAX

ENDLESS = -1
"""The distance to the end if there is none, or if it depends on chance."""


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


@inlined
def best_edge(node: int, starts: np.ndarray, after: np.ndarray, player: int, values: np.ndarray) -> int:
    """Return the first edge to a successor of the best value."""
    best = starts[node]
    most = values[after[best]]
    for edge in range(starts[node] + 1, starts[node + 1]):
        value = values[after[edge]]
        if value > most if player == MAX else value < most:
            best, most = edge, value
    return best  # type: ignore[no-any-return]
