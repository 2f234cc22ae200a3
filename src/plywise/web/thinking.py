"""The jobs of the Play room in a worker process: search a position and report the progress."""

from __future__ import annotations

import math
import random
import threading
import time
from functools import partial
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import as_ready
from plywise.engine.engine import Engine
from plywise.engine.strength import LEVELS
from plywise.explain.titles import value_in_words
from plywise.game import Game, Move
from plywise.inputs.limits import LONGEST_LINE
from plywise.match.dice import after_rolls
from plywise.result import Result
from plywise.search import search
from plywise.warm import search_once
from plywise.web.score_sheet import ScoreSheet, read_sheet
from plywise.web.views import chart_value
from plywise.web.workers import Job

TABLE_MB = 64.0

MOST_ENGINES = 3
"""How many engines a worker keeps with their tables: a search that gave way to another goes on where it was."""

GLANCE = 0.05
"""Seconds to look for a first move that makes sense."""

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
    sheet = sheet_of(job, order)
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


def sheet_of(job: Job, order: Any) -> ScoreSheet:
    """Return the game in progress that an order describes."""
    return read_sheet(job.games.make(order.game, order.parameters), order.start, order.moves, order.seed)


def engine_for(job: Job, session: str, game: Game) -> Engine:
    """Return this session's engine with its table if this worker still has it, or a new one."""
    engines: dict[tuple[str, Game], Engine] = job.kept.setdefault("engines", {})  # the least recently used first
    engine = engines.pop((session, game), None)
    if engine is None:
        while len(engines) >= MOST_ENGINES:
            del engines[next(iter(engines))]  # free an old table before allocating the next
        engine = Engine(game, table_mb=TABLE_MB)
    engines[session, game] = engine
    return engine


def at_a_glance(sheet: ScoreSheet) -> dict[str, Any]:
    """Return a legal move that looks good after it is made, so that there is one before the search has any."""
    game, state = sheet.game, sheet.state
    player, until = game.to_move(state), time.perf_counter() + GLANCE

    def worth(move: Move) -> float:
        if time.perf_counter() > until:
            return -math.inf
        after = game.play(state, move)
        return float((game.scores(after) if game.is_terminal(after) else game.estimates(after))[player])

    move = max(sheet.legal, key=worth)
    name = game.move_name(state, move)
    return {"move": game.format_move(state, move), "name": name, "line": [name]}


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
