"""Analysis, a job of the Play room in a worker process: the best lines of a position, for as long as somebody looks.

The engine searches several lines at once.  Monte Carlo tree search has several too, and other algorithms have one.  A
thread of its own tells the client what is known, several times a second, so that the search is never kept waiting.

While the first depth takes long, as it does in plain Python, it tells what the moves look like at a glance.

An analysis is patient (see ``workers``): it stops when others wait, and goes on later with the same table or tree.
Until the search is back where it was, the client sees the earlier lines.
"""

from __future__ import annotations

import contextlib
import threading
import time
from itertools import islice
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import NotReady, interpreted, only_ready
from plywise.compiling.stopping import Stopper
from plywise.engine.control import Control
from plywise.errors import Stopped
from plywise.result import Result
from plywise.search import search
from plywise.web.thinking import (
    SHOWN_PLIES,
    Message,
    Played,
    at_a_glance,
    engine_for,
    grow_tree,
    judged,
    remember,
    sheet_of,
)
from plywise.web.worker import Job

MOST_SECONDS = 3600.0
"""The most seconds of an analysis, if the client asks for no limit."""

PULSE = 0.2
"""Seconds between two reports while nothing new is found."""

LEAST = 0.05
"""The fewest seconds between two reports."""


class Order(NamedTuple):
    """What to analyse, and how."""

    played: Played
    lines: int
    seconds: float


def analyse(job: Job, order: Order, ready: bool) -> Message:
    """Search until the time is over, everything is proven or the job is stopped; tell the best lines meanwhile.

    If the game is not ``ready``, another process compiles it: search interpreted until the code is there.
    """
    analysis = Analysis(job, order)
    with Telling(analysis):
        while not analysis.over:
            try:
                if ready:
                    analysis.search(job.control)
                else:
                    with only_ready():
                        analysis.search(job.control)
            except NotReady as missing:
                analysis.search_interpreted(missing)
    return "done", analysis.data()


class Analysis:
    """A search, and what is known so far."""

    def __init__(self, job: Job, order: Order) -> None:
        self.job, self.order = job, order
        self.sheet = sheet_of(job, order.played)
        game = self.sheet.game
        self.by_engine = algorithms.plays_by_engine(game)
        self.by_playouts = not self.by_engine and algorithms.plays_by_playouts(game)
        self.count = min(order.lines, len(self.sheet.legal))
        self.over = False
        """Whether there is nothing left to do in this turn."""
        self.news = threading.Event()
        """Set when there is something new to tell."""
        self._earlier: dict[str, Any] | None = job.earlier and job.earlier[1]
        self._best: list[Result] = []
        self._coming: list[Result] = []
        self._shown: tuple[list[Result], list[dict[str, Any]]] = ([], [])
        self._missing: NotReady | None = None
        self._control, self._stopper = job.control, Stopper()
        self._nodes, self._begun = 0, time.perf_counter()
        self._start = self._begun

    # Searching ------------------------------------------------------------------------------------------------------

    def search(self, control: Control) -> None:
        """Search until a limit is reached, everything is proven or the control stops it."""
        self._control, self._nodes = control, 0
        sheet, session, left = self.sheet, self.order.played.session, self.order.seconds - self.seconds
        self._begun = time.perf_counter()
        if left <= 0 and self._best:
            self.over = True
            return
        limit = max(left, LEAST)
        if self.by_engine:
            result = engine_for(self.job, session, sheet.game).search(
                sheet.state, history=sheet.states[:-1], moves=sheet.legal, lines=self.count, seconds=limit,
                control=control, on_info=self._hear,
            )  # fmt: skip
            remember(self.job, session, result, sheet.states)
            self._keep(result)
        else:
            self._stopper = Stopper()
            with contextlib.suppress(Stopped), self._stopper:  # in its first depth: the moves are judged at a glance
                self._keep(self._grown(session, limit) if self.by_playouts else
                           search(sheet.game, sheet.state, seconds=limit, on_info=self._hear))  # fmt: skip
            if not self._best:
                self.guess()
        self.over = True

    def _grown(self, session: str, seconds: float) -> Result:
        """Search by Monte Carlo tree search; it does not know that moves are forbidden by repetition."""
        forbidden = len(list(self.sheet.game.moves(self.sheet.state))) - len(self.sheet.legal)
        return grow_tree(
            self.job, session, self.sheet.game, self.sheet.states, seconds=seconds, nodes=None,
            lines=self.count + forbidden, on_info=self._hear,
        ).result()  # fmt: skip

    def search_interpreted(self, missing: NotReady) -> None:
        """Search as plain Python until machine code is there, or as ``search`` does."""
        control = Control()
        self._missing = missing
        with interpreted():
            self.search(control)
        self._missing = None
        self.over = self.job.control.stopped or not control.stopped

    def guess(self) -> None:
        """Show what the moves look like at a glance: the first depth takes long."""
        guessed = at_a_glance(self.sheet)[: self.count]
        if not self._best:
            self._best = guessed

    def look_around(self) -> None:
        """Stop a search that does not know of its control; stop an interpreted one to go on with machine code."""
        missing = self._missing
        if missing is not None and (self.job.control.stopped or missing.is_there):
            self._control.stop()
        if self._control.stopped:
            self._stopper.stop()

    def _hear(self, result: Result) -> None:
        """Take in a result of a depth; the engine tells its lines one after the other."""
        if not self.by_engine:
            self._keep(result)
            return
        self._coming = [result] if result.rank == 1 else [*self._coming, result]
        if len(self._coming) == self.count:
            self._set(self._coming)

    def _keep(self, result: Result) -> None:
        """Take in a result with all its lines."""
        legal = set(self.sheet.legal)
        lines = [line for line in result.lines or (result,) if line.move in legal]
        self._set(lines[: self.count] or [result])

    def _set(self, best: list[Result]) -> None:
        self._best = best
        self._begun = time.perf_counter() - best[0].seconds  # compiling does not count
        self.news.set()

    # Telling --------------------------------------------------------------------------------------------------------

    @property
    def known(self) -> bool:
        """Whether there is something to tell."""
        return bool(self._best) or self._earlier is not None

    @property
    def seconds(self) -> float:
        """How long it has searched, in all turns."""
        before = self._earlier["seconds"] if self._earlier else 0.0
        return float(before) + time.perf_counter() - self._start

    def data(self) -> dict[str, Any]:
        """Return what is known, in the form that the page expects."""
        best, earlier = self._best, self._earlier
        self._nodes = max(self._nodes, self._control.nodes, best[0].nodes if best else 0)
        before = earlier["nodes"] if earlier else 0
        told = {
            "nodes": max(before, self._nodes) if self.by_playouts else before + self._nodes,  # a tree counts all turns
            "speed": round(self._nodes / max(time.perf_counter() - self._begun, 1e-3)),
            "seconds": round(self.seconds, 3),
        }
        if earlier is not None and not (best and (best[0].proven or _reached(best[0]) >= earlier["reached"])):
            return {**earlier, **told}
        if self._shown[0] is not best:
            self._shown = (best, [_line(result) for result in best])
        return {**judged(best[0]), **told, "compiled": best[0].compiled, "reached": _reached(best[0]),
                "lines": self._shown[1]}  # fmt: skip


class Telling:
    """Tells the client what an analysis knows, from a thread of its own, while the context lasts.

    An error there, such as one of a user's own game, stops the search and is raised when the context ends.
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.error: Exception | None = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._beat, daemon=True, name="plywise analysis")

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: Any) -> None:
        self.over.set()
        self.analysis.news.set()
        self.thread.join()
        if self.error is not None:
            raise self.error

    def _beat(self) -> None:
        analysis = self.analysis
        while not self.over.is_set():
            analysis.news.wait(PULSE - LEAST)
            analysis.news.clear()
            analysis.look_around()  # even after an error: the search may be just beginning
            if self.error is None:
                try:
                    self._tell()
                except Exception as error:
                    self.error = error
                    analysis.job.control.stop()
            self.over.wait(LEAST)

    def _tell(self) -> None:
        analysis = self.analysis
        if not analysis.known:
            analysis.guess()
        if not self.over.is_set():
            analysis.job.tell(("lines", analysis.data()))


def _reached(result: Result) -> int:
    """Return how far a search has come, to compare it: its depth, or its nodes if it grows a tree."""
    return result.nodes if result.depth is None else result.depth


def _line(result: Result) -> dict[str, Any]:
    """Return a line in the form that the page expects."""
    game, state = result.game, result.state
    moves = []
    for move in islice(result.line, SHOWN_PLIES):
        moves.append({"text": game.format_move(state, move), "name": game.move_name(state, move)})
        state = game.play(state, move)
    return {**judged(result), "moves": moves}
