"""Simulates how many workers would solve one position: ``python benchmarks/scaling.py``.

The coordinator and the trees are real: small boards of Connect Four, searched position by position.  Time is
simulated: a position takes as long as it must for the whole to take one worker ``SECONDS``, and a message takes
``DELAY``.

First the simulation is checked: real workers, one and two, do the same searches in plain Python.  The simulation gets
what a position takes in this process, and what a message takes.  The check needs two free cores.
Writes ``results/scaling.md`` and ``docs/images/scaling.svg``.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import time
from collections.abc import Iterator
from typing import Any

from cluster import no_tools, nothing
from engine import HERE, table
from plywise.cluster.addresses import connect
from plywise.cluster.bench import Kit
from plywise.cluster.executor import Executor, Job
from plywise.cluster.real_time import LOOK_POSITIONS, solve_in_real_time
from plywise.cluster.simulation import World, simulated_solve
from plywise.games import ConnectFour
from plywise.result import Result
from plywise.search import solve

BOARDS = {(6, 4): 1024, (6, 5): 64}
"""Each board, and the most workers: more do not fit into memory, because each has a table of its own."""
SECONDS = 600.0
DELAY = 0.002
NOTABLE_SECONDS = 0.001
"""A worker tells the others results that took at least this long: 4,096 positions at 4 million a second."""
WORKERS = [1, 2, 4, 8, 16, 64, 256, 1024]
CHECKED_BOARD = (6, 5)
TIMES = 3
"""How often each number of real workers solves the board; the median counts."""
Curve = list[tuple[int, float]]
"""Numbers of workers, and how many times as fast they are as one."""
RESULTS = HERE / "results" / "scaling.md"
PICTURE = HERE.parent / "docs" / "images" / "scaling.svg"


class Remembered(ConnectFour):
    """Connect Four, with its rules remembered: all simulations ask the same questions."""

    def candidates(self, state: Any) -> Iterator[int]:
        yield from _candidates(self, state)

    def proven_bounds(self, state: Any) -> tuple[Any, Any]:
        return _bounds(self, state)

    def play(self, state: Any, move: int) -> Any:
        return _play(self, state, move)

    def is_terminal(self, state: Any) -> bool:
        return _is_terminal(self, state)


@functools.cache
def _candidates(game: Remembered, state: Any) -> list[int]:
    return list(ConnectFour.candidates(game, state))


@functools.cache
def _bounds(game: Remembered, state: Any) -> tuple[Any, Any]:
    return ConnectFour.proven_bounds(game, state)


@functools.cache
def _play(game: Remembered, state: Any, move: int) -> Any:
    return ConnectFour.play(game, state, move)


@functools.cache
def _is_terminal(game: Remembered, state: Any) -> bool:
    return ConnectFour.is_terminal(game, state)


def main() -> None:
    """Simulate, print and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=WORKERS[-1], help="the most workers")
    most = parser.parse_args().most
    checks, rows, curves = checked(), list[dict[str, Any]](), dict[str, Curve]()
    for board, limit in BOARDS.items():
        positions, curve, found = simulated(board, [count for count in WORKERS if count <= min(most, limit)])
        curves[f"{positions:,.0f} positions"] = curve
        rows += found
    RESULTS.write_text(
        f"# One position on many workers, simulated\n\nConnect Four on small boards, slowed down so that one worker "
        f"takes {SECONDS:.0f} s; a message takes {DELAY * 1e3:.0f} ms. *positions*: those that one worker alone "
        f"visits. *work*: that of all workers, in works of one worker alone.\n\n{table(rows)}\n\n## Simulated and "
        f"real\n\nConnect Four on {CHECKED_BOARD[0]} by {CHECKED_BOARD[1]}, the same searches in plain Python. The "
        "simulation gets what a position takes in one process alone, and what a message takes. The median of "
        f"{TIMES} runs.\n\n{table(checks)}\n"
    )
    draw(curves)


def simulated(board: tuple[int, int], counts: list[int]) -> tuple[float, Curve, list[dict[str, Any]]]:
    """Return the positions that one worker visits, the gain of each number of workers, and rows for a table."""
    game, known = Remembered(*board), solve(ConnectFour(*board))
    alone, _ = run(game, 1, World(1, 1.0), known)
    node_seconds, curve, rows = SECONDS / alone, Curve(), list[dict[str, Any]]()
    for workers in counts:
        step_seconds = min(0.01, LOOK_POSITIONS * node_seconds)
        world = World(workers, node_seconds, step_seconds, DELAY, notable_nodes(node_seconds))
        seconds, busy = run(game, workers, world, known)
        times, used = SECONDS / seconds, busy / (seconds * workers)
        rows.append({"board": f"{board[0]} by {board[1]}", "positions": f"{alone:,.0f}", "workers": workers,
                     "seconds": f"{seconds:.1f}", "times as fast": f"{times:.1f}", "work": f"{busy / SECONDS:.2f}",
                     "busy": f"{used:.0%}"})  # fmt: skip
        print(rows[-1], flush=True)
        curve.append((workers, times))
    return alone, curve, rows


def notable_nodes(node_seconds: float) -> int:
    """Return how many positions make an entry worth sending."""
    return max(1, round(NOTABLE_SECONDS / node_seconds))


def checked() -> list[dict[str, str]]:
    """Return what one and two real workers take, beside what the simulation says: the median of ``TIMES`` runs.

    This machine may be faster now than it was a minute ago, so before each run one process alone tells what a position
    takes.
    """
    game, rows = ConnectFour(*CHECKED_BOARD), []
    start, guess = game.initial(), solve(game).value
    for kind in ("processes", "local"):
        for workers in (1, 2):
            taken, positions = [], []
            with connect(kind, workers=workers) as executor:
                delay = message_seconds(executor)
                for _ in range(TIMES):
                    value, alone, nodes = solve_in_real_time(None, game, start, guess, notable=1)
                    assert value == guess
                    positions.append(alone / nodes)
                    notable = notable_nodes(alone / nodes)
                    value, seconds, _ = solve_in_real_time(executor, game, start, guess, notable)
                    assert value == guess
                    taken.append(seconds)
            real, node_seconds = statistics.median(taken), statistics.median(positions)
            step_seconds = LOOK_POSITIONS * node_seconds
            world = World(workers, node_seconds, step_seconds, delay, notable_nodes(node_seconds))
            expected = simulated_solve(Remembered(*CHECKED_BOARD), start, world, guess)[1].now
            rows.append({"workers": f"{workers} ({kind})", "a message": f"{delay * 1e3:.1f} ms",
                         "simulated": f"{expected:.1f} s", "real": f"{real:.1f} s",
                         "from": f"{min(taken):.1f} to {max(taken):.1f} s",
                         "simulated / real": f"{expected / real:.2f}"})  # fmt: skip
            print(rows[-1], flush=True)
    return rows


def message_seconds(executor: Executor) -> float:
    """Return how long a message takes, on average: half of what a job takes that does nothing."""
    kit, taken = Kit(ConnectFour(), no_tools), []
    for _ in range(100):
        begun = time.perf_counter()
        executor.submit(Job(kit, nothing, ()))
        executor.next()
        taken.append((time.perf_counter() - begun) / 2)
    executor.release(kit)
    return statistics.median(taken)


def run(game: Remembered, workers: int, world: World, known: Result) -> tuple[float, float]:
    """Return the simulated seconds, and those that all workers worked."""
    value, simulation = simulated_solve(game, game.initial(), world, guess=known.value)
    assert value == known.value
    return simulation.now, simulation.busy


def draw(curves: dict[str, Curve]) -> None:
    """Draw the curves."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "plywise"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    workers = [count for count, _ in max(curves.values(), key=len)]
    axes.loglog(workers, workers, ":", color="gray", label="as many times as workers")
    for name, curve in curves.items():
        axes.loglog(*zip(*curve, strict=True), "o-", label=f"simulated, {name}")
    axes.plot([1024], [344], "s", color="tab:orange", label="Zugzwang, chess (Feldmann 1993)")
    axes.set(xlabel="workers", ylabel="times as fast", xticks=workers, xticklabels=workers)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
