"""Iterative deepening (Slate and Atkin 1977): one ply, two plies, three, until a limit says stop.

A deeper search costs several times a shallower one, so starting over is cheap; and when the clock stops the search, the
answer of the last finished depth is available.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from plywise.errors import Stopped
from plywise.result import Result

SearchTo = Callable[[int, "int | None", "float | None"], Result]
"""Searches to a depth, with a node limit and a deadline; raises ``Stopped(nodes, leaves)`` at either."""


def deepening(
    search_to: SearchTo, depth: int, seconds: float | None, nodes: int | None, on_info: Callable[[Result], None],
    enough: Callable[[Result], bool] = lambda result: False,
) -> Result:  # fmt: skip
    """Return the result of the deepest search that finished within the limits.

    Depth 1 ignores the limits, so that there is always a move.  The search ends early if the value is proven, or if
    ``enough``, called after every depth, returns True.  Ctrl-C stops it as the clock does.
    """
    start = time.perf_counter()
    best = search_to(1, None, None)
    on_info(best)
    deadline = None if seconds is None else start + seconds
    used_nodes, used_leaves = best.nodes, best.leaves or 0
    for ply in range(2, depth + 1):
        if best.proven or enough(best) or (nodes is not None and used_nodes >= nodes):
            break
        try:
            found = search_to(ply, None if nodes is None else nodes - used_nodes, deadline)
        except Stopped as stopped:
            used_nodes, used_leaves = used_nodes + stopped.nodes, used_leaves + stopped.leaves
            break
        except KeyboardInterrupt:
            best = dataclasses.replace(best, interrupted=True)
            break
        used_nodes, used_leaves = used_nodes + found.nodes, used_leaves + (found.leaves or 0)
        best = _with_all(found, used_nodes, used_leaves, start)
        on_info(best)
    return _with_all(best, used_nodes, used_leaves, start)


def _with_all(result: Result, nodes: int, leaves: int, start: float) -> Result:
    """Return a result with the totals of all depths; leaves only if they are counted."""
    counted = None if result.leaves is None else leaves
    return dataclasses.replace(result, nodes=nodes, leaves=counted, seconds=time.perf_counter() - start)
