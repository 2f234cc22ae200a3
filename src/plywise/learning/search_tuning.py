"""Tune the margins of selective search (``plywise.engine.margins``) by playing: SPSA over pairs of games.

Every iteration is one pair of games from one opening, with sides switched, between two engines whose margins differ in
opposite directions.  It is a line in a journal beside the result, so a program that is killed loses only the games that
it was playing, and the next one goes on where it was.  In the end the tuned margins play a match against those that it
began with, which says whether they are better.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from plywise.compiling.fingerprint import rules_digest
from plywise.engine.margins import MARGINS, margins_for
from plywise.engine.network import NONE, Network, network_for
from plywise.engine.plan import has_margins, plan_for
from plywise.errors import SearchError
from plywise.game import MAX, Game
from plywise.inputs.limits import check_threads, check_whole
from plywise.inputs.positions import check_zero_sum
from plywise.io.files import check_target, content_digest, read_text_file, written_whole
from plywise.io.journal import Journal
from plywise.layers import Tactics
from plywise.learning import spsa
from plywise.learning.self_play import DULL, LONG_PLIES, WON
from plywise.match.arena import FAULTS, USUAL, Conditions, Decision, Played
from plywise.match.bots import BotSpec
from plywise.match.crew import Pairing, Setting, played_games
from plywise.match.elo import SPRT
from plywise.match.match import match, opening_texts, pairing_of
from plywise.match.standing import Standing
from plywise.match.time_control import Limits

VERSION = 1
NODES = 2000
"""Positions that a move may visit, if nobody says how many."""
RANDOM_PLIES = 4
"""The random moves that a game begins with, without a file of openings."""
COMPARING = 0.2
"""The share of the hours that the match takes; with a number of games, it has at most this share more."""
LEAST_GAMES, MOST_GAMES = 20, 20_000
"""Of the match."""
BETTER = SPRT(0, 10)
"""The test of the tuned margins."""
FIRST_GUESS = 1000
"""How many iterations there may be in the time, before the first are over."""
ENOUGH_TO_TELL = 8
"""How many iterations must be over to tell how many there may be."""
WON_MOVES, DULL_MOVES = 3, 6
"""For how many moves of each player a game must be decided to end."""
MOST_OPENINGS = 10_000
SAVE_SECONDS = 60.0
"""The interval between writes of the margins."""
DIGITS = 4
"""The decimals of a margin in a file."""
WITHOUT_SWING: Mapping[str, str] = {
    "null": "null_move", "null_depth": "null_move", "reduction": "reductions", "reduction_slope": "reductions",
    "reduction_history": "reductions", "expected_cut": "reductions",
}  # fmt: skip
"""The margins that also matter in games without a swing, and the option of the search that reads them."""


@dataclasses.dataclass(frozen=True)
class News:
    """What tuning is doing."""

    stage: str
    """``tuning`` or ``comparing``."""
    done: float
    total: float
    """Seconds, or games if their number is given."""
    games: int
    iterations: int
    moved: float
    """The mean distance of the margins from their start, as a share of their ranges."""
    standing: Standing | None = None


@dataclasses.dataclass
class SearchTuning:
    """What tuning has led to."""

    start: dict[str, float]
    """The margins that were tuned, before."""
    tuned: dict[str, float]
    """The same, after."""
    iterations: int = 0
    seconds: float = 0.0
    """How long tuning took, in all runs, without the match."""
    faults: int = 0
    """Pairs of games with a crash in this run; they do not count."""
    standing: Standing | None = None
    """The match of the tuned margins against those at the start; None if there was none."""
    interrupted: bool = False

    @property
    def verdict(self) -> str:
        """``better`` or ``not better`` if the match has shown it, or ``undecided``."""
        decided = None if self.standing is None else self.standing.verdict
        return {"H1": "better", "H0": "not better", None: "undecided"}[decided]

    def to_json(self) -> dict[str, Any]:
        """Return the tuning, ready for JSON."""
        return {
            "margins": self.tuned, "start": self.start, "iterations": self.iterations, "games": 2 * self.iterations,
            "seconds": self.seconds, "faults": self.faults, "verdict": self.verdict,
            "match": None if self.standing is None else self.standing.to_json(), "interrupted": self.interrupted,
        }  # fmt: skip


def tune_search(
    game: Game,
    out: str | Path,
    *,
    hours: float | None = None,
    games: int | None = None,
    nodes: int = NODES,
    only: Sequence[str] | None = None,
    start: Mapping[str, float] | str | Path | None = None,
    openings: str | Path | None = None,
    random_plies: int | None = None,
    network: str | Path | Network | None = None,
    threads: int | None = None,
    seed: int = 0,
    fresh: bool = False,
    make_game: Callable[[], Game] | None = None,
    on_news: Callable[[News], None] = lambda news: None,
) -> SearchTuning:
    """Tune the margins of the engine's selective search for a game, and write them to a file.

    Every iteration is in a journal, ``out`` with ``.games`` at its end.  If it exists, tuning goes on from it; the same
    limits then count what it holds.  Ctrl-C ends tuning, with the margins so far.

    Args:
        game: a game of two players whose scores sum to zero, without dice.
        out: the file of the margins, for ``Engine(game, margins=out)``.
        hours: how long it may take in all, with the match at the end; default: 1, unless ``games`` is given.
        games: how many games to tune with, in pairs: of an odd number, the last is not played.  The match has at most a
            fifth as many.
        nodes: how many positions a search may visit for each move.
        only: the names of the margins to tune; default: all that matter in this game.
        start: margins to begin with, or a file of them; default: those of the game.
        openings: a file of starting positions, one per line; default: the initial position.
        random_plies: how many random moves to start with; default: 4, or none with ``openings``.
        network: what evaluates, as for ``Engine``; default: the network that comes with the game, if there is one.
        threads: how many games to play at a time, each in a process of its own; default: all processors.
        seed: for random choices.
        fresh: start over and overwrite the journal.
        make_game: how another process makes the game; default: it gets a copy.
        on_news: called often, with what is going on.

    Raises:
        SearchError: an argument is wrong, no margin matters in this game, or the journal is of another tuning.
    """
    out = Path(out)
    check_target(out)
    check_zero_sum(game, "tuning")
    names = chosen_margins(game, only)
    if hours is None and games is None:
        hours = 1.0
    if hours is not None and not 0 < hours < math.inf:
        raise SearchError(f"hours={hours!r} must be above 0")
    if games is not None:
        check_whole("games", games, 2)
        games -= games % 2
    check_whole("nodes", nodes, 1)
    if random_plies is None:
        random_plies = RANDOM_PLIES if openings is None else 0
    check_whole("random_plies", random_plies, 0)
    check_whole("seed", seed, 0)
    threads = threads or os.cpu_count() or 1
    check_threads(threads)
    book = None if openings is None else read_text_file(openings)
    texts = opening_texts(game, openings, book, MOST_OPENINGS, seed)
    if network not in (None, NONE):
        network = network_for(game, network)
    run = _Run(
        game, out, names, margins_for(game, start), math.inf if hours is None else hours * 3600, games, nodes,
        openings, book, texts, random_plies, network, threads, seed, fresh, make_game or partial(_same, game), on_news,
    )  # fmt: skip
    try:
        run.tune()
        run.compare()
    except KeyboardInterrupt:
        run.found.interrupted = True
    finally:
        run.save()
    return run.found


def _same(game: Game) -> Game:
    return game


# Which margins --------------------------------------------------------------------------------------------------------


def margins_that_matter(game: Game) -> list[str]:
    """Return the names of the margins that the search of a game depends on.

    >>> import plywise as pw
    >>> len(margins_that_matter(pw.games.Chess())) == len(MARGINS)
    True
    >>> margins_that_matter(pw.games.ConnectFour())
    ['reduction', 'reduction_slope', 'reduction_history', 'expected_cut']
    """
    plan = plan_for(game, False)
    if plan.dice:
        return []
    passes = plan.null_move and type(game).pass_move is not Tactics.pass_move
    names = MARGINS if has_margins(game) else [name for name, option in WITHOUT_SWING.items() if getattr(plan, option)]
    return [name for name in names if passes or not name.startswith("null")]


def chosen_margins(game: Game, only: Sequence[str] | None) -> list[str]:
    """Return the names of the margins to tune.

    Raises:
        SearchError: none matters in this game, or not one of those asked for.
    """
    matter = margins_that_matter(game)
    if not matter:
        raise SearchError(f"{game!r} has dice, and there the engine prunes nothing on a guess: no margin matters")
    if only is None:
        return matter
    for name in only:
        if name not in MARGINS:
            raise SearchError(f"there is no margin {name!r}; there are: {', '.join(MARGINS)}")
        if name not in matter:
            missing = "pass_move" if name.startswith("null") and has_margins(game) else "swing"
            raise SearchError(f"margin {name} does not matter in {game!r}, which has no {missing} (Tactics.{missing}); "
                              f"those that do: {', '.join(matter)}")  # fmt: skip
    if not only:
        raise SearchError("there is no margin to tune")
    return [name for name in MARGINS if name in only]


# Playing --------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Run:
    """One run of a tuning."""

    game: Game
    out: Path
    names: list[str]
    start: dict[str, float]
    """All margins, tuned or not."""
    seconds: float
    games: int | None
    nodes: int
    openings: str | Path | None
    book: bytes | None
    texts: Sequence[str]
    random_plies: int
    network: str | Path | Network | None
    """None: the one that comes with the game."""
    threads: int
    seed: int
    fresh: bool
    make_game: Callable[[], Game]
    on_news: Callable[[News], None]

    def __post_init__(self) -> None:
        given = [self.start[name] for name in self.names]
        self.least = np.array([min(MARGINS[name].least, value) for name, value in zip(self.names, given, strict=True)])
        self.most = np.array([max(MARGINS[name].most, value) for name, value in zip(self.names, given, strict=True)])
        self.first = (np.array(given) - self.least) / (self.most - self.least)
        self.climb = spsa.Climb(self.first)
        before = {name: round(self.start[name], DIGITS) for name in self.names}
        self.found = SearchTuning(before, dict(before))
        self.begun = self.saved = time.perf_counter()
        self.last = 0
        """The number of the latest iteration."""
        self.spent = 0.0
        """Seconds of earlier runs."""
        self.guess = FIRST_GUESS
        """How many iterations there will be."""
        self.timed: tuple[float, int] | None = None
        """When the first iteration of this run was over, and how many there were then."""
        self.open: dict[int, spsa.Trial] = {}
        self.halves: dict[int, tuple[float, bool]] = {}
        """Of pairs with one game over: the points of the first bot, and whether it ended with a fault."""

    # The margins ----------------------------------------------------------------------------------------------------

    def margins_at(self, point: np.ndarray) -> dict[str, float]:
        """Return all margins at a point."""
        values = (self.least + point * (self.most - self.least)).tolist()
        return {**self.start, **dict(zip(self.names, values, strict=True))}

    @property
    def tuned(self) -> dict[str, float]:
        """All margins as they are now, as a file has them."""
        return {
            name: round(value, DIGITS) if name in self.names else value
            for name, value in self.margins_at(self.climb.here).items()
        }

    def save(self) -> None:
        """Write the margins, once there are any."""
        found, tuned, own = self.found, self.tuned, margins_for(self.game, None)
        found.tuned = {name: tuned[name] for name in self.names}
        if not found.iterations:
            return
        written = {name: value for name, value in tuned.items() if name in self.names or value != own[name]}
        report = {
            "margins": written, "game": repr(self.game), "nodes": self.nodes, "iterations": found.iterations,
            "verdict": found.verdict,
        }  # fmt: skip
        if found.standing is not None:
            report["match"] = {"games": found.standing.played, "score": found.standing.score}
        with written_whole(self.out) as file:
            file.write(json.dumps(report, indent=2).encode() + b"\n")
        self.saved = time.perf_counter()

    # Tuning ---------------------------------------------------------------------------------------------------------

    def tune(self) -> None:
        """Play until time is up, or all games are played."""
        with Journal(self._beside("games"), self._header(), self.fresh) as journal:
            if self.fresh:
                self._beside("match").unlink(missing_ok=True)
            for record in journal.records():
                self._learn(spsa.trial(record["line"], record["total"], len(self.names), self.seed), record["points"])
                self.last = max(self.last, record["line"])
                self.spent, self.guess = record["seconds"], record["total"]
            self.setting.make_warm_bot(0, self.game, None, self._pairing(1)).close()  # compiles for all processes
            self.begun = time.perf_counter()
            self._tell("tuning")
            try:
                games = played_games(self.game, self.setting, self._pairings(), self.threads)
                with contextlib.closing(games) as played:
                    for pairing, result in played:
                        self._heard(journal, pairing, result)
                        self._tell("tuning")
                        if time.perf_counter() - self.saved > SAVE_SECONDS:
                            self.save()
            finally:
                self.found.seconds = self.elapsed

    @property
    def elapsed(self) -> float:
        """Seconds of tuning, in all runs."""
        return self.spent + time.perf_counter() - self.begun

    @property
    def time_to_tune(self) -> float:
        """Seconds for tuning in all runs, without the match."""
        return self.seconds * (1 - COMPARING)

    @property
    def is_over(self) -> bool:
        """Whether there is no time for another iteration, or no game."""
        begun = self.found.iterations + self.found.faults + len(self.open)
        enough = self.games is not None and 2 * begun + 2 > self.games
        return enough or self.elapsed >= self.time_to_tune

    def total(self) -> int:
        """Return how many iterations there will be, as far as is known."""
        if self.games is not None:
            return self.games // 2
        if self.timed is not None and self.found.iterations >= self.timed[1] + ENOUGH_TO_TELL:
            each = (time.perf_counter() - self.timed[0]) / (self.found.iterations - self.timed[1])
            left = max(0.0, self.time_to_tune - self.elapsed)
            self.guess = self.found.iterations + math.ceil(left / each)
        return self.guess

    def _pairings(self) -> Iterator[Pairing]:
        """Yield games to play; each pair with the margins that are the best known when it begins."""
        for number in itertools.count(self.last + 1):
            if self.is_over:
                return
            trial = self.open[number] = spsa.trial(number, self.total(), len(self.names), self.seed)
            plus, minus = self.climb.points(trial)
            margins = self.margins_at(plus), self.margins_at(minus)
            for half in (2 * number - 1, 2 * number):
                yield self._pairing(half)._replace(margins=margins)

    def _pairing(self, number: int) -> Pairing:
        return pairing_of(self.game, self.texts, self.random_plies, self.seed, number)

    def _heard(self, journal: Journal, pairing: Pairing, played: Played) -> None:
        """Take a game into account; when its pair is over, learn from it."""
        number = (pairing.number + 1) // 2
        points = played.score if pairing.first_plays == MAX else 1 - played.score
        is_fault = played.reason in FAULTS
        if number not in self.halves:
            self.halves[number] = points, is_fault
            return
        other, was_fault = self.halves.pop(number)
        trial = self.open.pop(number)
        if is_fault or was_fault:  # it says nothing about the margins
            self.found.faults += 1
            return
        if self.timed is None:
            self._beside("match").unlink(missing_ok=True)  # it was played with other margins
        journal.append([{
            "line": number, "points": points + other, "total": trial.total, "seconds": round(self.elapsed, 3),
        }])  # fmt: skip
        self._learn(trial, points + other)
        self.timed = self.timed or (time.perf_counter(), self.found.iterations)

    def _learn(self, trial: spsa.Trial, points: float) -> None:
        """Learn from the points of the first of two engines in a pair of games."""
        self.climb.learn(trial, points - 1)
        self.found.iterations += 1

    @cached_property
    def setting(self) -> Setting:
        """What all games have in common."""
        bot = BotSpec("engine", self.limits, self.engine_options)
        return Setting(self.make_game, (bot, bot), self.conditions)

    @property
    def engine_options(self) -> dict[str, Any]:
        """The options of both engines."""
        network = {} if self.network is None else {"network": self.network}
        return {"table_mb": self.table_mb, **network}

    @property
    def limits(self) -> Limits:
        """The limits of a move."""
        return Limits(nodes=self.nodes)

    @property
    def table_mb(self) -> float:
        """The size of a table: all that a game may visit, and little enough to be cleared before every one."""
        return min(64.0, max(2.0, self.nodes / 1000))

    @property
    def conditions(self) -> Conditions:
        """When to end a game that is decided; only where a swing says what a lead is."""
        if not has_margins(self.game):
            return USUAL
        won, dull = WON * self.game.swing, DULL * self.game.swing
        return Conditions(resign=Decision(won, WON_MOVES), draw=Decision(dull, DULL_MOVES, LONG_PLIES))

    def _beside(self, suffix: str) -> Path:
        return self.out.with_name(f"{self.out.name}.{suffix}")

    def _header(self) -> dict[str, Any]:
        """Return everything that the games depend on, but not their number, so that more can be played later."""
        known = network_for(self.game, self.network)
        return {
            "plywise": "tune --search", "version": VERSION, "game": repr(self.game), "rules": rules_digest(self.game),
            "only": self.names, "start": self.start, "nodes": self.nodes, "seed": self.seed,
            "openings": None if self.book is None else content_digest(self.book), "random_plies": self.random_plies,
            "network": self.network if known is None else known.digest,
        }  # fmt: skip

    def _tell(self, stage: str, standing: Standing | None = None) -> None:
        """Report what is going on."""
        moved = float(np.mean(np.abs(self.climb.here - self.first)))
        done, total = self.elapsed, self.time_to_tune
        if self.games is not None:
            done, total = 2 * self.found.iterations, self.games
        if standing is not None:
            done, total = standing.played, standing.games
        played = 2 * self.found.iterations + len(self.halves)
        self.on_news(News(stage, done, total, played, self.found.iterations, moved, standing))

    # Comparing ------------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Let the tuned margins play a match against those at the start, if they differ."""
        if not self.found.iterations or self.tuned == {**self.start, **self.found.start}:
            return
        self.save()
        end = math.inf

        def tell(standing: Standing) -> None:
            nonlocal end
            self.found.standing = standing
            if end == math.inf:  # everything is compiled by now
                end = time.perf_counter() + self.seconds * COMPARING
            self._tell("comparing", standing)
            if time.perf_counter() > end and standing.played >= LEAST_GAMES:
                raise _TimeIsUp

        bots = [
            BotSpec("engine", self.limits, {**self.engine_options, "margins": margins}, name)
            for name, margins in (("tuned", self.tuned), ("start", self.start))
        ]
        games = MOST_GAMES if self.games is None else max(LEAST_GAMES, 2 * math.ceil(self.games * COMPARING / 2))
        with contextlib.suppress(_TimeIsUp):
            match(
                self.game, *bots, games=games, openings=self.openings, random_plies=self.random_plies,
                conditions=self.conditions, sprt=BETTER, concurrency=self.threads, seed=self.seed + 1,
                out=self._beside("match"), make_game=self.make_game, on_game=tell,
            )  # fmt: skip


class _TimeIsUp(Exception):
    """There is no time for more games."""
