"""Learn to evaluate a game: play it against itself, learn from that, compare, and begin again.

Every round plays games with the best evaluation so far, adds their positions to a file, learns a network from all of
them, and lets it play a match against that evaluation.  If the network is better, it takes its place.  The file of
positions grows, and the network is written whenever it gets better, so a program that is killed loses little, and the
next one goes on where it was.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plywise.cluster.executor import Executor
from plywise.compiling.words import word_count
from plywise.engine.network import NONE, Network, fingerprint, network_for
from plywise.errors import SearchError
from plywise.game import Game
from plywise.inputs.limits import check_executor, check_threads, check_whole, memory_mb
from plywise.inputs.positions import check_zero_sum
from plywise.io.files import check_target
from plywise.layers import Chance, Tactics
from plywise.learning import td
from plywise.learning.far_play import far_chunks
from plywise.learning.lessons import BLEND, Subject, has_evaluation
from plywise.learning.positions import PositionFile, Positions, hashes_in, joined, read_header, read_positions
from plywise.learning.self_play import SelfPlay, SelfPlayOptions
from plywise.learning.trainer import EPOCHS, Fit
from plywise.learning.trainer import train as fit_weights
from plywise.learning.weights import Weights
from plywise.match.bots import BotSpec
from plywise.match.elo import SPRT
from plywise.match.match import match
from plywise.match.standing import Standing
from plywise.match.time_control import Limits

HIDDEN = 32
"""The hidden units of a network, if nobody says how many."""
ROUNDS = 8
"""About how many rounds there are."""
SHORTEST_ROUND, LONGEST_ROUND = 20.0, 1800.0
"""The least and the most seconds of self-play in a round."""
COMPARING = 0.35
"""The most time for a match, as a share of the time of self-play."""
LEAST_GAMES, MOST_GAMES = 20, 1000
MOST_BUCKETS = 256
MATCH_NODES = 1000
BETTER = SPRT(0, 20)
"""The test that a new network must pass."""
LIKELY = 0.75
"""How likely a network must be the better one, if time is up before the test is decided."""
LEAST_LEARNED = 0.001
"""By what share the loss on positions held out must fall; a network that knows nothing may win a match by luck."""
FEW = 200
"""Fewer positions than this are too few to learn from."""
LONGEST_LEG = 60.0
"""Seconds of TD(λ) after which the network is written."""
AGAIN = 0.5
"""How much of it counts as done when a network that was not better goes on learning."""
SHORTEST_LEG = 0.02
"""The least of such a time, as a share of all."""
FAMILIAR = 1 << 24
"""The most positions to learn from, the latest ones."""
SOLVED = 0.95
"""If self-play proves the value of this many positions, a game is too small to learn anything."""
MEMORY_SHARE, BYTES = 0.2, 120
"""How much of the memory they may take, and about how many bytes one takes besides its words."""


@dataclasses.dataclass(frozen=True)
class Round:
    """What one round led to."""

    positions: int
    """All positions so far."""
    learned: tuple[float, ...]
    """The mean loss of the positions learned from, by epoch."""
    held_out: tuple[float, ...]
    """The mean loss of positions held out: before training, then after each epoch."""
    games: int
    score: float
    """The new network's share of the points against the evaluation before."""
    elo: float
    is_better: bool
    seconds: float
    """Since training began."""

    def to_json(self) -> dict[str, Any]:
        """Return the round, ready for JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True)
class News:
    """What training is doing."""

    stage: str
    """``playing``, ``learning`` or ``comparing``."""
    done: float
    total: float
    positions: int
    rounds: tuple[Round, ...]
    standing: Standing | None = None


@dataclasses.dataclass
class Training:
    """What training has led to."""

    network: Network | None
    """The best network; None if none was better than the evaluation that it began with."""
    rounds: list[Round] = dataclasses.field(default_factory=list)
    positions: int = 0
    proven: float = 0.0
    """The share of positions whose value the search proved."""
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def elo(self) -> float:
        """The sum of the Elo differences of the rounds that led to a better network."""
        return sum(each.elo for each in self.rounds if each.is_better)

    @property
    def is_solved(self) -> bool:
        """Whether the search alone solves the game, nearly everywhere."""
        return self.proven >= SOLVED

    def write_plot(self, path: Path) -> None:
        """Draw the losses and the Elo of the rounds.  The suffix of the path chooses the format.

        Raises:
            SearchError: matplotlib is not installed, or does not know the format.
        """
        from plywise.io.plot import plotted

        with plotted(path, 8, 5) as axes:
            counts = [each.positions for each in self.rounds]
            axes.plot(counts, [each.learned[-1] for each in self.rounds], "o-", label="loss, learned")
            axes.plot(counts, [min(each.held_out) for each in self.rounds], "s-", label="loss, held out")
            axes.set(xlabel="positions", ylabel="loss")
            axes.grid(alpha=0.25)
            elo = np.cumsum([each.elo if each.is_better else 0.0 for each in self.rounds])
            axes.plot([], [], "^--", color="0.35", label="Elo")
            beside = axes.twinx()
            beside.plot(counts, elo, "^--", color="0.35")
            beside.set_ylabel("Elo over the evaluation before")

    def to_json(self) -> dict[str, Any]:
        """Return the training, ready for JSON."""
        return {
            "network": None if self.network is None else dict(self.network.about), "positions": self.positions,
            "proven": self.proven, "rounds": [each.to_json() for each in self.rounds], "elo": self.elo,
            "seconds": self.seconds, "interrupted": self.interrupted,
        }  # fmt: skip


def train(
    game: Game,
    out: str | Path,
    *,
    hours: float = 1.0,
    data: str | Path | None = None,
    positions: str | Path | None = None,
    hidden: int = HIDDEN,
    corrects: bool | None = None,
    options: SelfPlayOptions | None = None,
    epochs: int = EPOCHS,
    blend: float = BLEND,
    match_nodes: int = MATCH_NODES,
    threads: int | None = None,
    seed: int = 0,
    make_game: Callable[[], Game] | None = None,
    executor: Executor | None = None,
    on_news: Callable[[News], None] = lambda news: None,
) -> Training:
    """Learn an evaluation of a game by playing it, and write it to a file as a network.

    If ``out`` exists, training goes on from it.  Ctrl-C ends it, with the best network so far.  A game with dice learns
    by TD(λ) (``plywise.learning.td``), in one round; a network in the making is in a file with ``.part`` at its end.

    Args:
        game: a game of two players whose scores sum to zero.
        out: the file of the network; it is written each time the network gets better.
        hours: how long to train, in all.
        data: learn from the positions in this file alone, and play none.
        positions: the file that collects the positions; default: beside ``out``.
        hidden: the number of hidden units; 0 for a linear evaluation.
        corrects: whether the network adds to the game's own evaluation; default: if the game has one, in points.  A
            network that exists keeps this, and its size.
        options: how to play; default: ``usual_options``.
        epochs: how often to learn from each position.
        blend: the share of a search's value in what is learned, against the result of the game.
        match_nodes: how many positions the match may visit for each move.
        threads: how many threads and processes to use; default: all processors.
        seed: for random choices.
        make_game: how another process makes the game; default: it gets a copy.
        executor: who plays, instead of this machine: ``plywise.cluster.connect("local")``.  Learning stays here.
        on_news: called often, with what is going on.

    Raises:
        SearchError: an argument is wrong, or a file is not for this game.
    """
    out = Path(out)
    check_target(out)
    check_zero_sum(game, "training")
    check_executor(executor)
    if isinstance(game, Chance) and data is not None:
        raise SearchError(f"{game!r} has dice, and learns from its own games alone: leave out data=")
    if isinstance(game, Chance) and executor is not None:
        raise SearchError(f"{game!r} has dice, and learns on this machine alone: leave out executor=")
    if not 0 < hours < math.inf:
        raise SearchError(f"hours={hours!r} must be above 0")
    if positions is not None and Path(positions).absolute() == out.absolute():
        raise SearchError("the network and the positions need two files")
    if game.buckets > MOST_BUCKETS:
        raise SearchError(f"{game!r} has {game.buckets} buckets: at most {MOST_BUCKETS} can be learned")
    check_whole("hidden", hidden, 0, 256)
    check_whole("match_nodes", match_nodes, 1)
    check_whole("epochs", epochs, 1)
    threads = threads or os.cpu_count() or 1
    check_threads(threads)
    known = network_for(game, out) if out.exists() else None
    if known is not None:
        hidden, corrects = known.hidden, known.corrects
    if corrects is None:
        corrects = has_evaluation(game) and math.isfinite(game.win_score) and not isinstance(game, Chance)
    if corrects and (isinstance(game, Chance) or not math.isfinite(game.win_score)):
        raise SearchError(
            f"a network of {game!r} estimates the score, and cannot correct an evaluation: leave out corrects"
        )
    subject = Subject(game, hidden, corrects)
    course = Course(
        subject, out, known, hours * 3600, options or usual_options(game), epochs, blend, match_nodes, threads, seed,
        make_game, executor, on_news,
    )  # fmt: skip
    try:
        if isinstance(game, Chance):
            course.run_with_dice(out.with_name(f"{out.name}.part"))
        elif data is not None:
            course.learn_from(Path(data))
        else:
            course.run(Path(positions) if positions else out.with_name(f"{out.name}.positions"))
    except KeyboardInterrupt:
        course.training.interrupted = True
    course.training.seconds = course.elapsed
    return course.training


def usual_options(game: Game, **given: int) -> SelfPlayOptions:
    """Return how to play a game, if nobody says otherwise.

    Without ``Tactics``, nothing tells quiet positions from others, and most walks end where somebody wins at once.
    """
    return SelfPlayOptions(**{"walks": SelfPlayOptions.walks if isinstance(game, Tactics) else 0, **given})


@dataclasses.dataclass
class Course:
    """One training."""

    subject: Subject
    out: Path
    best: Network | None
    seconds: float
    options: SelfPlayOptions
    epochs: int
    blend: float
    match_nodes: int
    threads: int
    seed: int
    make_game: Callable[[], Game] | None
    executor: Executor | None
    on_news: Callable[[News], None]

    def __post_init__(self) -> None:
        self.begun = time.perf_counter()
        self.training = Training(self.best)
        self.known = Positions.none(word_count(self.subject.game.initial()))
        self.file: PositionFile | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since training began."""
        return time.perf_counter() - self.begun

    @property
    def left(self) -> float:
        """Seconds left."""
        return self.seconds - self.elapsed

    def tell(self, stage: str, done: float, total: float, standing: Standing | None = None) -> None:
        """Report what is going on."""
        rounds = tuple(self.training.rounds)
        self.on_news(News(stage, done, total, self.training.positions, rounds, standing))

    def run(self, path: Path) -> None:
        """Play, learn and compare until time is up.  Where the search solves every position, in play and in the match,
        no network can be better than none.
        """
        length = min(LONGEST_ROUND, max(SHORTEST_ROUND, self.seconds / (1 + COMPARING) / ROUNDS))
        if path.exists() and path.stat().st_size:
            self._read(path)
        with contextlib.ExitStack() as stack:
            while self.left > 0 and not (self.training.rounds and self.left < length / 2):
                self._play(path, stack, min(length, self.left / (1 + COMPARING)))
                if np.isfinite(self.known.results).sum() >= FEW:
                    if self.best is None and self.training.is_solved and self.match_nodes >= self.options.nodes:
                        return
                    self._round(length * COMPARING)

    def learn_from(self, path: Path) -> None:
        """Learn from a file, and compare until time is up."""
        self._read(path)
        self._round(self.seconds)

    def _read(self, path: Path) -> None:
        """Read the positions in a file.

        Raises:
            SearchError: the file is missing, or is not for this game.
        """
        try:
            words = read_header(path)["words"]
            if words != self.known.rows.shape[1]:
                raise SearchError(f"{str(path)!r} has positions of {words} words: the rules have changed")
            self._know(read_positions(path, fingerprint=self._facts()[1]))
        except OSError as wrong:
            raise SearchError(f"cannot read positions from {str(path)!r}: {wrong.strerror}") from None
        self.training.positions = len(self.known)

    def _know(self, positions: Positions) -> None:
        """Learn from these positions from now on."""
        self.known = positions[-self._familiar :]
        self.training.proven = float(self.known.proven.mean()) if len(self.known) else 0.0

    def run_with_dice(self, part: Path) -> None:
        """Learn by TD(λ), and compare in the end."""
        subject = self.subject
        latest = network_for(subject.game, part) if part.exists() else self.best
        if latest is not None:
            subject = self.subject = dataclasses.replace(subject, hidden=latest.hidden)
        weights = Weights.random(subject.shape, seed=self.seed) if latest is None else Weights.of(latest)
        done = 0.0
        if latest is not None and part.exists():
            done, self.training.positions = latest.about.get("share", 0.0), latest.about.get("positions", 0)
        learning = self.seconds / (1 + COMPARING)
        begun = self.elapsed
        errors: list[float] = []
        while (share := done + (self.elapsed - begun) / learning) < 1 or not errors:
            length = min(LONGEST_LEG, learning * max(SHORTEST_LEG, 1 - share))
            rates = [td.RATES[0] * (td.RATES[1] / td.RATES[0]) ** each for each in (share, share + length / learning)]
            known = self.training.positions

            def tell(news: td.Progress, known: int = known) -> None:
                self.training.positions = known + news.positions
                self.tell("playing", self.elapsed - begun, learning)

            found = td.learn(
                subject.game, weights, length, rates=(rates[0], rates[1]), threads=self.threads,
                seed=self.seed + len(errors), on_step=tell,
            )  # fmt: skip
            weights, largest = found.weights, td.largest_score(subject.game)
            errors.append(found.error)
            network = subject.network(weights, largest, self._about(found.error))
            share = done + (self.elapsed - begun) / learning
            with_share(network, share).save(part)
            if found.interrupted:
                raise KeyboardInterrupt
        if self._judge(network, tuple(errors), tuple(errors), self.seconds):
            part.unlink()
        else:
            with_share(network, AGAIN).save(part)  # the next training goes on from here

    # Playing --------------------------------------------------------------------------------------------------------

    def _facts(self) -> tuple[str, str, int]:
        """Return what a file of positions must be for: the game, the fingerprint of its rules, and the words of a
        position.
        """
        game = self.subject.game
        return repr(game), fingerprint(game, seen=False), word_count(game.initial())

    def _play(self, path: Path, stack: contextlib.ExitStack, seconds: float) -> None:
        """Play for some time, and keep the positions."""
        seed = (self.seed + 1_000_003 * (1 + self.training.positions)) % (1 << 31)  # other games than before
        knows = self.best is not None or has_evaluation(self.subject.game)
        options = self.options if knows else dataclasses.replace(self.options, walks=0)
        begun, found = time.perf_counter(), [self.known]
        try:
            for chunk in self._chunks(options, seconds, seed):
                chunk = chunk if knows else without_guesses(chunk)
                if self.file is None:
                    settings = dataclasses.asdict(self.options)
                    opened = PositionFile(path, *self._facts(), left_out=hashes_in(chunk), settings=settings)
                    self.file = stack.enter_context(opened)
                self.file.append(chunk)
                found.append(chunk)
                self.training.positions += len(chunk)
                self.tell("playing", time.perf_counter() - begun, seconds)
        finally:
            self._know(joined(found))

    @property
    def _familiar(self) -> int:
        """The most positions to learn from on this machine."""
        room = MEMORY_SHARE * (memory_mb() or math.inf) * (1 << 20)
        return int(min(FAMILIAR, room / (8 * self.known.rows.shape[1] + BYTES)))

    def _chunks(self, options: SelfPlayOptions, seconds: float, seed: int) -> Iterator[Positions]:
        """Play for some time with the best evaluation so far; yield the positions as they come."""
        game, network = self.subject.game, self._player()
        if self.executor is not None:
            return far_chunks(self.executor, game, network, options, seconds, seed)
        judged = game if network is None else self.subject.judged(network)
        return SelfPlay(judged, options, threads=self.threads, seed=seed).chunks(seconds=seconds)

    def _player(self) -> Network | None:
        """Return the best network so far; None for the game's own evaluation.  Where there is none, a blank network
        needs no other code than the networks to come.
        """
        if self.best is None and has_evaluation(self.subject.game) and not self.subject.corrects:
            return None
        return self.best or self.subject.blank()

    # Learning -------------------------------------------------------------------------------------------------------

    def _round(self, seconds: float) -> None:
        """Learn from what is known, and take the new network if it is better.

        One that learned nothing does not play.
        """
        network, fit = self._learn()
        learned, held_out = tuple(fit.learned), tuple(fit.held_out)
        if min(held_out) < held_out[0] * (1 - LEAST_LEARNED):
            self._judge(network, learned, held_out, seconds)
        else:
            found = Round(self.training.positions, learned, held_out, 0, 0.5, 0.0, False, self.elapsed)
            self.training.rounds.append(found)

    def _judge(self, network: Network, learned: tuple[float, ...], held_out: tuple[float, ...], seconds: float) -> bool:
        """Compare a network with the best evaluation so far, and take it if it is better; returns whether it is."""
        standing = self._compare(network, seconds)
        score, about = 0.5 if standing.score is None else standing.score, standing.estimate
        verdict = standing.verdict or ("H1" if about.superiority >= LIKELY else "H0")
        found = Round(
            self.training.positions, learned, held_out, standing.played, score, about.elo, verdict == "H1",
            self.elapsed,
        )  # fmt: skip
        self.training.rounds.append(found)
        if found.is_better:
            match = {"games": standing.played, "score": score, "elo": about.elo, "nodes": self.match_nodes}
            self.best = self.training.network = dataclasses.replace(network, about={**network.about, "match": match})
            self.best.save(self.out)
        return found.is_better

    def _learn(self) -> tuple[Network, Fit]:
        """Return a network that has learned from what is known."""
        subject = self.subject
        self.tell("learning", 0, 1)
        scale = subject.scale_of(self.known)
        examples = subject.examples(self.known, scale, self.blend)
        if examples.positions < FEW:
            raise SearchError(f"{examples.positions} positions are too few to learn from")
        active = len(examples.own) / examples.positions
        start = Weights.random(subject.shape, active, self.seed)
        fit = fit_weights(
            examples, start, self.epochs, seed=self.seed, threads=self.threads,
            on_step=lambda done, total: self.tell("learning", done, total),
        )  # fmt: skip
        if fit.interrupted:
            raise KeyboardInterrupt
        return subject.network(fit.weights, scale, self._about(min(fit.held_out))), fit

    def _about(self, loss: float) -> dict[str, Any]:
        """Return what a network's file says of its making."""
        game = self.subject.game
        return {
            "game": repr(game), "fingerprint": fingerprint(game, self.subject.corrects),
            "positions": self.training.positions, "loss": loss,
        }  # fmt: skip

    def _compare(self, network: Network, seconds: float) -> Standing:
        """Let a network play a match against the best evaluation so far."""
        end = math.inf
        latest = Standing(("new", "old"), MOST_GAMES, BETTER)

        def tell(standing: Standing) -> None:
            nonlocal latest, end
            latest = standing
            if standing.played == 0:  # everything is compiled by now
                end = time.perf_counter() + min(seconds, self.left)
            self.tell("comparing", standing.played, MOST_GAMES, standing)
            if time.perf_counter() > end and standing.played >= LEAST_GAMES:
                raise _TimeIsUp

        with tempfile.TemporaryDirectory() as folder, contextlib.suppress(_TimeIsUp):
            new, old = Path(folder) / "new.net", Path(folder) / "old.net"
            network.save(new)
            if self.best is not None:
                self.best.save(old)
            limits = Limits(nodes=self.match_nodes)
            bots = [
                BotSpec("engine", limits, {"network": str(file) if file.exists() else NONE}, file.stem)
                for file in (new, old)
            ]
            match(
                self.subject.game, *bots, games=MOST_GAMES, random_plies=self.options.least_opening, sprt=BETTER,
                concurrency=None if self.executor else self.threads, executor=self.executor,
                seed=self.seed + len(self.training.rounds), make_game=self.make_game, on_game=tell,
            )  # fmt: skip
        return latest


def with_share(network: Network, share: float) -> Network:
    """Return a network whose file says how much of the learning is done."""
    return dataclasses.replace(network, about={**network.about, "share": share})


class _TimeIsUp(Exception):
    """There is no time for more games."""


def without_guesses(positions: Positions) -> Positions:
    """Return positions of games without an evaluation: a value that is not proven says nothing there.

    Walks, of which only proven positions would be left, are no use either: most are won at once by whoever moves.
    """
    values = np.where(positions.proven, positions.values, np.nan).astype(np.float32)
    return dataclasses.replace(positions, values=values)
