"""Self-play by an executor (``plywise.cluster``): each job plays for some seconds and sends back its positions."""

from __future__ import annotations

import contextlib
import itertools
import time
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from plywise.cluster.bench import Desk, Kit
from plywise.cluster.executor import Executor, Job, Lost, done_in_turn
from plywise.engine.judged import with_network
from plywise.engine.network import Network
from plywise.errors import SearchError
from plywise.game import Game
from plywise.learning.positions import Positions, joined
from plywise.learning.self_play import SelfPlay, SelfPlayOptions

JOB_SECONDS = 5.0
"""How long a job plays: a game that is not finished then is lost."""

MOST_LOST = 3
"""After so many jobs in a row that killed their workers, self-play ends."""


class Side(NamedTuple):
    """The tools of a slot: how to play."""

    game: Game
    options: SelfPlayOptions


def side(game: Game, share: float, network: Network | None, options: SelfPlayOptions) -> Side:
    """Return the tools of a slot."""
    return Side(game if network is None else with_network(game, network), options)


def play_for(desk: Desk, seed: int, seconds: float) -> Positions | None:
    """Play for some seconds: a job of an executor.  Returns the positions of finished games; None if there are none."""
    tools: Side = desk.tools
    play = SelfPlay(tools.game, tools.options, seed=seed)
    with desk.heeding(play.stop):
        found = list(play.chunks(seconds=seconds))
    return joined(found) if found else None


def far_chunks(
    executor: Executor, game: Game, network: Network | None, options: SelfPlayOptions, seconds: float, seed: int
) -> Iterator[Positions]:
    """Yield positions as they come, for some seconds.

    Raises:
        SearchError: several jobs in a row killed their workers.
    """
    end = time.perf_counter() + seconds
    kit, lost = Kit(game, side, network, options), 0

    def jobs() -> Iterator[Job]:
        for number in itertools.count():
            left = end - time.perf_counter()
            if left <= 0:
                return
            yield Job(kit, play_for, ((seed + 7919 * number) % (1 << 31), min(JOB_SECONDS, left)), "self-play")

    with contextlib.ExitStack() as stack:
        stack.callback(executor.release, kit)
        for outcome in stack.enter_context(contextlib.closing(done_in_turn(executor, jobs(), ahead=1))):
            if isinstance(outcome.error, Lost):
                lost += 1
                if lost == MOST_LOST:
                    raise SearchError(f"self-play cannot go on: {outcome.error}")
                warnings.warn(str(outcome.error), stacklevel=2)
                continue
            lost = 0
            found: Positions | None = outcome.answer()
            if found is not None:
                yield found
