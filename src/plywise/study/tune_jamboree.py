"""Find the fastest settings of Jamboree search for a game on this machine.

Every setting is measured several times, in rounds, so that other load on the machine affects all settings alike.  The
shortest time of each setting counts, since disturbances only make a measurement longer.

Other machines can measure, too (``plywise.cluster``).  A round is then one job, so that each machine measures all
settings, and a machine works on one round at a time, however many workers it has.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from plywise.algorithms import jamboree
from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import Executor, Job, Lost, Report, done_in_turn
from plywise.compiling.cache_folder import cache_directory
from plywise.compiling.fingerprint import rules_digest
from plywise.compiling.stopping import Stopper
from plywise.errors import SearchError
from plywise.game import Game, State
from plywise.inputs.limits import check_executor
from plywise.inputs.positions import position
from plywise.io.journal import Journal, header_in, journal_at
from plywise.io.locks import in_turn
from plywise.io.plot import plotted

PERCENTAGES = (0, 10, 25, 50, 75, 100)
CUTOFFS = (4, 6, 8, 10)
REPEATS = 3
LONG_ENOUGH = 0.5
"""How many seconds a search with one thread must take to be worth measuring."""
MOST_DEPTH = 64
VERSION = 1
"""Of the file of measurements."""


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
    def settings(self) -> list[Measurement]:
        """All settings, the baseline first."""
        return [self.baseline, *self.trials]

    def add(self, found: Sequence[tuple[float, int]]) -> None:
        """Add a round, or its beginning: the seconds and the number of positions for each setting."""
        for trial, (seconds, nodes) in zip(self.settings, found, strict=False):
            trial.times.append(seconds)
            trial.nodes.append(nodes)

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
    executor: Executor | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
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
        executor: who measures, instead of this machine: ``plywise.cluster.connect("10.0.0.5:8786")``.  The rounds are
            shared out; each machine measures all settings, and on its own.
        out: a file that gets each round when it is done.  The same call goes on from there, also with more ``repeats``.
        fresh: ignore what ``out`` holds and start over.

    Raises:
        SearchError: ``out`` has other content, or cannot be written; at the end, if some rounds could not be measured.
    """
    check_executor(executor)
    start = position(game, state)
    known_depth = None if fresh else header_in(out).get("depth")  # else it would depend on the load of the machine
    with contextlib.ExitStack() as stack:
        if executor is None:
            who: _Here | _Elsewhere = _Here(game, start)
        else:
            who = stack.enter_context(contextlib.closing(_Elsewhere(executor, game, start)))
        depth = depth or (known_depth if isinstance(known_depth, int) else who.worthwhile_depth())
        tuning = _all_settings(game, start, depth, threads, percentages, cutoffs)
        journal = stack.enter_context(journal_at(out, _header(tuning), fresh))
        for record in journal.records():
            tuning.add(record["round"])
        who.measure(tuning, repeats, on_step, journal)
    return tuning


def _header(tuning: Tuning) -> dict[str, Any]:
    """Return everything that the measurements depend on, but not their number, so that there can be more later."""
    settings = [(each.percentage_sequential, each.cutoff, each.threads) for each in tuning.trials]
    return {
        "plywise": "measurements of Jamboree", "version": VERSION, "game": repr(tuning.game),
        "rules": rules_digest(tuning.game), "position": tuning.game.format(tuning.state), "depth": tuning.depth,
        "settings": [list(each) for each in settings],
    }  # fmt: skip


def _all_settings(
    game: Game, start: State, depth: int, threads: int, percentages: Sequence[int], cutoffs: Sequence[int]
) -> Tuning:
    """Return a tuning in which nothing is measured yet."""
    cutoffs = [cutoff for cutoff in cutoffs if cutoff < depth] or [max(0, depth - 1)]
    trials = [Measurement(percentage, cutoff, threads) for cutoff in cutoffs for percentage in percentages]
    return Tuning(game, start, depth, Measurement(100, depth, 1), trials)


def _keep_round(tuning: Tuning, journal: Journal) -> None:
    """Write the last round to the file."""
    found = [(trial.times[-1], trial.nodes[-1]) for trial in tuning.settings]
    journal.append([{"line": len(tuning.baseline.times), "round": found}])


def _measured(game: Game, state: State, depth: int, trial: Measurement) -> tuple[float, int]:
    """Return how long a search takes, without compiling, and how many positions it visits."""
    result = jamboree(
        game, state, depth=depth, threads=trial.threads, cutoff=trial.cutoff,
        percentage_sequential=trial.percentage_sequential,
    )  # fmt: skip
    return result.seconds, result.nodes


def _worthwhile_depth(game: Game, state: State) -> int:
    """Return the depth at which one thread takes long enough to measure."""
    for depth in range(1, MOST_DEPTH):
        begun = time.perf_counter()
        result = jamboree(game, state, depth=depth, threads=1)
        if result.proven or (depth > 1 and time.perf_counter() - begun >= LONG_ENOUGH):
            return depth
    return MOST_DEPTH


class _Here:
    """Measures on this machine."""

    def __init__(self, game: Game, start: State) -> None:
        self.game, self.start = game, start

    def worthwhile_depth(self) -> int:
        return _worthwhile_depth(self.game, self.start)

    def measure(self, tuning: Tuning, repeats: int, on_step: Callable[[int, int], None], journal: Journal) -> None:
        """Measure all settings this many times each; Ctrl-C keeps what is measured."""
        kept, settings = len(tuning.baseline.times), tuning.settings
        if not kept:
            self._measure(tuning, tuning.baseline)  # Ctrl-C before it ends everything
        done, total = kept * len(settings), repeats * len(settings)
        try:
            for repeat in range(kept, repeats):
                for trial in settings:
                    on_step(done := done + 1, total)
                    if len(trial.times) == repeat:
                        self._measure(tuning, trial)
                _keep_round(tuning, journal)
        except KeyboardInterrupt:
            tuning.interrupted = True

    def _measure(self, tuning: Tuning, trial: Measurement) -> None:
        seconds, nodes = _measured(self.game, self.start, tuning.depth, trial)
        trial.times.append(seconds)
        trial.nodes.append(nodes)


# On other machines ----------------------------------------------------------------------------------------------------

WAIT_SECONDS = 0.05
"""How long a worker waits before it looks again whether another one on its machine has done."""


class _Elsewhere:
    """Measures with the workers of an executor."""

    def __init__(self, executor: Executor, game: Game, start: State) -> None:
        self.executor, self.text = executor, game.format(start)
        self.kit = Kit(game, only_the_game)

    def close(self) -> None:
        self.executor.release(self.kit)

    def _job(self, work: Callable[..., Any], *arguments: Any) -> Job:
        return Job(self.kit, work, (self.text, *arguments), "a round of measurements")

    def worthwhile_depth(self) -> int:
        with contextlib.closing(done_in_turn(self.executor, [self._job(find_depth)])) as outcomes:
            return int(next(outcomes).answer())

    def measure(self, tuning: Tuning, repeats: int, on_step: Callable[[int, int], None], journal: Journal) -> None:
        """Measure all settings this many times each; Ctrl-C keeps what is measured, but the file only whole rounds."""
        kept, settings = len(tuning.baseline.times), tuning.settings
        total, done = repeats * len(settings), kept * len(settings)
        begun: dict[int, list[tuple[float, int]]] = {}
        missing: list[Lost] = []

        def tell(news: Report | None) -> None:
            if news is not None:
                begun[news.job.number] = news.message
            on_step(done + sum(map(len, begun.values())), total)

        rounds = (self._job(measure_round, tuning.depth, settings) for _ in range(kept, repeats))
        outcomes = done_in_turn(self.executor, rounds, ahead=1, on_report=tell)
        try:
            with contextlib.closing(outcomes):
                for outcome in outcomes:
                    begun.pop(outcome.job.number, None)
                    if isinstance(outcome.error, Lost):
                        missing.append(outcome.error)
                    else:
                        tuning.add(outcome.answer())
                        _keep_round(tuning, journal)
                        done += len(settings)
                        tell(None)
        except KeyboardInterrupt:
            for found in begun.values():
                tuning.add(found)
            if not tuning.baseline.times:
                raise
            tuning.interrupted = True
        if missing and not tuning.interrupted:
            raise SearchError(f"not measured: {'; '.join(map(str, missing))}")


def only_the_game(game: Game, share: float) -> Game:
    """Return the tools of a slot."""
    return game


def find_depth(desk: Desk, text: str) -> int:
    """Find the depth that is worth measuring: a job."""
    with _alone(desk):
        return _worthwhile_depth(desk.tools, desk.tools.parse(text))


def measure_round(desk: Desk, text: str, depth: int, settings: list[Measurement]) -> list[tuple[float, int]]:
    """Measure all settings once: a job.  Reports what it has found so far."""
    state, found = desk.tools.parse(text), []
    with _alone(desk):
        for trial in settings:
            desk.check()
            found.append(_measured(desk.tools, state, depth, trial))
            desk.report(list(found))
    return found


@contextlib.contextmanager
def _alone(desk: Desk) -> Iterator[None]:
    """Wait until no other worker of this machine is measuring or compiling for it; a search then ends with the job."""

    def wait() -> None:
        desk.check()
        time.sleep(WAIT_SECONDS)

    lock = cache_directory() / f"measuring-{platform.node()}.lock"  # where no other user can lock it for ever
    with in_turn(lock, wait), Stopper() as stopper, desk.heeding(stopper.stop):
        yield
