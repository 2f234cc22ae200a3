"""Find the fastest settings of Jamboree search for a game on this machine.

Every setting is measured several times, in rounds, so that other load on the machine affects all settings alike.  The
shortest time of each setting counts, since disturbances only make a measurement longer.
"""

from __future__ import annotations

import csv
import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from plywise.algorithms import jamboree
from plywise.game import Game, State
from plywise.inputs.positions import position
from plywise.io.plot import plotted

PERCENTAGES = (0, 10, 25, 50, 75, 100)
CUTOFFS = (4, 6, 8, 10)
REPEATS = 3
LONG_ENOUGH = 0.5
"""How many seconds a search with one thread must take to be worth measuring."""
MOST_DEPTH = 64


@dataclasses.dataclass
class Measurement:
    """One setting and its measurements."""

    percentage_sequential: int
    cutoff: int
    threads: int
    times: list[float] = dataclasses.field(default_factory=list)
    nodes: list[int] = dataclasses.field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The shortest time."""
        return min(self.times)


@dataclasses.dataclass
class Tuning:
    """The measurements of one position."""

    game: Game
    state: State
    depth: int
    baseline: Measurement
    """One thread."""
    trials: list[Measurement]
    interrupted: bool = False

    @property
    def measured(self) -> list[Measurement]:
        """The settings that were measured at least once."""
        return [trial for trial in self.trials if trial.times]

    @property
    def best(self) -> Measurement | None:
        """The fastest setting; None if Ctrl-C came before the first measurement."""
        return min(self.measured, key=lambda trial: trial.seconds, default=None)

    def speedup(self, trial: Measurement) -> float:
        """Return how many times faster than one thread a setting is."""
        return self.baseline.seconds / trial.seconds

    def rows(self) -> list[dict[str, Any]]:
        """Return the measurements as rows of a table, the baseline first."""
        return [
            {
                "percentage_sequential": trial.percentage_sequential,
                "cutoff": trial.cutoff,
                "threads": trial.threads,
                "depth": self.depth,
                "seconds": round(trial.seconds, 6),
                "speedup": round(self.speedup(trial), 3),
                "nodes": min(trial.nodes),
            }
            for trial in [self.baseline, *self.measured]
        ]

    def write_csv(self, path: Path) -> None:
        """Write the measurements to a file."""
        rows = self.rows()
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    def write_plot(self, path: Path) -> None:
        """Draw the speed-ups: a line for each cut-off.  The suffix of the path chooses the format.

        Raises:
            SearchError: matplotlib is not installed, or does not know the format.
        """
        with plotted(path, 7, 4.5) as axes:
            for cutoff in sorted({trial.cutoff for trial in self.measured}):
                trials = sorted((t for t in self.measured if t.cutoff == cutoff), key=lambda t: t.percentage_sequential)
                axes.plot([t.percentage_sequential for t in trials], list(map(self.speedup, trials)), "o-",
                          label=f"cut-off {cutoff}")  # fmt: skip
            axes.axhline(1, color="grey", linestyle=":", label="one thread")
            axes.set(xlabel="percentage sequential", ylabel=f"speed-up with {self.trials[0].threads} threads",
                     title=f"{self.game!r}, depth {self.depth}")  # fmt: skip


def tune(
    game: Game,
    state: State | str | None = None,
    *,
    depth: int | None = None,
    threads: int = 2,
    percentages: Sequence[int] = PERCENTAGES,
    cutoffs: Sequence[int] = CUTOFFS,
    repeats: int = REPEATS,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> Tuning:
    """Measure all settings; Ctrl-C stops early and keeps the measurements so far.

    Args:
        game: whose rules to follow.
        state: a position, or its text; default: the initial one.
        depth: plies to look ahead; default: enough to keep one thread busy for about half a second.
        threads: how many threads search together.
        percentages: the values of ``percentage_sequential`` to try.
        cutoffs: the values of ``cutoff`` to try.
        repeats: how often to measure each setting.
        on_step: called before each search with its number and the total.
    """
    start = position(game, state)
    depth = depth or _worthwhile_depth(game, start)
    cutoffs = [cutoff for cutoff in cutoffs if cutoff < depth] or [max(0, depth - 1)]
    trials = [Measurement(percentage, cutoff, threads) for cutoff in cutoffs for percentage in percentages]
    tuning = Tuning(game, start, depth, Measurement(100, depth, 1), trials)
    total = repeats * (1 + len(trials))
    done = 0
    _measure(tuning, tuning.baseline)
    try:
        for repeat in range(repeats):
            for trial in [tuning.baseline, *trials] if repeat else trials:
                on_step(done := done + 1, total)
                _measure(tuning, trial)
    except KeyboardInterrupt:
        tuning.interrupted = True
    return tuning


def _measure(tuning: Tuning, trial: Measurement) -> None:
    result = jamboree(
        tuning.game, tuning.state, depth=tuning.depth, threads=trial.threads, cutoff=trial.cutoff,
        percentage_sequential=trial.percentage_sequential,
    )  # fmt: skip
    trial.times.append(result.seconds)
    trial.nodes.append(result.nodes)


def _worthwhile_depth(game: Game, state: State) -> int:
    """Return the depth at which one thread takes long enough to measure."""
    for depth in range(1, MOST_DEPTH):
        begun = time.perf_counter()
        result = jamboree(game, state, depth=depth, threads=1)
        if result.proven or (depth > 1 and time.perf_counter() - begun >= LONG_ENOUGH):
            return depth
    return MOST_DEPTH
