"""Iterative deepening (Slate and Atkin 1977): one ply, two plies, three, until a limit says stop.

A deeper search costs several times a shallower one, so starting over is cheap; and whenever the clock stops the search,
the answer of the last depth that was finished is there.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from plywise.errors import Stopped
from plywise.result import Result

SearchTo = Callable[[int, "int | None", "float | None"], Result]
"""Searches to a depth, with a limit in nodes and a deadline; raises ``Stopped(nodes, leaves)``."""


def deepening(
    search_to: SearchTo, depth: int, seconds: float | None, nodes: int | None, on_info: Callable[[Result], None],
    enough: Callable[[Result], bool] = lambda result: False,
) -> Result:  # fmt: skip
    """Return the result of the deepest search that was finished within the limits.

    The first ply is searched whatever the limits, so that there is always a move.  A value that no deeper search can
    change ends the search early, and so does ``enough``, which is asked after every depth; Ctrl-C ends it
    like the clock.
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
    """Return a result with what all depths took; leaves only where they are counted."""
    counted = None if result.leaves is None else leaves
    return dataclasses.replace(result, nodes=nodes, leaves=counted, seconds=time.perf_counter() - start)
