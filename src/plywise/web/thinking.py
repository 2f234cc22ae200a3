"""The jobs of the Play room in a worker process: search a position and report the progress."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import as_ready
from plywise.engine.engine import Engine
from plywise.engine.strength import LEVELS
from plywise.explain.titles import value_in_words
from plywise.game import Game, State
from plywise.match.dice import after_rolls
from plywise.result import Result
from plywise.search import search
from plywise.warm import search_once
from plywise.web.score_sheet import read_sheet
from plywise.web.views import chart_value
from plywise.web.workers import Job

TABLE_MB = 64.0

SHOWN_PLIES = 16
"""The most plies shown of a line of play."""

PULSE = 0.25
"""Seconds between two reports while a depth takes long."""


class Order(NamedTuple):
    """What to search, and how."""

    game: str
    parameters: str
    start: str | None
    moves: tuple[str, ...]
    seed: int | None
    level: int
    seconds: float
    depth: int | None
    session: str


Message = tuple[str, dict[str, Any]]
"""A message to the page: its name and its data."""


def think(job: Job, order: Order, ready: bool) -> Message:
    """Search, report after every depth and at intervals in between, and return the chosen move.

    If the game is not ``ready``, another process compiles it: search interpreted, unless the code is there already.
    """
    return _thought(job, order) if ready else as_ready(partial(_thought, job, order))


def _thought(job: Job, order: Order) -> Message:
    sheet = read_sheet(job.games.make(order.game, order.parameters), order.start, order.moves, order.seed)
    game = sheet.game
    by_engine = algorithms.plays_by_engine(game, order.depth)
    level = [*LEVELS.values()][order.level - 1].strength(game, by_engine)
    limits: dict[str, Any] = {"seconds": order.seconds, "depth": order.depth, "nodes": level.limit(game)}

    def report(result: Result) -> None:
        if result.rank == 1:
            job.tell(("info", seen(result)))

    if not by_engine:
        past: dict[str, Any] = {"history": sheet.states[:-1]} if algorithms.plays_by_playouts(game) else {}
        result = search(game, sheet.state, **limits, **past, on_info=report, enough=lambda _: job.control.stopped)
    else:
        with Pulse(job):
            result = engine_for(job, order.session, game).search(
                sheet.state, history=sheet.states[:-1], lines=level.lines(game), control=job.control,
                on_info=report, **limits,
            )  # fmt: skip
            remember(job, order.session, game, result, sheet.states[:-1])
    move = level.choose(result, random.Random(), lambda: sheet.legal).move
    played = {"move": game.format_move(sheet.state, move), "name": game.move_name(sheet.state, move)}
    return "done", {**seen(result), **played}


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


def engine_for(job: Job, session: str, game: Game) -> Engine:
    """Return this session's engine with its table if this worker still has it, or a new one."""
    owner, engine = job.kept.get("engine", (None, None))
    if engine is None or owner != (session, game):
        job.kept.clear()  # free the old table before allocating the next
        engine = Engine(game, table_mb=TABLE_MB)
        job.kept["engine"] = ((session, game), engine)
    return engine  # type: ignore[no-any-return]


def remember(job: Job, session: str, game: Game, result: Result, history: Sequence[State]) -> None:
    """Keep the last answer of this session's engine, whose tree is still in the table."""
    job.kept["answer"] = ((session, game), result, history)


def remembered(job: Job, session: str, game: Game, state: State) -> tuple[Result, Sequence[State]] | None:
    """Return the last answer of this session's engine, with the positions before it, if it is about this position."""
    owner, result, history = job.kept.get("answer", (None, None, ()))
    known = session and owner == (session, game) and result.state == state
    return (result, history) if known else None


def seen(result: Result) -> dict[str, Any]:
    """Return the result of a search in the form that the page expects."""
    game = result.game
    return {
        "value": chart_value(game, _plain(result.value)),
        "text": f"{result.relation}{value_in_words(game, _plain(result.value))}",
        "proven": result.proven and result.bound == "exact",
        "expected": result.expected,
        "depth": result.depth,
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
