"""One position, searched to a depth by many machines: the value is that of minimax, as with one machine.

The lead deepens ply by ply, as one machine does, but closes in on each value by questions (``closing``): those are what
helpers can answer (``pieces``).  A last search of its own with a narrow window, in which the table answers nearly
everything, gives the line of best play.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.algorithms.common import above
from plywise.cluster.bench import Desk, Kit
from plywise.cluster.closing import Closing
from plywise.cluster.coordinator import Coordinator, check_sendable
from plywise.cluster.executor import Executor, Job
from plywise.cluster.solving import facts_of
from plywise.cluster.tools import INFO, QUESTION, READY, Answers, Searcher, answer_piece, sendable
from plywise.compiling.reading import specialised
from plywise.engine.any_code import made_by
from plywise.engine.deepen import Deepening
from plywise.engine.engine import Engine
from plywise.engine.network import Network
from plywise.engine.progress import Tell
from plywise.engine.race import ALONE_BELOW
from plywise.game import Game, State
from plywise.inputs.limits import LEAST_MB
from plywise.io.numbers import plain_number
from plywise.result import Result
from plywise.tables.table import Table

# On the worker --------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Lead(Deepening):
    """The whole search, with the answers of helpers where there are some."""

    searcher: Any = None
    desk: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.answers = Answers(self.searcher, lambda: self.control.stopped)

    def _aspired(self, depth: int, guess: Any, narrow: bool, tell: Callable[[Any, str], None]) -> Any:
        if depth < ALONE_BELOW:
            return super()._aspired(depth, guess, narrow, tell)
        closing = Closing(self.game, guess)
        while closing.is_open:
            goal = plain_number(closing.goal())
            self._report(closing, goal, bool(guess >= goal), depth, self.best[0].line)
            found = self.answers.ask(
                (goal, depth),
                lambda: self._within(depth, -above(self.game, -goal), goal),  # noqa: B023 (called at once)
            )
            closing.take(goal, plain_number(found))
        self.answers.begin(None)
        self._report(closing)
        return self._within(depth, -above(self.game, -closing.low), above(self.game, closing.low))

    def _report(self, closing: Closing, *question: Any) -> None:
        self.desk.report((QUESTION, (closing.low, closing.high), *question))


def lead(desk: Desk, depth: int | None, seconds: float | None, all_moves: bool) -> dict[str, Any]:
    """Search the position: the job of the lead.  Reports every question, and every depth that is done."""
    searcher: Searcher = desk.tools
    engine = searcher.engine
    with made_by(specialised):
        leading = _Lead(
            engine, [searcher.game], searcher.start, searcher.plan, searcher=searcher, desk=desk,
            on_info=lambda result: desk.report((INFO, facts_of(result))),
        )  # fmt: skip

        def stop() -> None:
            leading.control.stop()
            engine.stop()

        desk.report((READY, searcher.prepared))
        with desk.heeding(stop, leading.answers.take), searcher.sending(desk.report):
            found = leading.run(depth, seconds, None)
            if all_moves:
                desk.check()
                found = engine.with_moves_searched(found, leading, depth or found.depth or 1)
    return facts_of(found)


# Here -----------------------------------------------------------------------------------------------------------------


def search_together(
    executor: Executor, game: Game, start: State, *, depth: int | None, seconds: float | None, all_moves: bool = False,
    table_mb: float = 64.0, network: str | Path | Network | None = None, endings: Table | str | Path | None = None,
    on_info: Callable[[Result], None] | None = None, on_progress: Tell | None = None,
) -> Result:  # fmt: skip
    """Return the value of a position at a depth, which equals minimax, found by all workers of an executor.

    Args:
        executor: who searches.
        game: whose rules to follow.
        start: the position.
        depth: how many plies to look ahead.
        seconds: deepen until the time is up.
        all_moves: also find the value of every move.
        table_mb: the size of each worker's table, in megabytes.
        network: a learned evaluation, or its file.
        endings: a table of positions, or its file: lines of play end there.
        on_info: called with the result of each finished depth.
        on_progress: called a few times a second with the bounds proven at the present depth.

    Raises:
        SearchError: the lead's workers died too often, or a text does not describe the position exactly.
    """
    check_sendable(game, start)
    engine = Engine(game, table_mb=LEAST_MB, network=network, endings=endings)
    end = engine.endings
    if end.know(start):
        return end.looked_up(start, all_moves)
    latest: list[Result] = []

    def result_of(facts: dict[str, Any]) -> Result:
        result = end.continued(Result(game=end.game, state=start, **facts))
        return dataclasses.replace(result, nodes=result.nodes + coordinator.nodes)

    def hear(facts: dict[str, Any]) -> None:
        latest[:] = [result_of(facts)]
        if on_info is not None:
            on_info(latest[0])

    kit = Kit(game, Searcher, game.format(start), table_mb, sendable(network, endings))
    (searched,) = engine.games_to_search(exact=True)
    coordinator = Coordinator(
        executor, searched, start, Job(kit, lead, (depth, seconds, all_moves), game.format(start)),
        lambda node: Job(kit, answer_piece, (node.path, node.goal, node.depth), f"a part of {game.format(start)!r}"),
        on_info=hear, on_progress=on_progress,
    )  # fmt: skip
    try:
        facts = coordinator.run()
    except KeyboardInterrupt:
        if not latest:
            raise
        return dataclasses.replace(latest[0], interrupted=True)
    finally:
        executor.release(kit)
    return result_of(facts)
