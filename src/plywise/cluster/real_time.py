"""The searches of the simulation on real workers: how long they take there shows how far the simulation can be trusted.

The coordinator and the searches are those of ``plywise.cluster.simulation``.  Time is real: messages travel between
processes, and a position takes as long as plain Python needs for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from plywise.cluster.bench import Desk, Kit
from plywise.cluster.coordinator import Coordinator
from plywise.cluster.executor import Executor, Job
from plywise.cluster.simulation import SimulatedDesk, Steps, World, simulated_lead, simulated_piece
from plywise.cluster.tools import NOTE_SECONDS, NOTES
from plywise.game import Game, State

LOOK_POSITIONS = 20
"""How many positions a worker visits before it looks whether it was told something."""


def solve_in_real_time(
    executor: Executor | None, game: Game, start: State, guess: Any, notable: int
) -> tuple[Any, float, int]:
    """Return the value of a position for the player to move, the seconds that it took, and the positions visited.

    Args:
        executor: who solves it; None: this thread alone, without messages.
        game: whose rules to follow; importable where the workers are.
        start: the position.
        guess: of the value.
        notable: workers tell each other results that took at least this many positions.
    """
    begun = time.perf_counter()
    lead = (simulated_lead, notable, game, start, guess)
    if executor is None:
        alone = Desk(lambda message: None)
        alone.tools = {}
        value, nodes = _in_real_time(alone, *lead)
        return value, time.perf_counter() - begun, nodes
    kit = Kit(game, _empty_table)
    coordinator = Coordinator(
        executor, game, start, Job(kit, _in_real_time, lead),
        lambda node: Job(kit, _piece, (notable, game, start, node.path, node.goal, node.depth)),
    )  # fmt: skip
    try:
        value, nodes = coordinator.run()
    finally:
        executor.release(kit)
    return value, time.perf_counter() - begun, nodes + coordinator.nodes


def _empty_table(game: Game, share: float) -> dict[Any, Any]:
    return {}


def _piece(desk: Desk, notable: int, *arguments: Any) -> Any:
    """Answer a question: the job of a helper."""
    answer, _ = _in_real_time(desk, simulated_piece, notable, *arguments)
    return answer


def _in_real_time(desk: Desk, search: Callable[..., Steps], notable: int, *arguments: Any) -> tuple[Any, int]:
    """Do a search of the simulation; return what it returns, and how many positions it visited.

    Raises:
        Stopped: the result is no longer wanted.
    """
    seen = SimulatedDesk(World(1, 1.0, LOOK_POSITIONS, notable=notable), desk.report, desk.tools)
    steps, noted_at = search(seen, *arguments), time.monotonic()

    def stop() -> None:
        seen.stopped = True

    with desk.heeding(stop, seen.hear):
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value, seen.nodes
            if seen.noted and time.monotonic() - noted_at >= NOTE_SECONDS:
                desk.report((NOTES, seen.noted, seen.nodes))
                seen.noted, noted_at = [], time.monotonic()
