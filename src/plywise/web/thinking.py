"""The jobs of the Play room in a worker process: search a position and report the progress."""

from __future__ import annotations

import dataclasses
import random
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import as_ready, wants_compiled
from plywise.engine.engine import Engine
from plywise.engine.mcts import Crew, Wishes, crew_for
from plywise.engine.strength import LEVELS
from plywise.explain.titles import value_in_words
from plywise.game import Game, State
from plywise.inputs.limits import LONGEST_LINE
from plywise.inputs.positions import path_to
from plywise.match.dice import after_rolls
from plywise.result import Result
from plywise.search import search
from plywise.warm import search_once
from plywise.web.score_sheet import ScoreSheet, read_sheet
from plywise.web.views import chart_value
from plywise.web.worker import Job

TABLE_MB = 64.0

MOST_KEPT = 3
"""How many tables and trees of searches a worker keeps: a search that gave way to another goes on where it was."""

GLANCE = 0.05
"""Seconds to look for a first move that makes sense."""

SHOWN_PLIES = 16
"""The most plies shown of a line of play."""

PULSE = 0.25
"""Seconds between two reports while a depth takes long."""


class Played(NamedTuple):
    """The game in progress that a job is about, and whose engine searches it."""

    game: str
    parameters: str
    start: str | None
    moves: tuple[str, ...]
    seed: int | None
    session: str = ""


class Order(NamedTuple):
    """What to search, and how."""

    played: Played
    level: int
    seconds: float
    depth: int | None


Message = tuple[str, dict[str, Any]]
"""A message to the page: its name and its data."""


def think(job: Job, order: Order, ready: bool) -> Message:
    """Search, report after every depth and at intervals in between, and return the chosen move.

    If the game is not ``ready``, another process compiles it: search interpreted, unless the code is there already.
    """
    return _thought(job, order) if ready else as_ready(partial(_thought, job, order))


def _thought(job: Job, order: Order) -> Message:
    thought = Thought(job, order)
    result = thought.search()
    chosen = thought.level.choose(result, random.Random(), lambda: thought.sheet.legal)
    line = next((each for each in result.lines or (result,) if each.move == chosen.move), None)
    chosen = thought.judge(chosen) if line is None else line
    game, state = chosen.game, chosen.state
    effort = {"nodes": result.nodes, "seconds": round(result.seconds, 3), "speed": round(result.nodes_per_second)}
    return "done", {**seen(chosen), **effort, "name": game.move_name(state, chosen.move)}


class Thought:
    """The search for a move."""

    def __init__(self, job: Job, order: Order) -> None:
        self.job, self.order = job, order
        self.sheet = sheet_of(job, order.played)
        game = self.sheet.game
        self.by_engine = algorithms.plays_by_engine(game, order.depth)
        self.by_playouts = not self.by_engine and algorithms.plays_by_playouts(game)
        self.level = [*LEVELS.values()][order.level - 1].strength(game, self.by_engine)
        self._limits: dict[str, Any] = {"seconds": order.seconds, "depth": order.depth, "nodes": self.level.limit(game)}

    def search(self) -> Result:
        """Return the best line, or lines if the level chooses among several."""
        states, game = self.sheet.states, self.sheet.game
        if self.by_playouts:
            control, limits = self.job.next_control(), self._limits
            return grow_tree(
                self.job, self.order.played.session, game, states, seconds=limits["seconds"], nodes=limits["nodes"],
                on_info=self._report, enough=lambda _: control.stopped,
            ).result()  # fmt: skip
        result = self._found(states, lines=self.level.lines(game), on_info=self._report)
        if self.by_engine:
            remember(self.job, self.order.played.session, result, states)
        return result

    def judge(self, slip: Result) -> Result:
        """Return a move that the search did not choose with the line that follows and its value."""
        game, state, move = slip.game, slip.state, slip.move
        if self.by_engine:
            return self._found(self.sheet.states, moves=(move,))
        after = game.play(state, move)
        if game.is_terminal(after):
            value = game.score(after) if game.is_zero_sum() else tuple(game.scores(after))
            return dataclasses.replace(slip, value=value, bound="exact", proven=True, depth=None)
        found = self._found((*self.sheet.states, after))
        return dataclasses.replace(found, state=state, move=move, line=(move, *found.line))

    def _report(self, result: Result) -> None:
        if result.rank == 1:
            self.job.tell(("info", seen(result)))

    def _found(self, states: Sequence[State], on_info: Callable[[Result], None] | None = None, **more: Any) -> Result:
        """Search the last of these positions; the engine takes ``more`` options."""
        game, control = self.sheet.game, self.job.next_control()
        *history, state = states
        if self.by_engine:
            with Pulse(self.job):
                return engine_for(self.job, self.order.played.session, game).search(
                    state, history=history, control=control, on_info=on_info, **self._limits, **more
                )
        past: dict[str, Any] = {"history": history} if self.by_playouts else {}
        return search(game, state, **self._limits, **past, on_info=on_info, enough=lambda _: control.stopped)


def prepare(job: Job, game: str, parameters: str) -> Message:
    """Compile everything that ``think`` needs for a game, or load it from the cache."""
    made = job.games.make(game, parameters)
    state = after_rolls(made, made.initial())
    if made.is_terminal(state):
        pass
    elif algorithms.plays_by_engine(made):
        search_once(made, exact=False)
    elif algorithms.plays_by_playouts(made):
        search(made, state, nodes=1)
    else:
        search(made, state, depth=1)
    return "done", {}


def sheet_of(job: Job, played: Played) -> ScoreSheet:
    """Return the score sheet of a game in progress."""
    return read_sheet(job.games.make(played.game, played.parameters), played.start, played.moves, played.seed)


def engine_for(job: Job, session: str, game: Game) -> Engine:
    """Return this session's engine with its table if this worker still has it, or a new one."""
    kept = _kept(job)
    engine: Engine | None = kept.pop((session, game), None)
    _make_room(kept)
    kept[session, game] = engine = engine or Engine(game, table_mb=TABLE_MB)
    return engine


def tree_for(job: Job, session: str, game: Game, states: Sequence[State]) -> Crew | None:
    """Return this session's tree of Monte Carlo tree search for the last of these positions, which have led to it, if
    this worker still has it.  Machine code cannot use a tree that plain Python has grown.
    """
    crew: Crew | None = _kept(job).get((session, game, wants_compiled(game)))
    return crew if session and crew is not None and crew.path == path_to(game, states[-1], states[:-1]) else None


def grow_tree(
    job: Job, session: str, game: Game, states: Sequence[State], *, seconds: float | None, nodes: int | None,
    lines: int = 1, on_info: Callable[[Result], None] | None = None, enough: Callable[[Result], bool] | None = None,
) -> Crew:  # fmt: skip
    """Search the last of these positions by Monte Carlo tree search, and return who did, with the tree.

    It goes on with the tree of ``tree_for``, unless ``nodes`` limits it: the same number gives the same answer.
    """
    crew, kept = None if nodes is not None else tree_for(job, session, game, states), _kept(job)
    kept.pop((session, game, wants_compiled(game)), None)  # if an error ends the search, it cannot go on
    _make_room(kept)
    crew = crew or crew_for(game, states[-1], states[:-1], Wishes())
    crew.lines = lines
    crew.go_on(seconds, nodes, on_info, enough)
    kept[session, game, wants_compiled(game)] = crew
    return crew


def _kept(job: Job) -> dict[Any, Any]:
    """Return the tables and trees that this worker keeps, by session and game, the least recently used first."""
    return job.kept.setdefault("searched", {})  # type: ignore[no-any-return]


def _make_room(kept: dict[Any, Any]) -> None:
    """Free old tables before the next is allocated."""
    while len(kept) >= MOST_KEPT:
        del kept[next(iter(kept))]


def at_a_glance(sheet: ScoreSheet) -> list[Result]:
    """Return moves by what their positions look like, best first, so that there is one before the search has any.

    Only as many moves are looked at as time allows, but one in any case.
    """
    game, state = sheet.game, sheet.state
    player, begun = game.to_move(state), time.perf_counter()
    found: list[tuple[float, Result]] = []
    for move in sheet.legal:
        after = game.play(state, move)
        scores = game.scores(after) if game.is_terminal(after) else game.estimates(after)
        seconds = time.perf_counter() - begun
        result = Result(
            game=game, state=state, value=scores[0] if game.is_zero_sum() else tuple(scores), move=move, line=(move,),
            bound="estimate", proven=False, depth=0, nodes=len(found) + 1, leaves=None, seconds=seconds,
            algorithm="evaluation", compiled=False,
        )  # fmt: skip
        found.append((float(scores[player]), result))
        if seconds > GLANCE:
            break
    return [result for _, result in sorted(found, key=lambda each: -each[0])]


def judged(result: Result) -> dict[str, Any]:
    """Return the value of a result in the form that the page expects, and how far the search looked for it.

    ``depth`` is None if it looked ``to_end``: the value is proven, or a win was seen to its end, in ``plies``, or there
    are no longer lines of play.
    """
    game, value = result.game, _plain(result.value)
    plies = game.plies_to_win(float(value)) if isinstance(value, (int, float)) else -1
    proven = result.proven and result.bound == "exact"
    to_end = proven or plies >= 0 or (result.depth or 0) >= LONGEST_LINE
    return {
        "value": chart_value(game, value),
        "text": f"{result.relation}{value_in_words(game, value)}",
        "proven": proven,
        "expected": result.expected,
        "depth": None if to_end else result.depth,
        "to_end": to_end,
        "plies": plies if plies >= 0 else None,
    }


def remember(job: Job, session: str, result: Result, states: Sequence[State]) -> None:
    """Keep the last answer of this session's engine, whose tree is still in the table; ``states`` led to it."""
    job.kept["answer"] = ((session, result.game), result, path_to(result.game, states[-1], states[:-1]))


def remembered(job: Job, session: str, game: Game, states: Sequence[State]) -> Result | None:
    """Return the last answer of this session's engine, if it is about the last of these positions, which led to it."""
    owner, result, path = job.kept.get("answer", (None, None, []))
    known = session and owner == (session, game) and owner in _kept(job)
    return result if known and path == path_to(game, states[-1], states[:-1]) else None


def seen(result: Result) -> dict[str, Any]:
    """Return the result of a search in the form that the page expects."""
    game = result.game
    return {
        **judged(result),
        "nodes": result.nodes,
        "speed": round(result.nodes_per_second),
        "seconds": round(result.seconds, 3),
        "compiled": result.compiled,
        "line": result.line_names()[:SHOWN_PLIES],
        "move": None if result.move is None else game.format_move(result.state, result.move),
    }


class Pulse:
    """Reports the number of positions visited while a search runs."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: Any) -> None:
        self.over.set()
        self.thread.join()

    def _beat(self) -> None:
        before, begun = 0, time.perf_counter()
        while not self.over.wait(PULSE):
            nodes, now = self.job.control.nodes, time.perf_counter()
            if nodes > before:
                self.job.tell(("info", {"nodes": nodes, "speed": round((nodes - before) / (now - begun))}))
            before, begun = nodes, now


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
