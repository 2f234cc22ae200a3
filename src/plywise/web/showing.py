"""The job of the Explain room in a worker process that shows an engine's own search: why it chose its move.

If the session has just searched the position, for the Play room, that answer and its table or tree are shown as they
are.  Otherwise it is searched first.  Games that Monte Carlo tree search plays show the top of its tree, and those that
neither plays show a recorded search of the textbook.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import as_ready
from plywise.engine.mcts_top import top_of
from plywise.engine.tree_top import tree_top
from plywise.errors import SearchError
from plywise.explain.engine_story import engine_story
from plywise.explain.recording import recorded
from plywise.explain.story import story
from plywise.game import Game, State
from plywise.inputs.positions import unfinished
from plywise.web.thinking import Played, engine_for, grow_tree, remember, remembered, sheet_of, tree_for
from plywise.web.worker import Job

MOST_VISITS = 20_000
"""The most node visits in a story of the Explain room."""


class Question(NamedTuple):
    """Which search to show."""

    played: Played
    seconds: float
    nodes: int | None


def show(job: Job, question: Question, ready: bool) -> str:
    """Return the story of a search as JSON text.

    If the game is not ``ready``, another process compiles it: search interpreted, unless the code is there already.
    """
    told = _told(job, question) if ready else as_ready(partial(_told, job, question))
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _told(job: Job, question: Question) -> dict[str, Any]:
    played = question.played
    game = job.games.make(played.game, played.parameters)
    states = _led_to(job, game, played)
    limits: dict[str, Any] = {"seconds": question.seconds, "nodes": question.nodes}
    if algorithms.plays_by_engine(game):
        return _by_engine(job, played.session, game, states, limits)
    if algorithms.plays_by_playouts(game):
        return _by_playouts(job, played.session, game, states, limits)
    return story(recorded(game, states[-1], None, None, {}, MOST_VISITS))


def _led_to(job: Job, game: Game, played: Played) -> Sequence[State]:
    """Return the position to search after those that led to it.  Without moves, chance may be about to move."""
    if not played.moves:
        return (unfinished(game, played.start),)
    sheet = sheet_of(job, played)
    if sheet.over:
        raise SearchError(f"the game is over: {sheet.over}")
    return sheet.states


def _by_engine(job: Job, session: str, game: Game, states: Sequence[State], limits: dict[str, Any]) -> dict[str, Any]:
    result = remembered(job, session, game, states)
    engine = engine_for(job, session, game)
    if result is None:
        result = engine.search(states[-1], history=states[:-1], control=job.control, **limits)
        remember(job, session, result, states)
    return engine_story(result, tree_top(engine, result, history=states[:-1]))


def _by_playouts(job: Job, session: str, game: Game, states: Sequence[State], limits: dict[str, Any]) -> dict[str, Any]:
    crew = tree_for(job, session, game, states)
    if crew is None:
        crew = grow_tree(job, session, game, states, **limits, enough=lambda _: job.control.stopped)
    result = crew.result()
    return engine_story(result, top_of(crew, result))
