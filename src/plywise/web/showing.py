"""The job of the Explain room in a worker process that shows an engine's own search: why it chose its move.

If the session's engine has just searched the position, for the Play room, its answer and its table are shown as they
are.  Otherwise the engine searches first.  Games that Monte Carlo tree search plays show the top of its tree, and those
that neither plays show a recorded search of the textbook.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any, NamedTuple

from plywise import algorithms
from plywise.compiling.reading import as_ready
from plywise.engine.mcts_top import mcts_top
from plywise.engine.tree_top import tree_top
from plywise.explain.engine_story import engine_story
from plywise.explain.recording import recorded
from plywise.explain.story import story
from plywise.game import Game, State
from plywise.inputs.positions import unfinished
from plywise.web.thinking import engine_for, remember, remembered
from plywise.web.worker import Job

MOST_VISITS = 20_000
"""The most node visits in a story of the Explain room."""


class Question(NamedTuple):
    """Which search to show."""

    game: str
    parameters: str
    position: str | None
    seconds: float
    nodes: int | None
    session: str


def show(job: Job, question: Question, ready: bool) -> str:
    """Return the story of a search as JSON text.

    If the game is not ``ready``, another process compiles it: search interpreted, unless the code is there already.
    """
    told = _told(job, question) if ready else as_ready(partial(_told, job, question))
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _told(job: Job, question: Question) -> dict[str, Any]:
    game = job.games.make(question.game, question.parameters)
    state = unfinished(game, question.position)
    limits: dict[str, Any] = {"seconds": question.seconds, "nodes": question.nodes}
    if algorithms.plays_by_engine(game):
        return _by_engine(job, question.session, game, state, limits)
    if algorithms.plays_by_playouts(game):
        return engine_story(*mcts_top(game, state, **limits, enough=lambda _: job.control.stopped))
    return story(recorded(game, question.position, None, None, {}, MOST_VISITS))


def _by_engine(job: Job, session: str, game: Game, state: State, limits: dict[str, Any]) -> dict[str, Any]:
    engine = engine_for(job, session, game)
    known = remembered(job, session, game, state)
    if known is None:
        known = engine.search(state, control=job.control, **limits), ()
        remember(job, session, game, *known)
    result, history = known
    return engine_story(result, tree_top(engine, result, history=history))
