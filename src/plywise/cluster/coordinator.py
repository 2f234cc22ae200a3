"""Who does what while many workers search one position: a lead and its helpers (see ``pieces``)."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from typing import Any

from plywise.cluster.executor import Executor, Job, Outcome, Report
from plywise.cluster.pieces import Node, Pieces
from plywise.cluster.tools import ANSWER, INFO, NOTE_SECONDS, NOTES, READY
from plywise.engine.progress import TELL_SECONDS, Progress, Tell
from plywise.errors import SearchError
from plywise.game import MAX, Game, State

IDLE_SECONDS = 0.05
"""How long to wait for news before looking for work for an idle helper."""


class Coordinator:
    """Gives pieces to helpers while the lead works.

    Args:
        executor: who does it.
        game: the rules.
        start: the position.
        lead: the job of the lead.
        piece: makes a helper's job from a node.
        clock: tells the time; a simulation has its own.
        on_progress: called a few times a second with the bounds that the lead has proven.
        on_info: called with what the lead says of each depth.
    """

    def __init__(
        self, executor: Executor, game: Game, start: State, lead: Job, piece: Callable[[Node], Job],
        clock: Callable[[], float] = time.monotonic, on_progress: Tell | None = None,
        on_info: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:  # fmt: skip
        self.executor, self.game, self.start, self.piece, self.clock = executor, game, start, piece, clock
        self.lead, self.on_progress, self.on_info = lead, on_progress, on_info
        self.nodes = 0
        """Positions that helpers have searched for answers."""
        self.prepared = 0.0
        """How long the lead took to compile."""
        self.pieces: Pieces | None = None
        self.began = 0.0
        self.running: dict[int, tuple[Node, Job]] = {}
        self.since: dict[Node, float] = {}
        """When the pieces of this question were begun."""
        self.noted: list[tuple[Job, Any]] = []
        """What workers have noted, to be passed on."""
        self.passed_on = 0.0
        self.counted: dict[int, int] = {}
        """Positions that the lead and running helpers have searched, by job."""
        self.known: tuple[Any, Any] = (-math.inf, math.inf)
        """The bounds that the lead has proven, for the player to move."""
        self.submitted = self.told = self.clock()
        self.ready_at: float | None = None
        """When the lead had compiled everything."""
        self.warned = False
        """Whether the user has heard of a helper that failed."""

    def run(self) -> Any:
        """Return the lead's answer."""
        with self.executor.reserved():
            return self._run()

    def _run(self) -> Any:
        try:
            self.executor.submit(self.lead)
            while True:
                news = self.executor.next(timeout=IDLE_SECONDS)
                if isinstance(news, Outcome) and news.job is self.lead:
                    return news.answer()
                if isinstance(news, Outcome):
                    self._ended(news)
                elif isinstance(news, Report):
                    self._heard(news)
                self._pass_on()
                self._give()
                self._conclude()
                self._tell()
        except KeyboardInterrupt:
            self._tell(at_once=True)
            raise
        finally:
            self._dismiss()
            self.executor.cancel(self.lead)

    def _heard(self, report: Report) -> None:
        """Take what a worker says; jobs of others may have reported, too."""
        if report.job is not self.lead and report.job.number not in self.running:
            return
        kind, *rest = report.message
        if kind == NOTES:
            notes, self.counted[report.job.number] = rest
            if notes:
                self.noted.append((report.job, notes))
        elif kind == READY:
            (self.prepared,), self.ready_at = rest, self.clock()
        elif kind == INFO:
            if self.on_info is not None:
                self.on_info(*rest)
        else:
            self._begin(*rest)

    def _begin(self, known: tuple[Any, Any], *question: Any) -> None:
        """Begin with another question of the lead's, or with none."""
        self._dismiss()
        self.known, self.pieces, self.since = known, None, {}
        if question:
            self.pieces, self.began = Pieces(self.game, self.start, *question), self.clock()

    def _pass_on(self) -> None:
        """Now and then, send what workers have noted to the others: one message to each."""
        if not self.noted or self.clock() - self.passed_on < NOTE_SECONDS:
            return
        for job in (self.lead, *(job for _, job in self.running.values())):
            notes = [note for source, notes in self.noted if source is not job for note in notes]
            if notes:
                self.executor.update(job, (NOTES, notes), lasting=False)
        self.noted, self.passed_on = [], self.clock()

    def _tell(self, at_once: bool = False) -> None:
        """Tell what is proven, a few times a second."""
        now = self.clock()
        if self.on_progress is None or not (at_once or now - self.told >= TELL_SECONDS):
            return
        self.told = now
        low, high = self.known if self.game.to_move(self.start) == MAX else (-self.known[1], -self.known[0])
        if self.ready_at is None:
            self.on_progress(Progress(low, high, 0, 0.0, now - self.submitted))
        else:
            nodes = self.nodes + sum(self.counted.values())
            self.on_progress(Progress(low, high, nodes, now - self.ready_at, self.prepared))

    def _dismiss(self) -> None:
        for number in list(self.running):
            self._forget(number)

    def _forget(self, number: int) -> None:
        """Cancel a piece that is moot; the positions that it has cost count all the same."""
        _, job = self.running.pop(number)
        self.executor.cancel(job)
        self.nodes += self.counted.pop(number, 0)

    def _ended(self, outcome: Outcome) -> None:
        """Take a helper's answer; if it settles the question, tell the lead."""
        if outcome.job.number not in self.running:
            return
        node, _ = self.running.pop(outcome.job.number)
        self.counted.pop(outcome.job.number, None)
        assert self.pieces is not None
        if outcome.error is not None:  # the lead may never come to where it happened
            self.pieces.leave_to_the_lead(node)
            self._warn(outcome.error)
            return
        value, nodes = outcome.value
        self.nodes += nodes
        self.pieces.answered(node, value, nodes, outcome.seconds)

    def _warn(self, error: BaseException) -> None:
        """Say once why helpers fail."""
        if not self.warned:
            warnings.warn(f"a helper has failed, and the lead does its work: {error}", stacklevel=2)
        self.warned = True

    def _conclude(self) -> None:
        """If the question is settled, by an answer or by the rules alone, tell the lead."""
        if self.pieces is None or self.pieces.root.value is None:
            return
        root, self.pieces = self.pieces.root, None
        self._dismiss()
        self.executor.update(self.lead, (ANSWER, (root.goal, root.depth), root.value))

    def _give(self) -> None:
        """Cancel what is moot, and give work to idle helpers."""
        for number, (node, _) in list(self.running.items()):
            if not Pieces.is_open(node):
                self._forget(number)
        while self.pieces is not None and len(self.running) < self.executor.slots - 1:
            piece = self.pieces.pick(self._seconds)
            if piece is None:
                return
            job = self.piece(piece)
            self.running[job.number] = (piece, job)
            self.since[piece] = self.clock()
            self.executor.submit(job)

    def _seconds(self, node: Node) -> float:
        """Return for how long a node has been worked on."""
        if node.parent is None:
            return self.clock() - self.began
        return self.clock() - self.since[node]


def check_sendable(game: Game, start: State) -> None:
    """Check that a position can travel as a text.

    Raises:
        SearchError: the text does not describe it exactly.
    """
    if game.parse(game.format(start)) != start:
        raise SearchError(
            f"{game!r} cannot be sent: format() and parse() do not return {game.format(start)!r} as it was"
        )
