"""What a worker has for its part in one position: an engine with its table, into which others' notes go too."""

from __future__ import annotations

import abc
import contextlib
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from plywise.algorithms.common import above
from plywise.cluster.bench import Desk
from plywise.cluster.parcel import arrived, with_files
from plywise.compiling.atomic import observe
from plywise.compiling.native import RoundedUp
from plywise.compiling.reading import call_of, run, specialised
from plywise.engine.any_code import made_by, prepare
from plywise.engine.deepen import at_depth, put_on_path
from plywise.engine.engine import Engine
from plywise.engine.exact import asked
from plywise.engine.facts import learn_notes
from plywise.engine.network import Network
from plywise.engine.plan import plan_for
from plywise.engine.work import LOOP, NEVER, NOTABLE, NOTED, PAST, ROOT_PLY, Work
from plywise.errors import Stopped
from plywise.game import Game, Move, State
from plywise.inputs.limits import LEAST_MB
from plywise.io.numbers import plain_number
from plywise.tables.table import Table

NOTE_SECONDS = 0.2
"""How often a worker sends what it has noted.  Less often, workers search more positions twice; more often, passing
notes on takes too much time.
"""

COUNT_SECONDS = 0.5
"""How often it says how many positions it has searched, if it has noted nothing."""

NOTABLE_NODES = 1 << 12
"""A worker sends an entry of its table to the others if the entry took at least this many positions."""

READY, QUESTION, NOTES, ANSWER, INFO = "ready", "question", "notes", "answer", "info"
"""Kinds of messages: the lead has compiled everything; it begins a question; a worker sends entries of its table, and
how many positions it has searched; a question is answered; the lead has searched to a depth.
"""


NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


class Tools(abc.ABC):
    """The tools of a slot for the parts of one position.

    Args:
        game: the rules.
        share: of the table's size.
        text: the position.
        table_mb: the size of the table, in megabytes.
        options: of the engine, as ``sendable`` returns them.
    """

    def __init__(
        self, game: Game, share: float, text: str, table_mb: float, options: Mapping[str, Any] = NO_OPTIONS
    ) -> None:
        begun = time.perf_counter()
        self.start = game.parse(text)
        self.lock = threading.Lock()
        """Held while a search is allowed to begin, or told to stop."""
        self.engine = Engine(game, table_mb=max(LEAST_MB, table_mb * share), **arrived(options))
        self.game = self.engine.game
        """The game as it is searched."""
        self.compiled: Any = None
        with made_by(specialised):
            self._learn = prepare(learn_notes, self.game, self.start, lambda: (_rows(b""), self.engine.table))
            self._compile()
        self.prepared = time.perf_counter() - begun
        """How long that took, in seconds."""
        if self.compiled is not None:
            self.work.count[NOTABLE] = NOTABLE_NODES

    @abc.abstractmethod
    def _compile(self) -> None:
        """Get the code, and the table, ready."""

    @abc.abstractmethod
    def answer(self, path: tuple[Move, ...], goal: Any, depth: int | None) -> Any:
        """Return a bound that answers whether the value after some moves reaches a goal; the workspace is ready.

        Raises:
            Stopped: it was stopped.
        """

    @property
    def work(self) -> Work:
        """The workspace of its searches."""
        return self.engine.works(self.compiled)[0]

    def path(self, moves: tuple[Move, ...]) -> list[State]:
        """Return the positions from the start to the one after some moves."""
        states = [self.start]
        for move in moves:
            states.append(self.game.play(states[-1], move))
        return states

    def learn(self, notes: list[bytes]) -> None:
        """Put notes into the table; a search may be running."""
        if self._learn is not None:
            arguments = (_rows(b"".join(notes)), self.engine.table)
            call_of(learn_notes, self.engine.game, self.start, arguments, self._learn)(*arguments)

    @contextlib.contextmanager
    def sending(self, report: Callable[[Any], None]) -> Iterator[None]:
        """Meanwhile, send the notes of the search, and how many positions it has visited."""
        work, over = self.work, threading.Event()
        sent, sent_at = work.count[NOTED], time.monotonic()

        def send() -> None:
            nonlocal sent, sent_at
            last = False
            while not last:
                last = over.wait(NOTE_SECONDS)
                count = observe(work.count, NOTED)
                first = max(sent, count - len(work.notes))
                if first < count or time.monotonic() - sent_at >= COUNT_SECONDS:
                    notes = work.notes[np.arange(first, count) % len(work.notes)].tobytes()
                    report((NOTES, [notes] if notes else [], work.nodes))
                    sent_at = time.monotonic()
                sent = count

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def sendable(network: str | Path | Network | None = None, endings: Table | str | Path | None = None) -> dict[str, Any]:
    """Return options of an engine so that they can travel: files, and a table in memory, do so as files.

    Raises:
        GameError: a file cannot be read, or is too large.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(endings, Table):
            saved = Path(folder) / "endings.table"
            endings.save(saved)
            endings = saved
        options = {"network": network, "endings": endings}
        return with_files({name: given for name, given in options.items() if given is not None}, tuple(options))


def _rows(content: bytes) -> np.ndarray:
    return np.array(np.frombuffer(content, dtype=np.int64).reshape(-1, 4))


class Solver(Tools):
    """The tools for a search to the end of the game."""

    def _compile(self) -> None:
        self.compiled = prepare(
            asked, self.game, self.start, lambda: (RoundedUp(0.0), self.engine.table, self.engine.works(True)[0])
        )
        self.engine.use_table_for_proofs(self.compiled)

    def answer(self, path: tuple[Move, ...], goal: Any, depth: int | None) -> Any:
        given = goal if self.compiled is None else RoundedUp(float(goal))
        state = self.path(path)[-1]
        return run(asked, self.game, state, (given, self.engine.table, self.work), self.work, self.compiled)


class Searcher(Tools):
    """The tools for exact searches to a depth."""

    def _compile(self) -> None:
        self.game = self.engine.games_to_search(exact=True)[0]
        self.plan = plan_for(self.game, True)
        self.compiled = prepare(at_depth, self.game, self.start, lambda: self._arguments(1, 1, True))
        self.engine.use_table_for_playing(self.game, self.plan, self.compiled)

    def _arguments(self, depth: int, goal: Any, compiled: Any) -> tuple[Any, ...]:
        window: tuple[Any, Any] = (-above(self.game, -goal), goal)
        if compiled is not None:
            window = float(window[0]), RoundedUp(float(goal))
        return depth, *window, self.plan, self.engine.table, self.engine.works(compiled)[0]

    def answer(self, path: tuple[Move, ...], goal: Any, depth: int | None) -> Any:
        """Deepen ply by ply: the shallower searches find the moves that the deeper ones try first."""
        assert depth is not None
        *before, state = self.path(path)
        work, value = self.work, None
        work.count[PAST], work.count[LOOP], work.count[ROOT_PLY] = 0, NEVER, len(path)
        if self.plan.loops and before:
            put_on_path(self.game, state, before, work, self.compiled)
        for look in range(1, depth + 1):
            value = run(at_depth, self.game, state, self._arguments(look, goal, self.compiled), work, self.compiled)
        return value


def answer_piece(desk: Desk, path: tuple[Move, ...], goal: Any, depth: int | None) -> tuple[Any, int]:
    """Answer one question: a job of a helper.  Returns the bound, and how many positions were searched."""
    tools: Tools = desk.tools
    tools.work.begin(None)
    with desk.heeding(tools.work.stop, lambda message: tools.learn(message[1])), tools.sending(desk.report):
        value = tools.answer(path, goal, depth)
    return plain_number(value), tools.work.nodes


class Answers:
    """What helpers find out for the lead, and the question that it is at.

    Args:
        tools: the lead's.
        is_over: whether the whole search was told to stop.
    """

    def __init__(self, tools: Tools, is_over: Callable[[], bool]) -> None:
        self.tools, self.is_over = tools, is_over
        self.question: Any = None
        self.known: dict[Any, Any] = {}
        """The answers, by question."""

    def take(self, message: Any) -> None:
        """Take notes, or an answer; one to the present question stops the lead's own search."""
        kind, *rest = message
        if kind == NOTES:
            self.tools.learn(*rest)
            return
        question, value = rest
        with self.tools.lock:
            self.known[question] = value
            if question == self.question:
                self.tools.work.stop()

    def begin(self, question: Any) -> bool:
        """Begin with a question, or with None; return whether it is answered already.

        Raises:
            Stopped: the whole search was stopped.
        """
        with self.tools.lock:
            self.question = question
            self.tools.work.allow(None)
            if self.is_over():  # that came before allow()
                self.tools.work.stop()
                raise Stopped
            return question in self.known

    def ask(self, question: Any, search: Callable[[], Any]) -> Any:
        """Return the answer to a question, by a search unless helpers are faster.

        Raises:
            Stopped: the whole search was stopped.
        """
        if self.begin(question):
            return self.known[question]
        try:
            return search()
        except Stopped:
            if self.is_over() or question not in self.known:
                raise
            return self.known[question]
