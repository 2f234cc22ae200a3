"""A cluster in simulated time: workers that take as long as they are told, die, and hear messages late.

The coordinator (``plywise.cluster.coordinator``) runs on it as on a real one, so tests can try thousands of runs, and
``benchmarks/scaling.py`` can ask what a thousand workers would give.  The searches are those of ``engine.reaches``, as
generators: each step yields the seconds that it takes.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

from plywise.algorithms.common import above, infinity
from plywise.cluster.bench import Finished, Kit
from plywise.cluster.closing import Closing
from plywise.cluster.coordinator import Coordinator
from plywise.cluster.executor import MOST_KILLS, Crew, Executor, Job, Outcome, Report, lost
from plywise.cluster.tools import NOTABLE_NODES, NOTE_SECONDS, NOTES, QUESTION
from plywise.engine.exact import all_values, next_goal
from plywise.engine.reaches import proven
from plywise.errors import Stopped
from plywise.game import Game, State, sign

Steps = Generator[float, None, Any]


@dataclasses.dataclass(frozen=True)
class World:
    """What the simulated machines are like."""

    workers: int
    node_seconds: float = 1e-6
    step_seconds: float = 0.0
    """The least time that a step takes: a job hears messages only between steps."""
    delay: float = 0.002
    """The mean time that a message takes."""
    notable: int = NOTABLE_NODES
    """A worker sends an entry to the others if the entry took at least this many positions."""
    note_seconds: float = NOTE_SECONDS
    """How often they are sent."""
    deaths: float = 0.0
    """How many times a worker dies in a second of work, on average."""
    seed: int = 0


@dataclasses.dataclass(eq=False)
class SimulatedDesk:
    """What a job sees."""

    world: World
    report: Callable[[Any], None]
    table: dict[Any, tuple[Any, bool]]
    stopped: bool = False
    answers: dict[Any, Any] = dataclasses.field(default_factory=dict)
    noted: list[tuple[Any, tuple[Any, bool]]] = dataclasses.field(default_factory=list)
    nodes: int = 0
    owed: float = 0.0
    """Seconds of work since the last step."""

    def hear(self, message: Any) -> None:
        """Take a message."""
        kind, *rest = message
        if kind == NOTES:
            self.table.update(dict(rest[0]))
        else:
            self.answers[rest[0]] = rest[1]


@dataclasses.dataclass(eq=False)
class _Seat:
    """A worker."""

    table: dict[Any, tuple[Any, bool]] = dataclasses.field(default_factory=dict)
    job: Job | None = None
    desk: SimulatedDesk | None = None
    steps: Steps | None = None
    begun: float = 0.0
    noted_at: float = 0.0


class Simulation(Executor):
    """An executor whose clock is ``now``."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world, self.now = world, 0.0
        self.chance = random.Random(world.seed)
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.order = itertools.count()
        self.waiting: deque[Job] = deque()
        self.seats = [_Seat() for _ in range(world.workers)]
        self.kills: dict[int, int] = {}
        self.ready: deque[Outcome | Report] = deque()
        self.given = 0
        """How many jobs were begun."""
        self.busy = 0.0
        """Seconds of work, of all workers together."""

    @property
    def slots(self) -> int:
        return self.world.workers

    def crew(self) -> Crew:
        return Crew(self.slots, self.slots, sum(seat.job is not None for seat in self.seats), self.retried)

    def release(self, kit: Kit) -> None:
        pass

    def _bring(self, job: Job) -> None:
        pass

    # Time -----------------------------------------------------------------------------------------------------------

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something later."""
        heapq.heappush(self.events, (self.now + seconds, next(self.order), action))

    def _late(self, action: Callable[[], None]) -> None:
        self.at(self.chance.expovariate(1 / self.world.delay) if self.world.delay else 0.0, action)

    def next(self, timeout: float | None = None) -> Outcome | Report | None:
        end = self.now + (timeout or 0.0)
        while True:
            while self.ready:
                news = self.ready.popleft()
                if self._is_wanted(news):
                    return news
            if not self.events or (timeout is not None and self.events[0][0] > end):
                self.now = max(self.now, end)
                return None
            self.now, _, action = heapq.heappop(self.events)
            action()

    # Jobs -----------------------------------------------------------------------------------------------------------

    def _start(self, job: Job) -> None:
        self._late(lambda: self._arrive(job))

    def _arrive(self, job: Job) -> None:
        self.waiting.append(job)
        self._distribute()

    def _distribute(self) -> None:
        for seat in self.seats:
            while seat.job is None and self.waiting:
                job = self.waiting.popleft()
                if job.number in self.jobs:
                    self._sit(seat, job)

    def _sit(self, seat: _Seat, job: Job) -> None:
        def report(message: Any) -> None:
            self._late(lambda: self.ready.append(Report(job, message)))

        self.given += 1
        seat.job, seat.begun, seat.noted_at = job, self.now, self.now
        seat.desk = SimulatedDesk(self.world, report, seat.table)
        for message in job.messages:
            seat.desk.hear(message)
        seat.steps = job.work(seat.desk, *job.arguments)
        self._go_on(seat, job)

    def _go_on(self, seat: _Seat, job: Job) -> None:
        """Let a job make its next step, unless its worker has another job by now."""
        if seat.job is not job or seat.steps is None or seat.desk is None:
            return
        desk = seat.desk
        if desk.noted and self.now - seat.noted_at >= self.world.note_seconds:
            desk.report((NOTES, desk.noted, desk.nodes))
            desk.noted, seat.noted_at = [], self.now
        try:
            spent = next(seat.steps)
        except StopIteration as end:
            self._leave(seat, job, Finished(end.value, None, self.now - seat.begun))
            return
        except Stopped:
            self._leave(seat, job, Finished(None, Stopped(), self.now - seat.begun))
            return
        self.busy += spent
        if self.world.deaths and self.chance.random() < self.world.deaths * spent:
            self.at(spent, lambda: self._die(seat, job))
        else:
            self.at(spent, lambda: self._go_on(seat, job))

    def _leave(self, seat: _Seat, job: Job, finished: Finished) -> None:
        seat.job = seat.steps = seat.desk = None
        self._late(lambda: self.ready.append(Outcome(job, *finished)))
        self._distribute()

    def _die(self, seat: _Seat, job: Job) -> None:
        """Lose the worker with its table; its job goes to another."""
        if seat.job is not job:
            return
        seat.job = seat.steps = seat.desk = None
        seat.table = {}
        self.kills[job.number] = self.kills.get(job.number, 0) + 1
        if self.kills[job.number] < MOST_KILLS:
            self.retried += 1
            self._late(lambda: self._arrive(job))
        else:
            self._late(lambda: self.ready.append(Outcome(job, *lost(job, "its worker died"))))
        self._distribute()

    def _desk(self, job: Job) -> SimulatedDesk | None:
        return next((seat.desk for seat in self.seats if seat.job is job), None)

    def _cancel(self, job: Job) -> None:
        def stop() -> None:
            if desk := self._desk(job):
                desk.stopped = True

        self._late(stop)

    def _update(self, job: Job, message: Any, lasting: bool) -> None:
        def tell() -> None:
            if desk := self._desk(job):
                desk.hear(message)

        self._late(tell)


# Searches -------------------------------------------------------------------------------------------------------------


def answered(
    desk: SimulatedDesk, game: Game, state: State, goal: Any, depth: int | None = None, question: Any = None
) -> Steps:
    """Answer as ``engine.reaches`` does, or to a depth as ``engine.playing_search`` does.  If ``question`` is answered
    by others meanwhile, give up.

    Raises:
        Stopped: the answer is no longer wanted.
    """
    low, high = _known(game, state, depth)
    if low >= goal or high < goal:
        return low if low >= goal else high
    desk.nodes += 1
    desk.owed += desk.world.node_seconds
    if desk.owed >= desk.world.step_seconds:
        yield desk.owed
        desk.owed = 0.0
    if desk.stopped or (question is not None and question in desk.answers):
        raise Stopped
    key = (game.rest_key(state), depth)
    known = desk.table.get(key)
    if known is not None and known[1] == (known[0] >= goal):
        return known[0]
    player, best, before = game.to_move(state), -infinity(game), desk.nodes
    moves, below = (game.candidates(state), None) if depth is None else (game.moves(state), depth - 1)
    for move in sorted(moves, key=lambda move: -game.order(state, move)):
        child = game.play(state, move)
        if game.to_move(child) != player:
            value = -(yield from answered(desk, game, child, above(game, -goal), below, question))
        else:
            value = yield from answered(desk, game, child, goal, below, question)
        best = max(best, value)
        if best >= goal:
            break
    desk.table[key] = (best, best >= goal)
    if desk.nodes - before >= desk.world.notable:
        desk.noted.append((key, (best, best >= goal)))
    return best


def _known(game: Game, state: State, depth: int | None) -> tuple[Any, Any]:
    """Return bounds of the value for the player to move, known without search."""
    if depth is None or game.is_terminal(state):
        return proven(game, state, game.to_move(state))
    if depth == 0:
        value = sign(game.to_move(state)) * game.evaluate(state)
        return value, value
    return -infinity(game), infinity(game)


def _asked(desk: SimulatedDesk, game: Game, start: State, goal: Any, depth: int | None) -> Steps:
    """Answer a question of the lead's, unless helpers are faster."""
    try:
        return (yield from answered(desk, game, start, goal, depth, (goal, depth)))
    except Stopped:
        if desk.stopped:
            raise
        return desk.answers[goal, depth]


def simulated_lead(desk: SimulatedDesk, game: Game, start: State, guess: Any) -> Steps:
    """Solve a position, as ``plywise.cluster.solving.lead`` does."""
    known = all_values(game, start)
    while known.is_open(False):
        goal = next_goal(game, known)
        desk.report((QUESTION, (known.low, known.high), goal, bool(guess >= goal)))
        value = yield from _asked(desk, game, start, goal, None)
        known = known.narrowed(goal, value)
    desk.report((QUESTION, (known.low, known.high)))
    return known.answer(False)


def simulated_deepening(desk: SimulatedDesk, game: Game, start: State, depth: int) -> Steps:
    """Search a position to a depth, as ``plywise.cluster.searching.lead`` does."""
    guess: Any = 0
    for ply in range(1, depth + 1):
        closing = Closing(game, guess)
        while closing.is_open:
            goal = closing.goal()
            desk.report((QUESTION, (closing.low, closing.high), goal, bool(guess >= goal), ply))
            closing.take(goal, (yield from _asked(desk, game, start, goal, ply)))
        guess = closing.low
    desk.report((QUESTION, (guess, guess)))
    return guess


def simulated_piece(
    desk: SimulatedDesk, game: Game, start: State, path: tuple[Any, ...], goal: Any, depth: int | None
) -> Steps:
    """Answer a question, as ``plywise.cluster.tools.answer_piece`` does."""
    for move in path:
        start = game.play(start, move)
    value = yield from answered(desk, game, start, goal, depth)
    return value, desk.nodes


def simulated_solve(game: Game, start: State, world: World, guess: Any = 0) -> tuple[Any, Simulation]:
    """Return the value of a position for the player to move, and the simulation that found it."""
    return _simulated(game, start, world, simulated_lead, guess)


def simulated_search(game: Game, start: State, world: World, depth: int) -> tuple[Any, Simulation]:
    """Return the value of a position at a depth, for the player to move, and the simulation that found it."""
    return _simulated(game, start, world, simulated_deepening, depth)


def _simulated(
    game: Game, start: State, world: World, lead: Callable[..., Steps], given: Any
) -> tuple[Any, Simulation]:
    simulation, kit = Simulation(world), Kit(game, lead)
    coordinator = Coordinator(
        simulation, game, start, Job(kit, lead, (game, start, given)),
        lambda node: Job(kit, simulated_piece, (game, start, node.path, node.goal, node.depth)),
        clock=lambda: simulation.now,
    )  # fmt: skip
    return coordinator.run(), simulation
