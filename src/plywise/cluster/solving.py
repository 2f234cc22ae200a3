"""One position, solved by many machines: a lead and its helpers (see ``pieces``)."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import Executor, Job, Lost, Outcome, Report
from plywise.cluster.pieces import Node, Pieces
from plywise.compiling.atomic import observe
from plywise.compiling.native import RoundedUp
from plywise.compiling.reading import call_of, run, specialised
from plywise.engine.any_code import made_by, prepare
from plywise.engine.engine import Engine
from plywise.engine.exact import all_values, asked, next_goal
from plywise.engine.facts import learn_notes
from plywise.engine.solving import Solving
from plywise.engine.work import NOTABLE, NOTED
from plywise.errors import SearchError, Stopped
from plywise.game import Game, Move, State, sign
from plywise.inputs.limits import LEAST_MB
from plywise.io.numbers import plain_number
from plywise.result import Result

GUESS_SECONDS = 0.2
"""How long the lead searches to guess the answers."""

IDLE_SECONDS = 0.05
"""How long to wait for news before looking for work for an idle helper."""

NOTE_SECONDS = 0.1
"""How often a worker sends what it has noted."""

NOTABLE_NODES = 1 << 12
"""An entry of the table is sent to the others if the search visited at least so many positions for it."""

QUESTION, NOTES, ANSWER = "question", "notes", "answer"
"""Kinds of messages: the lead begins a question; a worker has noted entries of its table; a question is answered."""


# On the worker --------------------------------------------------------------------------------------------------------


class Solver:
    """The tools of a slot: an engine with its table."""

    def __init__(self, game: Game, share: float, text: str, table_mb: float) -> None:
        self.game, self.start = game, game.parse(text)
        self.lock = threading.Lock()
        """Held while a search is allowed to begin, or told to stop."""
        self.engine = Engine(game, table_mb=max(LEAST_MB, table_mb * share))
        with made_by(specialised):
            self.compiled = prepare(
                asked, game, self.start, lambda: (RoundedUp(0.0), self.engine.table, self._work(True))
            )
            self._learn = prepare(learn_notes, game, self.start, lambda: (_rows(b""), self.engine.table))
        self.engine.use_table_for_proofs(self.compiled)
        if self.compiled is not None:
            self.work.count[NOTABLE] = NOTABLE_NODES

    def _work(self, compiled: Any) -> Any:
        return self.engine.works(compiled)[0]

    @property
    def work(self) -> Any:
        """The workspace of its searches."""
        return self._work(self.compiled)

    def at(self, path: tuple[Move, ...]) -> State:
        """Return the position after some moves."""
        state = self.start
        for move in path:
            state = self.game.play(state, move)
        return state

    def ask(self, state: State, goal: Any) -> Any:
        """Return a bound of the value for the player to move, as ``asked`` does; the workspace must be ready.

        Raises:
            Stopped: it was stopped.
        """
        given = goal if self.compiled is None else RoundedUp(float(goal))
        return run(asked, self.game, state, (given, self.engine.table, self.work), self.work, self.compiled)

    def learn(self, notes: list[bytes]) -> None:
        """Put notes into the table; a search may be running."""
        if self._learn is not None:
            arguments = (_rows(b"".join(notes)), self.engine.table)
            call_of(learn_notes, self.game, self.start, arguments, self._learn)(*arguments)

    @contextlib.contextmanager
    def sending(self, report: Callable[[Any], None]) -> Iterator[None]:
        """Meanwhile, send the notes of the search."""
        work, over = self.work, threading.Event()
        sent = work.count[NOTED]

        def send() -> None:
            nonlocal sent
            last = False
            while not last:
                last = over.wait(NOTE_SECONDS)
                count = observe(work.count, NOTED)
                first = max(sent, count - len(work.notes))
                if first < count:
                    report((NOTES, [work.notes[np.arange(first, count) % len(work.notes)].tobytes()]))
                sent = count

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _rows(content: bytes) -> np.ndarray:
    return np.array(np.frombuffer(content, dtype=np.int64).reshape(-1, 4))


def answer_piece(desk: Desk, path: tuple[Move, ...], goal: Any) -> tuple[Any, int]:
    """Answer one question: a job of a helper.  Returns the bound, and how many positions were searched."""
    solver: Solver = desk.tools
    solver.work.begin(None)
    with desk.heeding(solver.work.stop, lambda message: solver.learn(message[1])), solver.sending(desk.report):
        value = solver.ask(solver.at(path), goal)
    return plain_number(value), solver.work.nodes


class _Lead(Solving):
    """The whole solution, with the answers of helpers where there are some."""

    def __init__(self, solver: Solver, desk: Desk, weak: bool, all_moves: bool) -> None:
        self.solver, self.desk = solver, desk
        self.goal: Any = None
        self.answers: dict[Any, Any] = {}
        """What helpers have found, by goal."""
        super().__init__(solver.engine, solver.start, weak, all_moves)

    def take(self, message: Any) -> None:
        """Take notes, or an answer."""
        kind, *rest = message
        if kind == NOTES:
            self.solver.learn(*rest)
            return
        goal, value = rest
        with self.solver.lock:
            self.answers[goal] = value
            if goal == self.goal:
                self.solver.work.stop()

    def _find(self) -> Any:
        guess = self.engine.search(self.start, seconds=GUESS_SECONDS).value * sign(self.game.to_move(self.start))
        self.engine.use_table_for_proofs(self.compiled)
        known = all_values(self.game, self.start)
        while known.is_open(self.weak):
            goal = plain_number(next_goal(self.game, known))
            self.desk.report((QUESTION, goal, bool(guess >= goal)))
            known = known.narrowed(goal, self._answer(goal))
        self._begin(None)
        self.desk.report((QUESTION,))
        return known.answer(self.weak)

    def _begin(self, goal: Any) -> bool:
        """Begin with a question; return whether it is answered already."""
        with self.solver.lock:
            self.goal = goal
            self.solver.work.allow(None)
            return goal in self.answers

    def _answer(self, goal: Any) -> Any:
        """Return a bound of the value that answers whether it reaches the goal."""
        if self._begin(goal):
            return self.answers[goal]
        try:
            return self.solver.ask(self.start, goal)
        except Stopped:
            if goal not in self.answers:
                raise
            return self.answers[goal]


def lead(desk: Desk, weak: bool, all_moves: bool) -> tuple[Any, ...]:
    """Solve the position: the job of the lead.  Reports every question, and an empty one when there are no more."""
    solver: Solver = desk.tools
    with made_by(specialised):
        leading = _Lead(solver, desk, weak, all_moves)
        with desk.heeding(solver.work.stop, leading.take), solver.sending(desk.report):
            found = leading.run(None)
    moves = None if found.moves is None else {move: plain_number(value) for move, value in found.moves.items()}
    return plain_number(found.value), found.line, moves, found.nodes, found.table_fill, found.compiled


# Here -----------------------------------------------------------------------------------------------------------------


class Coordinator:
    """Gives pieces to helpers while the lead works.

    Args:
        executor: who does it.
        game: the rules.
        start: the position.
        lead: the job of the lead.
        piece: makes a helper's job from the moves to a position and a goal.
        clock: tells the time; a simulation has its own.
    """

    def __init__(
        self, executor: Executor, game: Game, start: State, lead: Job, piece: Callable[[tuple[Move, ...], Any], Job],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.executor, self.game, self.start, self.piece, self.clock = executor, game, start, piece, clock
        self.lead = lead
        self.nodes = 0
        """Positions that helpers have searched."""
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

    def run(self) -> Any:
        """Return the lead's answer."""
        self.executor.submit(self.lead)
        try:
            while True:
                news = self.executor.next(timeout=IDLE_SECONDS)
                if isinstance(news, Outcome) and news.job is self.lead:
                    self.prepared = news.prepared
                    return news.answer()
                if isinstance(news, Outcome):
                    self._ended(news)
                elif isinstance(news, Report):
                    self._heard(news)
                self._pass_on()
                self._give()
        finally:
            self._dismiss()
            self.executor.cancel(self.lead)

    def _heard(self, report: Report) -> None:
        """Begin with another question of the lead's, or take what a worker has noted."""
        kind, *rest = report.message
        if kind == NOTES:
            self.noted.append((report.job, rest[0]))
            return
        self._dismiss()
        self.pieces, self.since = None, {}
        if rest:
            self.pieces, self.began = Pieces(self.game, self.start, *rest), self.clock()

    def _pass_on(self) -> None:
        """Now and then, send what workers have noted to the others: one message to each."""
        if not self.noted or self.clock() - self.passed_on < NOTE_SECONDS:
            return
        for job in (self.lead, *(job for _, job in self.running.values())):
            notes = [note for source, notes in self.noted if source is not job for note in notes]
            if notes:
                self.executor.update(job, (NOTES, notes), lasting=False)
        self.noted, self.passed_on = [], self.clock()

    def _dismiss(self) -> None:
        for _, job in self.running.values():
            self.executor.cancel(job)
        self.running.clear()

    def _ended(self, outcome: Outcome) -> None:
        """Take a helper's answer; if it settles the question, tell the lead."""
        if outcome.job.number not in self.running:
            return
        node, _ = self.running.pop(outcome.job.number)
        if isinstance(outcome.error, Lost):
            return  # the lead will do it
        value, nodes = outcome.answer()
        self.nodes += nodes
        assert self.pieces is not None
        self.pieces.answered(node, value, nodes, outcome.seconds)
        root = self.pieces.root
        if root.value is not None:
            self.executor.update(self.lead, (ANSWER, root.goal, root.value))

    def _give(self) -> None:
        """Cancel what is moot, and give work to idle helpers."""
        for number, (node, job) in list(self.running.items()):
            if not Pieces.is_open(node):
                self.executor.cancel(job)
                del self.running[number]
        while self.pieces is not None and len(self.running) < self.executor.slots - 1:
            piece = self.pieces.pick(self._seconds)
            if piece is None:
                return
            job = self.executor.submit(self.piece(piece.path, piece.goal))
            self.running[job.number] = (piece, job)
            self.since[piece] = self.clock()

    def _seconds(self, node: Node) -> float:
        """Return for how long a node has been worked on."""
        if node.parent is None:
            return self.clock() - self.began
        return self.clock() - self.since[node]


def solve_together(
    executor: Executor, game: Game, start: State, *, weak: bool = False, all_moves: bool = False, table_mb: float = 64.0
) -> Result:
    """Return the exact value of a position, a best move and a line of best play, found by all workers of an executor.

    Args:
        executor: who solves it.
        game: whose rules to follow.
        start: the position.
        weak: find only who wins.
        all_moves: also find the value of every move.
        table_mb: the size of each worker's table, in megabytes.

    Raises:
        SearchError: the lead's workers died too often, or a text does not describe the position exactly.
    """
    if game.parse(game.format(start)) != start:
        raise SearchError(
            f"{game!r} cannot be sent: format() and parse() do not return {game.format(start)!r} as it was"
        )
    kit = Kit(game, Solver, game.format(start), table_mb)
    coordinator = Coordinator(
        executor, game, start, Job(kit, lead, (weak, all_moves), game.format(start)),
        lambda path, goal: Job(kit, answer_piece, (path, goal), f"a part of {game.format(start)!r}"),
    )  # fmt: skip
    begun = time.perf_counter()
    try:
        value, line, moves, nodes, fill, compiled = coordinator.run()
    finally:
        executor.release(kit)
    return Result(
        game=game, state=start, value=value, move=line[0], line=tuple(line), bound="exact", proven=True, depth=None,
        nodes=nodes + coordinator.nodes, leaves=None, seconds=time.perf_counter() - begun - coordinator.prepared,
        algorithm="engine", compiled=compiled, moves=moves, table_fill=fill,
    )  # fmt: skip
